#include "tile_arrays.hpp"

#include "program_symbols.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace wf::tried {

namespace {

constexpr size_t launched_bytes = 64 * 1024; // more than a GPU has for a static array

// The compiler's own variables, which say whether constructors ran.
bool is_guard(const char *symbol) {
    return std::strncmp(symbol, "_ZGV", 4) == 0 || std::strcmp(symbol, "__tls_guard") == 0;
}

std::vector<tile_array> read_symbols(size_t dynamic_bytes) {
    std::vector<tile_array> found;
    for_each_symbol([&](const symbol &each) {
        if (each.type != STT_TLS || each.bytes == 0)
            return;
        // As launched_arrays.c declares them. A static array of an inline __device__ function is protected, too.
        const bool is_dynamic = each.visibility == STV_PROTECTED && each.bytes == launched_bytes;
        const auto same = std::find_if(found.begin(), found.end(),
                                       [&](const tile_array &other) { return other.first == each.value; });
        if (same != found.end()) // the launch's memory by another name
            same->name += "' and '" + name_of_symbol(each.name);
        else
            found.push_back({is_guard(each.name) ? "" : name_of_symbol(each.name), each.value,
                             is_dynamic ? dynamic_bytes : each.bytes, is_dynamic});
    });
    return found;
}

// "void count::sum<int, 3>(int*)" and "count::sum<int, 3>" are sum.
std::string bare_name(std::string function) {
    const std::string hidden = "(anonymous namespace)::";
    for (size_t at; (at = function.find(hidden)) != function.npos;)
        function.erase(at, hidden.size());
    function.erase(0, function.find_first_not_of(" ("));
    function = function.substr(0, function.find_first_of("<(,)"));
    const size_t last = function.find_last_of(" :");
    return last == function.npos ? function : function.substr(last + 1);
}

} // namespace

size_t static_bytes_of(const std::string &kernel) {
    static std::map<std::string, size_t> &known = *new std::map<std::string, size_t>;
    const std::string name = bare_name(kernel);
    if (known.empty()) {
        std::map<std::string, size_t> of_instances;
        for_each_symbol([&](const symbol &each) {
            const std::string full = each.type == STT_TLS ? full_name_of_symbol(each.name) : "";
            const bool is_dynamic = each.visibility == STV_PROTECTED && each.bytes == launched_bytes;
            const size_t end = full.rfind("::");
            if (end != full.npos && !is_dynamic)
                of_instances[full.substr(0, end)] += each.bytes;
        });
        for (const auto &[function, bytes] : of_instances) {
            const auto [of_name, is_new] = known.emplace(bare_name(function), bytes);
            if (!is_new)
                of_name->second = std::min(of_name->second, bytes);
        }
        known[""] = 0;
    }
    const auto found = known.find(name);
    return found != known.end() ? found->second : 0;
}

tile_block find_tile_block(size_t dynamic_bytes) {
    tile_block block;
    dl_iterate_phdr(
        [](dl_phdr_info *program, size_t, void *to) { // the first one is the program itself
            tile_block &found = *static_cast<tile_block *>(to);
            for (unsigned i = 0; i < program->dlpi_phnum; i++)
                if (program->dlpi_phdr[i].p_type == PT_TLS) {
                    found.memory = static_cast<unsigned char *>(program->dlpi_tls_data);
                    found.bytes = program->dlpi_phdr[i].p_memsz;
                }
            return 1;
        },
        &block);
    if (block.memory != nullptr)
        block.arrays = read_symbols(dynamic_bytes);
    set_launched_bytes(block, dynamic_bytes);
    return block;
}

void set_launched_bytes(tile_block &block, size_t dynamic_bytes) {
    for (tile_array &each : block.arrays)
        if (each.is_launched) {
            each.bytes = dynamic_bytes;
            block.bytes = each.first + dynamic_bytes;
        }
}

} // namespace wf::tried
