#include "stop.hpp"

#include "../emulator/findings.hpp"
#include "../emulator/stack_arena.hpp"
#include "../watched/sites.hpp"
#include "memory/device_arrays.hpp"
#include "source_lines.hpp"

#include <sys/resource.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

namespace wf::tried {

namespace {

answer *told = nullptr;
int told_to = STDOUT_FILENO;
unsigned limit = 0;                         // seconds
volatile sig_atomic_t is_over = 0;          // the time
std::chrono::steady_clock::time_point last; // at which it is told, whatever runs
std::string (*describe_fault)(const void *address) = nullptr;
host::machine *runs = nullptr;               // the kernel; null: none does
const unsigned char *lowest_frame = nullptr; // of those in which its lanes began

const void *instruction_of(const void *context) {
    const auto &machine = static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
    return reinterpret_cast<const void *>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return reinterpret_cast<const void *>(machine.pc);
#else
    return static_cast<void>(machine), nullptr;
#endif
}

const unsigned char *stack_pointer_of(const void *context) {
    const auto &machine = static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
    return reinterpret_cast<const unsigned char *>(machine.gregs[REG_RSP]);
#elif defined(__aarch64__)
    return reinterpret_cast<const unsigned char *>(machine.sp);
#else
    return static_cast<void>(machine), nullptr;
#endif
}

// Stacks lie one above the other: what is too much for the lowest one ends below all of them.
bool is_below_stacks(const void *context) {
    const unsigned char *const end = stack_pointer_of(context);
    return runs != nullptr && end != nullptr &&
           uintptr_t(end) + host::stack_bytes < uintptr_t(lowest_frame); // false before any lane has begun
}

// Lanes' stacks lie one above the other; the trial's own frames are elsewhere.
bool is_of_lane(uintptr_t frame) {
    const uintptr_t lowest = uintptr_t(lowest_frame) - host::stack_bytes;
    return lowest_frame != nullptr && frame >= lowest && frame - lowest < (told->tile_size + 1u) * host::stack_bytes;
}

// The line of the program that called what runs, as abort() or a word's definition; while a kernel runs, of a lane
// alone.
host::site calling_line() {
    host::site line;
    const auto see = [](_Unwind_Context *frame, void *to) {
        int is_next = 0; // else the call is the instruction before it
        const uintptr_t at = _Unwind_GetIPInfo(frame, &is_next);
        auto &found = *static_cast<host::site *>(to);
        if (runs == nullptr || is_of_lane(_Unwind_GetCFA(frame)))
            found = line_at(reinterpret_cast<const void *>(is_next != 0 ? at : at - 1));
        return found.line != 0 ? _URC_NORMAL_STOP : _URC_NO_REASON;
    };
    _Unwind_Backtrace(see, &line);
    return line;
}

// The line if that is the kernel's own, else that of the last access.
std::string where(const host::site &line) {
    if (runs == nullptr)
        return " outside of the kernel";
    const host::place at = host::where_am_i();
    if (is_own(line))
        host::watch::stands(line);
    return " in kernel " + told->kernel + ", tile " + std::to_string(at.tile) + ", lane " + std::to_string(at.lane) +
           host::watch::place();
}

void stop_in_time(const host::site &line) {
    stop("it did not end within " + std::to_string(limit) + " s (--seconds)" + where(line));
}

// What is told needs memory, and the emulator's books: what runs outside of the kernel may be amid either. It is told
// where the kernel goes on, or calls the next word; or at last whatever runs.
void note_time(int, siginfo_t *, void *context) {
    const void *const instruction = instruction_of(context);
    is_over = 1;
    if (is_of_program(instruction))
        stop_in_time(line_at(instruction));
    else if (std::chrono::steady_clock::now() >= last)
        stop_in_time(calling_line());
}

void stop_by(int signal, siginfo_t *info, void *context) {
    const std::string fault =
        signal == SIGSEGV && runs == nullptr && describe_fault != nullptr ? describe_fault(info->si_addr) : "";
    if (!fault.empty()) {
        const host::site line = calling_line();
        stop(fault + (line.line != 0 ? " (" + host::watch::name_of(line) + ")" : ""));
    }
    // What crashed may have left no frames that can be followed.
    const host::site line = signal == SIGABRT ? calling_line() : line_at(instruction_of(context));
    stop((is_below_stacks(context) ? "a lane's variables take more than the " +
                                         std::to_string(host::stack_bytes / 1024) + " KiB that it has here,"
                                   : std::string("it crashed (") + strsignal(signal) + ")") +
         where(line));
}

void catch_signals(unsigned seconds) {
    static unsigned char stack[256 * 1024]; // the lane's own may be what is used up
    stack_t own = {};
    own.ss_sp = stack;
    own.ss_size = sizeof stack;
    sigaltstack(&own, nullptr);
    struct sigaction action = {};
    action.sa_sigaction = stop_by;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | int(SA_RESETHAND);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
        sigaction(signal, &action, nullptr);
    (void)is_of_program(nullptr); // so that no signal is the first to ask
    action.sa_sigaction = note_time;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigaction(SIGALRM, &action, nullptr);
    limit = seconds;
    last = std::chrono::steady_clock::now() + std::chrono::seconds(seconds + 1); // wavefold kills it a second later
    const itimerval end = {{0, 1000}, {time_t(seconds), 0}};
    setitimer(ITIMER_REAL, &end, nullptr);
}

} // namespace

bool describe_faults_by(std::string (*describe)(const void *address)) {
    describe_fault = describe;
    return true;
}

answer &present_answer() {
    static answer &untold = *new answer;
    return told != nullptr ? *told : untold;
}

static char *reserved_memory = nullptr;

// The first failure leaves memory to unwind with, and for the answer.
static void leave_memory() {
    delete[] std::exchange(reserved_memory, nullptr);
    std::set_new_handler(nullptr);
    throw std::bad_alloc();
}

void begin_answer(answer &to, unsigned seconds, int descriptor) {
    told = &to;
    told_to = descriptor >= 0 ? descriptor : dup(STDOUT_FILENO); // what the kernel prints is no part of the answer
    if (descriptor < 0)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    catch_signals(seconds);
    // What is counted of a loop without end would take all memory there is before the time is over.
    const rlim_t most_memory = (rlim_t(2) << 30) + reserved_bytes();
    const rlimit memory = {most_memory, most_memory};
    setrlimit(RLIMIT_AS, &memory);
    reserved_memory = new char[size_t(4) << 20];
    std::set_new_handler(leave_memory);
}

void end_answer() {
    std::signal(SIGALRM, SIG_IGN); // once is enough
    const std::string text = as_json(*told);
    for (size_t done = 0; done < text.size();) {
        const ssize_t written = write(told_to, text.data() + done, text.size() - done);
        if (written <= 0)
            _exit(1);
        done += size_t(written);
    }
    if (told->stopped.empty())
        std::fflush(nullptr); // what the kernel printed
    _exit(0);
}

void stop(const std::string &why) {
    if (runs != nullptr)
        add_finding(*told, runs->take_finding());
    told->stopped = why;
    told->counted_n = 0;
    end_answer();
}

bool is_launching() {
    return runs != nullptr;
}

void stop_if_time_is_over() {
    if (is_over != 0)
        stop_in_time(calling_line());
}

launching::launching(host::machine &machine) {
    runs = &machine;
    lowest_frame = nullptr;
}

void launching::begins_lane(const void *frame) {
    const auto *const here = static_cast<const unsigned char *>(frame);
    lowest_frame = lowest_frame == nullptr ? here : std::min(lowest_frame, here);
}

launching::~launching() {
    host::machine &machine = *std::exchange(runs, nullptr);
    add_finding(present_answer(), machine.take_finding());
    add_note(present_answer(), machine.take_note());
}

} // namespace wf::tried
