#define WF_TRY_LIBRARY
#include "program.hpp"

#include "../launch.hpp"
#include "../memory/host_findings.hpp"
#include "../stop.hpp"
#include "../user_device.hpp"
#include "recognition.hpp"
#include "schedules.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace wf::tried {

namespace {

constexpr const char *run_variable = "WAVEFOLD_TRY_RUN"; // src/cli/try/trial_process.c sets it

void end_program(int status, void *) {
    answer &given = present_answer();
    std::fflush(nullptr);
    if (status != 0)
        given.stopped = "its main() ended with status " + std::to_string(status);
    else if (launches().all == 0)
        given.stopped = "its main() launched no kernel";
    else
        note_leaks();
    given.launches = launches().all;
    given.sampled_launches = launches().sampled;
    add_recognised(given);
    end_answer();
}

} // namespace

int begin_program() {
    const char *const run = std::getenv(run_variable);
    unsigned width = 0, order = 0, seconds = 0;
    int descriptor = -1;
    if (run == nullptr || std::sscanf(run, "%u %u %u %d", &width, &order, &seconds, &descriptor) != 4 ||
        order >= schedule_count || (width != 32 && width != 64)) {
        std::fprintf(stderr, "this is a part of wavefold try\n");
        std::_Exit(2);
    }
    unsetenv(run_variable);
    answer &given = *new answer;
    given.mode = "program";
    given.wave_width = width;
    given.now.schedule = schedules[order].name;
    use_machine(width, schedules[order].order);
    begin_answer(given, seconds, descriptor);
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // a stopped program keeps what it printed
    on_exit(end_program, nullptr);
    return 0;
}

} // namespace wf::tried
