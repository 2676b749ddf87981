// What a kernel in HIP's own words touches, told as the compiler would, where no compiler can be made to put it.
#include "host/emulator/machine.hpp"
#include "host/try/memory/touches.hpp"
#include "host/watched/watched.hpp"

#include <csetjmp>
#include <cstdarg>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

extern "C" { // cmocka 1.1 leaves print_error() outside its own
#include <cmocka.h>
}

using namespace wf;
using host::watch::access;

namespace {

constexpr unsigned lanes = 32;
constexpr size_t bytes = lanes * sizeof(float);

// Of tile memory that begins so many bytes above the lane's frame: the cells of all lanes, or other arrays.
template <class Touches>
std::string finding_of(size_t above, const Touches &touches,
                       const std::vector<tried::tile_array> &arrays = {{"cells", 0, bytes, false}}) {
    host::watched watched;
    host::machine machine(lanes, {}, 1);
    tried::use_device(watched);
    tried::tile_block block = {nullptr, bytes, arrays};
    const host::watched::session session(watched);
    const tried::touching touching(block);
    machine.launch(1, lanes, bytes, [&] {
        if (block.memory == nullptr)
            block.memory = static_cast<unsigned char *>(__builtin_frame_address(0)) + above;
        touches(block.memory);
    });
    return machine.take_finding();
}

// The stacks of all lanes lie in one mapping, and right above it may lie the tile's memory: the last lane has both in
// reach. No chance is to decide what of it is noticed.
void test_tile_memory_above_the_stacks(void **) {
    for (const size_t above : {size_t(4096), size_t(60) * 1024}) {
        const auto is_right = [](const unsigned char *cells) {
            const unsigned t = host::where_am_i().lane;
            tried::touch(access::store, cells + 4 * t, 4);
            host::wait_for_tile("here", 1);
            tried::touch(access::load, cells + 4 * ((t + 1) % lanes), 4);
        };
        const auto is_racing = [](const unsigned char *cells) { tried::touch(access::store, cells, 4); };
        const auto is_unwritten = [](const unsigned char *cells) { tried::touch(access::load, cells, 4); };
        assert_string_equal(finding_of(above, is_right).c_str(), "");
        assert_non_null(std::strstr(finding_of(above, is_racing).c_str(), "race in tile memory: lane 1 wrote cell 0"));
        assert_non_null(
            std::strstr(finding_of(above, is_unwritten).c_str(), "of 'cells' of tile memory, which was never written"));
    }
}

// A byte of what is read as a word, and of what is updated as one, belongs to somebody.
void test_bytes_of_words(void **) {
    const auto finding = [](host::watch::access what, size_t byte) {
        return finding_of(4096, [&](const unsigned char *cells) {
            if (host::where_am_i().lane == 0)
                tried::touch(access::store, cells, 12);
            host::wait_for_tile("here", 1);
            if (host::where_am_i().lane == 1)
                tried::touch(access::store, cells + byte, 1);
            if (host::where_am_i().lane == 2)
                tried::touch(what, cells + 4, 4);
        });
    };
    for (const auto what : {access::load, access::store, access::update}) {
        for (const size_t byte : {size_t(4), size_t(5), size_t(7)})
            assert_non_null(std::strstr(finding(what, byte).c_str(), "of 'cells', which lane 1 uses too"));
        for (const size_t byte : {size_t(3), size_t(8)})
            assert_string_equal(finding(what, byte).c_str(), "");
    }
}

// A cell has the size of what is touched; larger accesses are of several numbers.
void test_names_of_cells(void **) {
    const std::pair<size_t, const char *> cells[] = {{1, "read cell 16 of"}, {2, "read cell 8 of"},
                                                     {4, "read cell 4 of"},  {8, "read cell 2 of"},
                                                     {12, "read cell 4 of"}, {16, "read cell 4 of"}};
    for (const auto &[size, said] : cells) {
        const auto reads = [of = size](const unsigned char *memory) { tried::touch(access::load, memory + 16, of); };
        assert_non_null(std::strstr(finding_of(4096, reads).c_str(), said));
    }
}

// Named is the array that begins before what is touched, or else the first one; none that is the compiler's own.
void test_outside_of_several_arrays(void **) {
    constexpr size_t above_stacks = 128 * 1024; // nothing is read there
    static const struct {
        ptrdiff_t at;
        const char *said;
    } touches[] = {{-4, "lane 0 read 6 elements before the beginning of 'early', which has 4 cells"},
                   {4, "lane 0 read 4 elements before the beginning of 'early', which has 4 cells"},
                   {34, "lane 0 read 1 element beyond the end of 'early', which has 4 cells"},
                   {40, "lane 0 read 2 elements beyond the end of 'early', which has 4 cells"},
                   {96, "lane 0 read 1 element beyond the end of 'late', which has 8 cells"}};
    for (const auto &[at, said] : touches) {
        const auto reads = [from = at](const unsigned char *memory) {
            if (host::where_am_i().lane == 0)
                tried::touch(access::load, memory + from, 4);
        };
        const std::string found =
            finding_of(above_stacks, reads, {{"", 8, 8, false}, {"late", 64, 32, false}, {"early", 20, 16, false}});
        if (found.find(said) == std::string::npos)
            fail_msg("'%s' does not say '%s'", found.c_str(), said);
    }
}

// What is read at once may have padding, which ends where a member of 8 bytes may begin.
void test_padding(void **) {
    const auto reads_padding = [](const unsigned char *cells) {
        const unsigned char *const own = cells + 16 * (host::where_am_i().lane % 8);
        if (host::where_am_i().lane >= 8)
            return;
        tried::touch(access::store, own, 4);
        tried::touch(access::store, own + 8, 8);
        tried::touch(access::load, own, 16);
    };
    const auto reads_more = [](const unsigned char *cells) {
        if (host::where_am_i().lane != 0)
            return;
        tried::touch(access::store, cells, 8);
        tried::touch(access::load, cells, 16);
    };
    assert_string_equal(finding_of(4096, reads_padding).c_str(), "");
    assert_non_null(std::strstr(finding_of(4096, reads_more).c_str(), "of tile memory, which was never written"));
}

} // namespace

int main() {
    const CMUnitTest tests[] = {cmocka_unit_test(test_tile_memory_above_the_stacks),
                                cmocka_unit_test(test_bytes_of_words), cmocka_unit_test(test_names_of_cells),
                                cmocka_unit_test(test_outside_of_several_arrays), cmocka_unit_test(test_padding)};
    return cmocka_run_group_tests_name("touches", tests, nullptr, nullptr);
}
