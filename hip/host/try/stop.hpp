// How a trial ends: with its answer, or early, by a signal, the limit of time, or an access that would harm the trial.
#ifndef WAVEFOLD_HOST_TRY_STOP_HPP
#define WAVEFOLD_HOST_TRY_STOP_HPP

#include "../emulator/machine.hpp"
#include "answer.hpp"

#include <string>

namespace wf::tried {

// Begins the answer, which end_answer() writes to standard output or to the descriptor; what the kernel prints goes to
// standard error. A crash or the end of the seconds stops the trial.
void begin_answer(answer &to, unsigned seconds, int descriptor = -1);
// The answer that was begun; before that, one that is never written.
answer &present_answer();
// Both tell the answer, and end the program; stop says in it why there is no more.
[[noreturn]] void end_answer();
[[noreturn]] void stop(const std::string &why);

// Whether a kernel runs.
bool is_launching();
// Of a fault of host code: what it accessed, or "" if the address says nothing. Returns true.
bool describe_faults_by(std::string (*describe)(const void *address));

// Where the kernel calls: a signal may come where nothing can be told.
void stop_if_time_is_over();

// While it lives, the machine runs the kernel; then its finding is added to the answer.
class launching {
  public:
    explicit launching(host::machine &machine);
    ~launching();
    void begins_lane(const void *frame);
};

} // namespace wf::tried
#endif
