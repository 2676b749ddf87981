#include "gpus_without_code.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

// Where Linux lists the nodes of its driver for computing on AMD GPUs; tests have a folder of their own.
#if !defined(WF_KFD_NODES)
#define WF_KFD_NODES "/sys/class/kfd/kfd/topology/nodes"
#endif

namespace wf {
namespace {

struct gpu {
    size_t number; // as ROCR_VISIBLE_DEVICES counts
    std::string name, uuid;
};
using gpus = std::vector<gpu>;
using words = std::vector<std::string>;

// gfx_target_version has two decimal digits for each part of the name, whose last is hexadecimal: 90010 is gfx90a.
std::string name_of(unsigned long version) {
    char name[32];
    std::snprintf(name, sizeof name, "gfx%lu%lx%lx", version / 10000, version / 100 % 100, version % 100);
    return name;
}

// HSA_OVERRIDE_GFX_VERSION is "10.3.0".
std::string name_of_all() {
    const char *const text = std::getenv("HSA_OVERRIDE_GFX_VERSION");
    unsigned major, minor, stepping;
    if (text == nullptr || std::sscanf(text, "%u.%u.%u", &major, &minor, &stepping) != 3)
        return "";
    return name_of(major * 10000ul + minor * 100ul + stepping);
}

gpus list_gpus() {
    gpus listed;
    const std::string override_name = name_of_all();
    for (size_t node = 0;; node++) {
        std::ifstream file(WF_KFD_NODES "/" + std::to_string(node) + "/properties");
        if (!file && !std::ifstream(WF_KFD_NODES "/" + std::to_string(node) + "/gpu_id"))
            return listed;
        unsigned long version = 0, id = 0, value;
        bool is_gpu = false;
        for (std::string key; file >> key >> value;) { // a container may not read those of GPUs that it may not use
            if (key == "simd_count")
                is_gpu = value != 0;
            if (key == "gfx_target_version")
                version = value;
            if (key == "unique_id")
                id = value;
        }
        char uuid[32];
        std::snprintf(uuid, sizeof uuid, "GPU-%016lx", id);
        if (is_gpu)
            listed.push_back({listed.size(),
                              version == 0             ? ""
                              : !override_name.empty() ? override_name
                                                       : name_of(version),
                              uuid});
    }
}

words split(const char *text) {
    words parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');)
        parts.push_back(part);
    return parts;
}

// What is left of them if the runtime shows those alone that the variable lists.
gpus only_visible(const gpus &all, const char *variable) {
    const char *const text = std::getenv(variable);
    if (text == nullptr || *text == '\0')
        return all;
    gpus left;
    for (const std::string &part : split(text)) {
        const bool is_number = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
        const auto meant = std::find_if(all.begin(), all.end(), [&](const gpu &each) {
            return is_number ? std::to_string(&each - all.data()) == part : each.uuid == part;
        });
        if (meant == all.end())
            return all;
        left.push_back(*meant);
    }
    return left;
}

gpus visible_gpus() {
    const char *const hip = std::getenv("HIP_VISIBLE_DEVICES");
    const bool is_hip = hip != nullptr && *hip != '\0';
    return only_visible(only_visible(list_gpus(), "ROCR_VISIBLE_DEVICES"),
                        is_hip ? "HIP_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES");
}

// The bundle: a magic word, the number of entries; of each its offset, its length, the length of its name, the name.
// clang's documentation, "Clang Offload Bundler".
words targets_of(const char *bundle) {
    static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__", before[] = "amdgcn-amd-amdhsa--";
    words targets;
    if (std::memcmp(bundle, magic, sizeof magic - 1) != 0)
        return targets;
    const char *at = bundle + sizeof magic - 1;
    const auto take = [&] {
        uint64_t number;
        std::memcpy(&number, at, sizeof number);
        at += sizeof number;
        return number;
    };
    for (uint64_t left = take(); left > 0; left--) {
        at += 2 * sizeof(uint64_t);
        const size_t length = take();
        const std::string name(at, length);
        at += length;
        const size_t found = name.find(before);
        if (found != std::string::npos)
            targets.push_back(name.substr(found + sizeof before - 1));
    }
    return targets;
}

void append(std::string *list, const std::string &word) {
    *list += (list->empty() ? "" : ",") + word;
}

} // namespace

uncovered_gpus gpus_without_code(const void *bundle) {
    const words targets = targets_of(static_cast<const char *>(bundle));
    std::string without, with, known;
    for (const std::string &target : targets)
        append(&known, target);
    for (const gpu &each : visible_gpus()) {
        if (each.name.empty() || std::find(targets.begin(), targets.end(), each.name) != targets.end())
            append(&with, std::to_string(each.number));
        else if (without.find(each.name) == std::string::npos)
            append(&without, each.name);
    }
    if (without.empty())
        return {};
    return {without, "the module has " + (known.empty() ? "no code that it reads" : known) +
                         (with.empty() ? "; " : "; set ROCR_VISIBLE_DEVICES=" + with + ", which hides that GPU, ") +
                         "take a newer ROCm, or build wavefold with it in WF_AMD_ARCHITECTURES"};
}

} // namespace wf
