// The task that the user named (--task).
#ifndef WAVEFOLD_HOST_TRY_WANTED_TASK_HPP
#define WAVEFOLD_HOST_TRY_WANTED_TASK_HPP

#include "../stop.hpp"
#include "../verdict/verdict.hpp"

#include <cstdlib>
#include <optional>
#include <string>

namespace wf::tried {

inline std::optional<verdict::task> wanted_task() {
    const char *const name = std::getenv("WAVEFOLD_TRY_TASK");
    const std::optional<verdict::task> wanted = name != nullptr ? verdict::task_of(name) : std::nullopt;
    if (name != nullptr && !wanted)
        stop(std::string("WAVEFOLD_TRY_TASK names no task: '") + name + "'; --task sets it");
    return wanted;
}

} // namespace wf::tried
#endif
