// The task that the user named (--task).
#ifndef WAVEFOLD_HOST_TRY_WANTED_TASK_HPP
#define WAVEFOLD_HOST_TRY_WANTED_TASK_HPP

#include "../verdict/verdict.hpp"

#include <cstdlib>
#include <optional>

namespace wf::tried {

inline std::optional<verdict::task> wanted_task() {
    const char *const name = std::getenv("WAVEFOLD_TRY_TASK");
    return name != nullptr ? verdict::task_of(name) : std::nullopt;
}

} // namespace wf::tried
#endif
