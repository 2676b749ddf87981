#include "source_lines.hpp"

#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

namespace wf::tried {

namespace {

struct segment {
    uintptr_t base = 0, first = 0, end = 0; // of the program's code; base: what its addresses are counted from
};

segment find_code() {
    segment found;
    dl_iterate_phdr(
        [](dl_phdr_info *program, size_t, void *to) { // the first one is the program itself
            segment &code = *static_cast<segment *>(to);
            code.base = program->dlpi_addr;
            for (unsigned i = 0; i < program->dlpi_phnum; i++)
                if (program->dlpi_phdr[i].p_type == PT_LOAD && (program->dlpi_phdr[i].p_flags & PF_X) != 0) {
                    code.first = code.base + program->dlpi_phdr[i].p_vaddr;
                    code.end = code.first + program->dlpi_phdr[i].p_memsz;
                }
            return 1;
        },
        &found);
    return found;
}

const segment &code() {
    static const segment found = find_code();
    return found;
}

// addr2line, which answers as long as this process lives.
class reader {
  public:
    reader() {
        int asks[2], answers[2];
        if (pipe(asks) != 0 || pipe(answers) != 0)
            return;
        char program[64];
        std::snprintf(program, sizeof program, "/proc/%ld/exe", long(getpid()));
        std::signal(SIGPIPE, SIG_IGN);
        if (fork() == 0) {
            dup2(asks[0], STDIN_FILENO);
            dup2(answers[1], STDOUT_FILENO);
            dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
            close(asks[1]);
            close(answers[0]);
            execlp("addr2line", "addr2line", "-a", "-i", "-e", program, static_cast<char *>(nullptr));
            _exit(127);
        }
        close(asks[0]);
        close(answers[1]);
        to_ = asks[1];
        from_ = answers[0];
    }

    // "FILE:LINE", or what it says if it does not know; of what is inlined, then, where each call of it stands.
    std::vector<std::string> ask(uintptr_t address) {
        char text[32]; // of the address, and of 0, where no code is: the end of what is answered
        const int length = std::snprintf(text, sizeof text, "%#lx\n0\n", static_cast<unsigned long>(address));
        std::vector<std::string> lines;
        if (to_ < 0 || write(to_, text, size_t(length)) != length)
            return lines;
        (void)read_line(); // the address itself
        for (std::string line; !(line = read_line()).empty() && line.compare(0, 2, "0x") != 0;)
            lines.push_back(line);
        (void)read_line(); // the line of 0
        return lines;
    }

  private:
    std::string read_line() {
        std::string line;
        for (char next; read(from_, &next, 1) == 1 && next != '\n';)
            line += next;
        return line;
    }

    int to_ = -1, from_ = -1;
};

} // namespace

bool is_of_program(const void *instruction) {
    const auto address = reinterpret_cast<uintptr_t>(instruction);
    return code().first <= address && address < code().end;
}

bool is_own(const host::site &line) {
    return line.line != 0 && std::strstr(line.file, "/wavefold-try/include/") == nullptr &&
           std::strstr(line.file, "/include/c++/") == nullptr;
}

host::site line_at(const void *instruction) {
    static std::unordered_map<std::string, std::string> files; // which sites point to
    if (!is_of_program(instruction))
        return {};
    static reader ask;
    host::site innermost;
    for (const std::string &line : ask.ask(reinterpret_cast<uintptr_t>(instruction) - code().base)) {
        const size_t colon = line.rfind(':');
        const auto number = colon != line.npos ? uint32_t(std::strtoul(line.c_str() + colon + 1, nullptr, 10)) : 0;
        if (number == 0)
            continue;
        const std::string file = line.substr(0, colon);
        const host::site site = {files.emplace(file, file).first->second.c_str(), number, 0};
        if (is_own(site))
            return site;
        if (innermost.line == 0)
            innermost = site;
    }
    return innermost;
}

host::site line_before(const void *returns_to) {
    static std::unordered_map<const void *, host::site> known;
    static const void *last = nullptr;
    static host::site last_site;
    if (returns_to == last)
        return last_site;
    const auto [found, is_new] = known.emplace(returns_to, host::site());
    if (is_new) {
        found->second = line_at(static_cast<const char *>(returns_to) - 1);
        found->second.column = uint32_t(known.size());
    }
    last = returns_to;
    return last_site = found->second;
}

} // namespace wf::tried
