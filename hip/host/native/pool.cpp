#include "pool.hpp"

#include "../threads.hpp"

#include <algorithm>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <thread>

namespace wf::host::native {

namespace {

constexpr uint64_t is_open = uint64_t(1) << 32;
constexpr uint64_t one_job = is_open << 1;
constexpr uint64_t at_work = is_open - 1; // mask

// Longer than the pause between calls in a loop, and no longer than it takes to put a thread to sleep and wake it.
constexpr auto spin_time = std::chrono::microseconds(50);

// Several times what a piece takes; what is not touched takes no memory.
constexpr size_t least_stack = 1 << 20;

std::atomic<unsigned> forks{0};

void note_fork() {
    forks.fetch_add(1, std::memory_order_relaxed);
}

unsigned watched_forks() {
    static const int watching = pthread_atfork(nullptr, nullptr, note_fork);
    (void)watching; // if that failed for want of memory, a child of a fork must not reduce with its parent's context
    return forks.load(std::memory_order_relaxed);
}

void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Until the condition holds, or spin_time is over: whether it holds.
template <class Condition>
bool spin(const Condition &condition) {
    const auto end = std::chrono::steady_clock::now() + spin_time;
    do
        for (int i = 0; i < 32; i++) {
            if (condition())
                return true;
            relax();
        }
    while (std::chrono::steady_clock::now() < end);
    return false;
}

// That this process may run on, which hardware_concurrency does not tell: launchers give each process its own. Empty:
// the system does not say, as with more than CPU_SETSIZE of them.
cpu_set_t allowed_cpus() {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        CPU_ZERO(&allowed);
    return allowed;
}

unsigned count_cpus(const cpu_set_t &allowed) {
    const auto count = static_cast<unsigned>(CPU_COUNT(&allowed));
    return count != 0 ? count : std::max(1u, std::thread::hardware_concurrency());
}

} // namespace

pool::pool() : allowed_(allowed_cpus()), threads_(count_cpus(allowed_)), forks_(watched_forks()) {}

pool::~pool() {
    if (forks_ != forks.load(std::memory_order_relaxed)) {
        // The threads are the parent's: there is nobody to join, and who slept would be waited for without end.
        static_cast<void>(places_.release());
        static_cast<void>(bed_.release());
        return;
    }
    stops_ = true;
    for (unsigned number = 1; number <= helpers_.size(); number++)
        wake(places_[number]);
    const cancellation_guard not_in_join;
    for (const pthread_t helper : helpers_)
        pthread_join(helper, nullptr);
}

bool pool::start_helper(unsigned number, const pthread_attr_t &attributes) {
    places_[number].of = this;
    places_[number].number = number;
    const auto begin = [](void *mine) -> void * {
        static_cast<place *>(mine)->of->help(static_cast<place *>(mine)->number);
        return nullptr;
    };
    pthread_t helper;
    if (pthread_create(&helper, &attributes, begin, &places_[number]) != 0)
        return false;
    helpers_.push_back(helper);   // for which there is room
    if (CPU_COUNT(&allowed_) > 0) // not where the caller is bound to, who may have been bound since
        pthread_setaffinity_np(helper, sizeof allowed_, &allowed_);
    return true;
}

// Where no more threads can be started, those that are there do.
void pool::start() {
    is_started_ = true;
    const signals_elsewhere none_for_helpers;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return;
    // The process may give its threads next to none, and callers what a call takes.
    size_t stack = 0;
    if (pthread_attr_getstacksize(&attributes, &stack) == 0 && stack < least_stack)
        pthread_attr_setstacksize(&attributes, least_stack);
    try {
        runs_ = std::make_unique<run_of_pieces[]>(threads_);
        places_ = std::make_unique<place[]>(threads_);
        helpers_.reserve(threads_ - 1);
        unsigned number = 1;
        while (number < threads_ && start_helper(number, attributes))
            number++;
    } catch (const std::bad_alloc &) {
    }
    pthread_attr_destroy(&attributes);
}

// Linux tends to wake a thread on the CPU of the one that wakes it, and to leave it there for milliseconds though
// others are idle. There it runs when its caller has used up its time, and not before.
void pool::keep_off(unsigned number, pthread_t helper, int cpu) {
    int &kept_off = places_[number].kept_off;
    if (cpu < 0 || cpu >= CPU_SETSIZE || kept_off == cpu)
        return;
    cpu_set_t last = allowed_, others = allowed_, present;
    if (kept_off >= 0)
        CPU_CLR(kept_off, &last);
    CPU_CLR(cpu, &others);
    if (CPU_COUNT(&others) == 0 || pthread_getaffinity_np(helper, sizeof present, &present) != 0 ||
        !CPU_EQUAL(&present, &last))
        return; // there is no other, or somebody else has placed it since
    if (pthread_setaffinity_np(helper, sizeof others, &others) == 0)
        kept_off = cpu;
}

// If it sleeps: who wants to sleep looks, once it has the lock and has said so, at what it would be woken for.
void pool::wake(place &helper) {
    if (!helper.sleeps.load())
        return;
    { const std::lock_guard<std::mutex> sleeping(helper.mutex); }
    helper.wake.notify_one();
}

bool pool::share(size_t pieces, worth helpers, bool from_middle, const call &each) {
    if (forks_ != forks.load(std::memory_order_relaxed))
        return false; // locks and threads are as the parent left them
    const std::unique_lock<std::mutex> lock(busy_, std::try_to_lock);
    if (!lock.owns_lock())
        return false;
    if (!is_started_)
        start();
    const auto there = static_cast<unsigned>(helpers_.size());
    const auto most = static_cast<unsigned>(std::min<size_t>(there, pieces - 1));
    unsigned awake = 0;
    while (awake < std::min(most, helpers.awake) && !places_[awake + 1].sleeps.load(std::memory_order_relaxed))
        awake++;
    // Call upon call gains from helpers that one call alone would not be worth waking.
    const bool follows = helpers.asleep < helpers.awake && clock::now() - last_end_ < spin_time;
    const unsigned wanted = std::min(most, std::max(awake, follows ? helpers.awake : helpers.asleep));
    if (wanted == 0) {
        last_end_ = clock::now();
        return false;
    }

    const int cpu = sched_getcpu();
    for (unsigned number = 1; number <= wanted; number++) {
        const place &helper = places_[number];
        const int last = helper.cpu.load(std::memory_order_relaxed); // below 0: it has not run yet
        if (helper.sleeps.load(std::memory_order_relaxed) || last < 0 || last == cpu)
            keep_off(number, helpers_[number - 1], cpu);
    }
    parts_ = wanted + 1;
    for (unsigned i = 0; i < parts_; i++) {
        runs_[i].taken.store(0, std::memory_order_relaxed);
        runs_[i].begin = pieces * i / parts_;
        runs_[i].end = pieces * (i + 1) / parts_;
    }
    call_ = each;
    job_from_middle_ = from_middle;
    invited_.store(wanted, std::memory_order_relaxed);
    // Both sides write, then look at what the other wrote: one of them sees it.
    state_.fetch_add(one_job + is_open); // it was shut, and none was at work
    for (unsigned number = 1; number <= wanted; number++)
        wake(places_[number]);
    work_on(0);
    state_.fetch_and(~is_open); // whoever has not entered stays outside
    wait_for_helpers();
    last_end_ = clock::now();
    return true;
}

void pool::work_on(unsigned number) {
    for (unsigned after = 0; after < parts_; after++) {
        run_of_pieces &run = runs_[(number + after) % parts_];
        const size_t pieces = run.end - run.begin;
        for (size_t i; run.taken.load(std::memory_order_relaxed) < pieces &&
                       (i = run.taken.fetch_add(1, std::memory_order_relaxed)) < pieces;)
            call_.function(call_.self, run.begin + turn_of(i, pieces, job_from_middle_));
    }
}

void pool::wait_for_helpers() {
    const auto none = [this] { return (state_.load() & at_work) == 0; };
    if (spin(none))
        return;
    const cancellation_guard not_in_wait;
    std::unique_lock<std::mutex> lock(bed_->mutex);
    caller_sleeps_ = true;
    bed_->done.wait(lock, none);
    caller_sleeps_ = false;
}

void pool::leave() {
    state_.fetch_sub(1);
    if (caller_sleeps_.load()) {
        const std::lock_guard<std::mutex> lock(bed_->mutex);
        bed_->done.notify_one();
    }
}

void pool::help(unsigned number) {
    uint64_t seen = 0; // the last job
    place &mine = places_[number];
    for (;;) {
        const int cpu = sched_getcpu();
        if (cpu != mine.cpu.load(std::memory_order_relaxed))
            mine.cpu.store(cpu, std::memory_order_relaxed);
        uint64_t now = 0;
        const auto is_wanted = [&] {
            now = state_.load();
            return ((now & is_open) != 0 && (now & ~at_work) != seen &&
                    number <= invited_.load(std::memory_order_relaxed)) ||
                   stops_.load();
        };
        if (!spin(is_wanted)) {
            std::unique_lock<std::mutex> lock(mine.mutex);
            mine.sleeps.store(true);
            if (!is_wanted())
                mine.wake.wait(lock);
            mine.sleeps.store(false);
            continue; // to watch again: the job that woke it may be over, but the next one may follow
        }
        if (stops_.load(std::memory_order_relaxed))
            return;
        // In, unless the door has been shut since.
        if (!state_.compare_exchange_strong(now, now + 1))
            continue;
        seen = now & ~at_work;
        work_on(number);
        leave();
    }
}

} // namespace wf::host::native
