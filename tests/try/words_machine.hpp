// Runs the words of a tried kernel on the emulator, at both widths and in three orders of the lanes.
#ifndef TESTS_TRY_WORDS_MACHINE_HPP
#define TESTS_TRY_WORDS_MACHINE_HPP

#include "host/emulator/machine.hpp"
#include "host/try/words/words.hpp"
#include "host/watched/watched.hpp"

#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

extern "C" { // cmocka 1.1 leaves print_error() outside its own
#include <cmocka.h>
}

namespace test {

struct outcome {
    std::string finding, note;
};

template <class Kernel>
outcome launch(unsigned width, wf::host::order order, dim3 grid, dim3 block, const Kernel &kernel) {
    wf::host::watched device;
    wf::host::machine machine(width, {order, 1}, 1);
    const wf::host::watched::session session(device);
    if (width == 32)
        machine.let_returned_lanes_arrive();
    wf::tried::set_launch_shape(grid, block);
    machine.launch(grid.x * grid.y * grid.z, block.x * block.y * block.z, 1024, [&] {
        wf::tried::enter_lane();
        kernel();
    });
    return {machine.take_finding(), machine.take_note()};
}

constexpr wf::host::order orders[] = {wf::host::order::forward, wf::host::order::reverse, wf::host::order::random};

// Calls test(width, order) for each.
template <class Test>
void everywhere(const Test &test) {
    for (const unsigned width : {32u, 64u})
        for (const wf::host::order order : orders)
            test(width, order);
}

// The kernel breaks no rule, anywhere.
template <class Kernel>
void is_clean(dim3 block, const Kernel &kernel) {
    everywhere([&](unsigned width, wf::host::order order) {
        const outcome of = launch(width, order, 1, block, kernel);
        if (!of.finding.empty())
            fail_msg("waves of %u: %s", width, of.finding.c_str());
    });
}

inline void says(const std::string &text, const char *part) {
    if (text.find(part) == std::string::npos)
        fail_msg("'%s' does not say '%s'", text.c_str(), part);
}

// A failed check in a lane, which must not leave the lane's stack.
inline const char *failed_check = nullptr;
#define LANE_CHECK(condition) (test::failed_check = (condition) ? test::failed_check : "line " #condition)
inline void all_held() {
    if (const char *const failed = std::exchange(failed_check, nullptr); failed != nullptr)
        fail_msg("%s", failed);
}

} // namespace test
#endif
