// The launch of any request: the one place where all algorithms come together.
#ifndef WAVEFOLD_LAUNCH_HPP
#define WAVEFOLD_LAUNCH_HPP

#include "backend.h"

#include "axes/launch.hpp"
#include "by_key/launch.hpp"
#include "ladder/launch.hpp"
#include "look_back/launch.hpp"
#include "message/launch.hpp"
#include "reduce/launch.hpp"
#include "scan/launch.hpp"
#include "sort/launch.hpp"

#include <functional>

namespace wf {

// Empty if there is no kernel for the request. The request must live until it is called.
template <class Queue>
std::function<void(Queue)> find_launch(wf_algorithm algorithm, const void *request) {
    switch (algorithm) {
#define WF_FIND_LAUNCH(NAME, name, request_type)                                                                       \
    case WF_ALGORITHM_##NAME: {                                                                                        \
        const auto *const what = static_cast<const request_type *>(request);                                           \
        const auto launcher = find_launcher<Queue>(*what);                                                             \
        if (launcher == nullptr)                                                                                       \
            return nullptr;                                                                                            \
        return [=](Queue queue) { launcher(*what, queue); };                                                           \
    }
        WF_ALGORITHM_MAP(WF_FIND_LAUNCH)
#undef WF_FIND_LAUNCH
    case WF_ALGORITHM_COUNT:
        break;
    }
    return nullptr; // of another version of the library
}

} // namespace wf
#endif
