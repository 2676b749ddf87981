// A program of raised privileges does as if the environment's WAVEFOLD_* were not set: its caller chooses neither the
// modules that it loads, nor the files that it reads and writes, nor what its CPU runs.
//
// The test copies itself, gives the copy the privileges of another user (as root) or of another of the caller's groups,
// and runs it. 77 where neither can be had: no such group, or a file system without setuid.
#include "host/native/native.hpp"

extern "C" {
#include "tuning/cache_file.h"
}

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

constexpr int skipped = 77;
constexpr const char *named = "/named-by-the-caller";

// What the environment's variables come to in this process.
int tell() {
    wf_backend_info host = {};
    for (size_t i = 0; i < wf_backend_count(); i++)
        if (wf_backend_get_info(i, &host) == WF_OK && std::strcmp(host.name, "host") == 0)
            break;
    char cache[WF_CACHE_PATH];
    wf_cache_path("table", cache);
    wf_status status = WF_OK;
    std::string error;
    const bool chooses = wf::host::native::choose_kernels(&status, &error) != nullptr;
    std::printf("secure=%d\nmodules=%s\ncache=%s\ncpu=%s\n", getauxval(AT_SECURE) != 0, host.detail, cache,
                chooses ? "its own choice" : error.c_str());
    return 0;
}

std::string run(const std::string &program) {
    std::string said;
    std::FILE *const output = popen(("'" + program + "' tell").c_str(), "r");
    char line[2048];
    while (output != nullptr && std::fgets(line, sizeof line, output) != nullptr)
        said += line;
    return output != nullptr && pclose(output) == 0 ? said : "the program did not run\n";
}

// Whether the file could be made another user's or group's, with its privileges for whoever runs it.
bool raise_privileges(const char *file) {
    if (geteuid() == 0)
        return chown(file, 65534, static_cast<gid_t>(-1)) == 0 && chmod(file, 04755) == 0;
    std::vector<gid_t> groups(static_cast<size_t>(getgroups(0, nullptr)));
    groups.resize(static_cast<size_t>(getgroups(static_cast<int>(groups.size()), groups.data())));
    for (const gid_t group : groups)
        if (group != getegid() && chown(file, static_cast<uid_t>(-1), group) == 0)
            return chmod(file, 02755) == 0;
    return false;
}

int failures = 0;

void expect(bool holds, const char *what, const std::string &said) {
    if (holds)
        return;
    std::fprintf(stderr, "%s; the program said:\n%s", what, said.c_str());
    failures++;
}

bool has(const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
}

int check(const std::string &own) {
    const std::string copy = own + ".raised";
    for (const char *variable : {"WAVEFOLD_BACKEND_PATH", "WAVEFOLD_CACHE", "WAVEFOLD_CPU", "XDG_CACHE_HOME", "HOME"})
        setenv(variable, named, 1);

    const std::string usual = run(own);
    expect(has(usual, "secure=0"), "this program has raised privileges itself", usual);
    expect(has(usual, std::string("libwavefold-host.so in ") + named), "WAVEFOLD_BACKEND_PATH was ignored", usual);
    expect(has(usual, std::string("cache=") + named), "WAVEFOLD_CACHE was ignored", usual);
    expect(has(usual, "cpu=WAVEFOLD_CPU is"), "WAVEFOLD_CPU was ignored", usual);

    std::filesystem::copy_file(own, copy, std::filesystem::copy_options::overwrite_existing);
    const std::string raised = raise_privileges(copy.c_str()) ? run(copy) : "";
    std::filesystem::remove(copy);
    if (!has(raised, "secure=1")) {
        std::printf("no raised privileges are to be had here\n");
        return failures != 0 ? 1 : std::getenv("CI") != nullptr ? 1 : skipped;
    }
    expect(!has(raised, named), "a variable of the caller's was obeyed", raised);
    expect(has(raised, "cache=\n"), "there should be no cache folder", raised);
    expect(has(raised, "cpu=its own choice"), "WAVEFOLD_CPU was obeyed", raised);
    return failures != 0;
}

} // namespace

int main(int argc, char **argv) {
    if (argc == 2 && std::strcmp(argv[1], "tell") == 0)
        return tell();
    return check(std::filesystem::read_symlink("/proc/self/exe"));
}
