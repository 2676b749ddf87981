// What Linux tells of the host device: its name, and how much memory it has left.
#ifndef WAVEFOLD_HOST_SYSTEM_MEMORY_HPP
#define WAVEFOLD_HOST_SYSTEM_MEMORY_HPP

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/sysinfo.h>

namespace wf::host {

// A value of Linux's files of keys and values: what follows "key", "key:" or "key :"; "" if it is not there.
inline std::string file_value(const std::string &file, const std::string &key) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);)
        if (line.compare(0, key.size(), key) == 0) {
            const size_t value = line.find_first_not_of(" \t:", key.size());
            return value == std::string::npos ? "" : line.substr(value);
        }
    return "";
}

// Linux tells no model of most ARM processors, and nothing where /proc is not mounted.
inline std::string cpu_name(const std::string &root = "") {
    const std::string model = file_value(root + "/proc/cpuinfo", "model name");
    return model.empty() ? "CPU" : model;
}

inline uint64_t file_number(const std::string &file, const std::string &key) {
    return std::strtoull(file_value(file, key).c_str(), nullptr, 10);
}

// A number of bytes that /proc/meminfo tells in KiB. Where that is not mounted, as in some sandboxes, the kernel is
// asked: it takes the files that it caches for used.
template <class Field>
uint64_t machine_memory(const std::string &root, const std::string &key, Field in_answer) {
    const std::string told = file_value(root + "/proc/meminfo", key);
    if (!told.empty())
        return std::strtoull(told.c_str(), nullptr, 10) * 1024;
    struct sysinfo answer;
    return ::sysinfo(&answer) == 0 ? uint64_t(answer.*in_answer) * answer.mem_unit : 0;
}

inline uint64_t memory_total(const std::string &root = "") {
    return machine_memory(root, "MemTotal", &sysinfo::totalram);
}

// What is left to a control group and all that it is part of. Cached files count as used, but give way.
inline uint64_t group_memory_free(const std::string &mount, std::string group, const char *limit_name,
                                  const char *usage_name, const char *cached_key) {
    uint64_t free = UINT64_MAX;
    for (;; group.erase(group.rfind('/'))) {
        const std::string folder = mount + group + "/";
        uint64_t limit = 0, usage = 0;
        // No limit: the file is not there, or says "max".
        if (std::ifstream(folder + limit_name) >> limit && std::ifstream(folder + usage_name) >> usage) {
            usage -= std::min(usage, file_number(folder + "memory.stat", cached_key));
            free = std::min(free, limit - std::min(limit, usage));
        }
        if (group.find('/') == std::string::npos)
            return free;
    }
}

// The bytes that this process can still use: what the machine has, and what its control groups leave it. root: where
// /proc and /sys are, for tests.
inline uint64_t memory_free(const std::string &root = "") {
    uint64_t free = machine_memory(root, "MemAvailable", &sysinfo::freeram);
    std::ifstream groups(root + "/proc/self/cgroup"); // lines such as 4:cpu,memory:/a/b (version 1) and 0::/a/b (2)
    for (std::string line; std::getline(groups, line);) {
        std::istringstream fields(line);
        std::string number, controllers, path;
        std::getline(std::getline(std::getline(fields, number, ':'), controllers, ':'), path);
        if (path == "/")
            path = "";
        const std::string mounts = root + "/sys/fs/cgroup";
        if (controllers.empty())
            free = std::min(free, group_memory_free(mounts, path, "memory.max", "memory.current", "inactive_file"));
        else if (("," + controllers + ",").find(",memory,") != std::string::npos)
            free = std::min(free, group_memory_free(mounts + "/memory", path, "memory.limit_in_bytes",
                                                    "memory.usage_in_bytes", "total_inactive_file"));
    }
    return free;
}

} // namespace wf::host
#endif
