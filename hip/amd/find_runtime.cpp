#include "find_runtime.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <unistd.h>

// What the runtime's file is called; tests give their stand-ins another name than that of a ROCm on the machine.
#if !defined(WF_HIP_LIBRARY)
#define WF_HIP_LIBRARY "libamdhip64.so"
#endif

namespace wf {
namespace {

// Majors of ROCm whose runtimes are looked for. ROCm 5.2 is the oldest that is known to have all functions; what the
// module calls has not changed up to 7.1, and later ones are taken at their word.
constexpr int newest_major = 15, oldest_major = 5;

constexpr char library[] = WF_HIP_LIBRARY;

// The number behind the library's name, in the path or in what it is a link to.
int major_of(const std::string &path) {
    char *const real = realpath(path.c_str(), nullptr);
    const std::string names[] = {path, real != nullptr ? real : ""};
    std::free(real);
    const std::string before = std::string(library) + ".";
    for (const std::string &name : names) {
        const size_t at = name.rfind(before);
        if (at != std::string::npos && name.find('/', at) == std::string::npos)
            return std::atoi(name.c_str() + at + before.size());
    }
    return 0;
}

found_runtime found_at(void *handle, const std::string &path) {
    return {handle, path, major_of(path)};
}

std::string path_of(void *handle, const char *asked) {
    link_map *object = nullptr;
    return dlinfo(handle, RTLD_DI_LINKMAP, &object) == 0 && object->l_name[0] != '\0' ? object->l_name : asked;
}

// By a function that programs do not call: what has one of theirs alone, a tool that watches calls, is no runtime.
bool find_visible(found_runtime *found) {
    void *const function = dlsym(RTLD_DEFAULT, "__hipRegisterFatBinary");
    Dl_info object;
    if (function == nullptr || dlsym(RTLD_DEFAULT, "hipGetDeviceCount") == nullptr || dladdr(function, &object) == 0)
        return false;
    *found = found_at(RTLD_DEFAULT, object.dli_fname);
    return true;
}

int note_loaded(dl_phdr_info *object, size_t, void *path) {
    const std::string name = object->dlpi_name;
    const size_t slash = name.rfind('/');
    const std::string file = slash == std::string::npos ? name : name.substr(slash + 1);
    if (file.compare(0, sizeof library - 1, library) != 0)
        return 0;
    *static_cast<std::string *>(path) = name;
    return 1;
}

bool find_loaded(found_runtime *found) {
    std::string path;
    if (dl_iterate_phdr(note_loaded, &path) == 0)
        return false;
    void *const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (handle == nullptr) // it was unloaded meanwhile
        return false;
    *found = found_at(handle, path);
    return true;
}

// What could not be loaded although it is there is worth a word, if nothing else is found.
bool load(const std::string &name, found_runtime *found, std::string *trouble) {
    const bool is_path = name.find('/') != std::string::npos;
    if (is_path && access(name.c_str(), F_OK) != 0)
        return false;
    void *const handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) {
        *found = found_at(handle, path_of(handle, name.c_str()));
        return true;
    }
    // The dynamic linker's sentence begins with what it could not open: with another file's name, or this one's path.
    const std::string said = dlerror();
    if (trouble->empty() && (is_path || said.compare(0, name.size() + 1, name + ":") != 0))
        *trouble = said;
    return false;
}

bool load_from(const std::string &folders, const std::string &file, found_runtime *found, std::string *trouble) {
    glob_t paths = {};
    bool is_found = false;
    if (glob((folders + "/" + file).c_str(), GLOB_NOSORT, nullptr, &paths) == 0) {
        // First the one without a number, which is a link to the one in use ('/' comes behind '-'); then the newest.
        std::sort(paths.gl_pathv, paths.gl_pathv + paths.gl_pathc,
                  [](const char *a, const char *b) { return strverscmp(a, b) > 0; });
        for (size_t i = 0; i < paths.gl_pathc && !is_found; i++)
            is_found = load(paths.gl_pathv[i], found, trouble);
    }
    globfree(&paths);
    return is_found;
}

bool find_anywhere(found_runtime *found, std::string *trouble) {
    const char *const named = secure_getenv("ROCM_PATH");
    std::string files[newest_major - oldest_major + 2];
    for (int major = newest_major; major >= oldest_major; major--)
        files[newest_major - major] = std::string(library) + "." + std::to_string(major);
    files[newest_major - oldest_major + 1] = library;
    if (named != nullptr && *named != '\0')
        for (const std::string &file : files)
            if (load(std::string(named) + "/lib/" + file, found, trouble))
                return true;
    for (const std::string &file : files)
        if (load(file, found, trouble) || load_from("/opt/rocm*/lib", file, found, trouble))
            return true;
    return false;
}

} // namespace

bool find_runtime(found_runtime *found, std::string *why) {
    std::string trouble;
    if (find_visible(found) || find_loaded(found) || find_anywhere(found, &trouble))
        return true;
    *why = std::string("no HIP runtime: there is no ") + library + "." + std::to_string(oldest_major) + " or newer " +
           "where the dynamic linker looks, in ROCM_PATH or in /opt/rocm*/lib; install ROCm's, or name its folder in " +
           "LD_LIBRARY_PATH" + (trouble.empty() ? "" : " (" + trouble + ")");
    return false;
}

} // namespace wf
