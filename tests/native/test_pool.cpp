// The helpers of the CPU's own kernels (hip/host/native/pool.hpp), on a machine that is made up: it has as many CPUs as
// a test says, and threads run where it says, come late, or cannot be had. What waits for a helper that does not come
// waits without end.
#include "host/native/pool.hpp"

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csetjmp>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <vector>

extern "C" { // cmocka 1.1 leaves print_error() outside its own
#include <cmocka.h>

#include "failing_malloc.h"
}

using wf::host::native::pool;
using wf::host::native::worth;

namespace {

constexpr unsigned most_threads = 16;
constexpr int elsewhere = 900; // a CPU that no caller is on

struct move {
    unsigned helper;
    std::set<int> to;
    bool operator==(const move &other) const { return helper == other.helper && to == other.to; }
};

struct machine {
    std::mutex lock;
    std::condition_variable changed;
    unsigned cpus = 4; // 0: the system does not say
    unsigned startable = most_threads - 1;
    bool come_late = false, pause = false; // new threads wait; helpers wait before they look for a job
    unsigned started = 0, refused = 0, ended = 0, pausing = 0, questions = 0; // asked by the caller: on which CPU it is
    size_t stack = 0;
    std::array<pthread_t, most_threads> thread = {};
    std::array<int, most_threads> cpu = {}; // on which each is, the caller first
    std::array<cpu_set_t, most_threads> allowed = {};
    std::vector<move> moves;

    template <class Change>
    void change(const Change &what) {
        const std::lock_guard<std::mutex> held(lock);
        what();
        changed.notify_all();
    }
};

machine here;
thread_local unsigned number = 0; // of a helper; of callers 0

cpu_set_t all_cpus() {
    cpu_set_t all;
    CPU_ZERO(&all);
    for (unsigned i = 0; i < here.cpus; i++)
        CPU_SET(i, &all);
    return all;
}

std::set<int> numbers_in(const cpu_set_t &set) {
    std::set<int> numbers;
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &set))
            numbers.insert(i);
    return numbers;
}

unsigned number_of(pthread_t thread) {
    unsigned i = 1;
    while (i < here.started && pthread_equal(here.thread[i], thread) == 0)
        i++;
    return i;
}

using begin = void *(void *);
struct beginning {
    begin *function;
    void *of;
    unsigned number;
};
std::array<beginning, most_threads> beginnings;

void *begin_helper(void *of) {
    const beginning mine = *static_cast<const beginning *>(of);
    number = mine.number;
    {
        std::unique_lock<std::mutex> held(here.lock);
        here.changed.wait(held, [] { return !here.come_late; });
    }
    void *const result = mine.function(mine.of);
    here.change([] { here.ended++; });
    return result;
}

int create_thread(pthread_t *thread, const pthread_attr_t *attributes, begin *function, void *of) {
    using create = int(pthread_t *, const pthread_attr_t *, begin *, void *);
    static create *const by_system = reinterpret_cast<create *>(dlsym(RTLD_NEXT, "pthread_create"));
    return by_system(thread, attributes, function, of);
}

} // namespace

// What the pool asks the system for.
extern "C" {

int sched_getaffinity(pid_t process, size_t, cpu_set_t *set) noexcept {
    std::memset(set, 0xff, sizeof *set);
    if (here.cpus == 0 || process != 0)
        return -1;
    *set = all_cpus();
    return 0;
}

int sched_getcpu() noexcept {
    std::unique_lock<std::mutex> held(here.lock);
    if (number == 0)
        here.questions++;
    else {
        here.pausing++;
        here.changed.notify_all();
        here.changed.wait(held, [] { return !here.pause; });
        here.pausing--;
        here.changed.notify_all();
    }
    return here.cpu[number];
}

int pthread_getaffinity_np(pthread_t thread, size_t, cpu_set_t *set) noexcept {
    const std::lock_guard<std::mutex> held(here.lock);
    *set = here.allowed[number_of(thread)];
    return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t, const cpu_set_t *set) noexcept {
    const std::lock_guard<std::mutex> held(here.lock);
    if (CPU_COUNT(set) == 0)
        return EINVAL;
    const unsigned helper = number_of(thread);
    here.allowed[helper] = *set;
    pause_failing_malloc();
    here.moves.push_back({helper, numbers_in(*set)});
    resume_failing_malloc();
    return 0;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, begin *function, void *of) noexcept {
    const std::lock_guard<std::mutex> held(here.lock);
    if (here.started == here.startable) {
        here.refused++;
        return EAGAIN;
    }
    pthread_attr_getstacksize(attributes, &here.stack);
    const unsigned next = here.started + 1;
    beginning &mine = beginnings[next];
    mine = {function, of, next};
    pause_failing_malloc();
    const int status = create_thread(thread, attributes, begin_helper, &mine);
    resume_failing_malloc();
    if (status == 0) {
        here.started = next;
        here.thread[next] = *thread;
        here.allowed[next] = all_cpus();
    }
    return status;
}
}

namespace {

constexpr worth all_helpers = {9, 9}, only_awake = {9, 0}, none = {0, 0};

int begin_test(void **) {
    here.~machine();
    new (&here) machine;
    here.cpu.fill(elsewhere);
    return 0;
}

int end_test(void **) {
    return here.ended == here.started ? 0 : -1; // no thread outlives its pool
}

// The pieces in the order in which they are begun.
std::vector<size_t> run(pool &threads, size_t pieces, worth helpers) {
    std::vector<size_t> begun;
    std::mutex lock;
    threads.run(pieces, helpers, [&](size_t piece) {
        const std::lock_guard<std::mutex> held(lock);
        begun.push_back(piece);
    });
    return begun;
}

// The piece that each thread begins with, once so many are there: they wait for each other.
std::map<unsigned, size_t> meet(pool &threads, size_t pieces, worth helpers, size_t count) {
    std::map<unsigned, size_t> first;
    std::vector<int> begun(pieces);
    std::mutex lock;
    std::condition_variable came;
    threads.run(pieces, helpers, [&](size_t piece) {
        std::unique_lock<std::mutex> held(lock);
        begun[piece]++;
        if (!first.emplace(number, piece).second)
            return;
        came.notify_all();
        came.wait(held, [&] { return first.size() >= count; });
    });
    assert_true(begun == std::vector<int>(pieces, 1));
    return first;
}

bool is_shared(pool &threads, worth helpers) {
    const unsigned before = here.questions;
    run(threads, most_threads, helpers);
    return here.questions != before;
}

std::vector<move> moves_of(pool &threads, size_t pieces, worth helpers, int callers_cpu) {
    here.change([&] {
        here.cpu[0] = callers_cpu;
        here.moves.clear();
    });
    run(threads, pieces, helpers);
    return here.moves;
}

// Longer than helpers watch for jobs.
void rest() {
    usleep(1000);
}

void sleep_all(pool &threads) {
    do
        rest();
    while (is_shared(threads, only_awake));
}

// Awake, and kept from looking for a job, after one of theirs.
void pause_helpers(pool &threads, unsigned count) {
    unsigned came = 0;
    threads.run(count + 1, {count, count}, [&](size_t) {
        here.change([&] { came++; });
        std::unique_lock<std::mutex> held(here.lock);
        here.changed.wait(held, [&] { return came == count + 1; });
        here.pause = true;
    });
    std::unique_lock<std::mutex> held(here.lock);
    here.changed.wait(held, [=] { return here.pausing == count; });
}

void go_on() {
    here.change([] { here.pause = here.come_late = false; });
    std::unique_lock<std::mutex> held(here.lock);
    here.changed.wait(held, [] { return here.pausing == 0; }); // who woke later would be there at the next pause
}

void test_threads(void **) {
    for (const unsigned cpus : {1u, 3u, 4u}) {
        here.cpus = cpus;
        assert_int_equal(pool().threads(), cpus);
    }
    here.cpus = 0;
    assert_int_equal(pool().threads(), std::max(1u, std::thread::hardware_concurrency()));
}

void test_each_piece_once(void **) {
    for (const unsigned cpus : {1u, 2u, 3u, 7u}) {
        here.cpus = cpus;
        pool threads;
        for (size_t pieces = 0; pieces < 40; pieces++)
            for (const unsigned helpers : {0u, 1u, 2u, 9u}) {
                const std::vector<size_t> begun = run(threads, pieces, {helpers, helpers});
                assert_int_equal(begun.size(), pieces);
                assert_int_equal(std::set<size_t>(begun.begin(), begun.end()).size(), pieces);
            }
    }
}

// Every other job begins in the middle.
void test_alone(void **) {
    pool threads;
    for (int job = 0; job < 3; job++) {
        assert_true(run(threads, 5, none) == std::vector<size_t>({0, 1, 2, 3, 4}));
        assert_true(run(threads, 5, none) == std::vector<size_t>({2, 3, 4, 0, 1}));
    }
    run(threads, 1, all_helpers);
    run(threads, 0, all_helpers);
    assert_int_equal(here.started, 0);
}

// Whether they watch for jobs or sleep.
void test_helpers_come(void **) {
    pool threads;
    const std::map<unsigned, size_t> from_begin = {{0, 0}, {1, 2}, {2, 4}, {3, 6}},
                                     from_middle = {{0, 1}, {1, 3}, {2, 5}, {3, 7}};
    for (int job = 0; job < 10; job++) {
        assert_true(meet(threads, 8, all_helpers, 4) == from_begin);
        assert_true(meet(threads, 8, all_helpers, 4) == from_middle);
        rest();
    }
    assert_int_equal(meet(threads, 2, all_helpers, 2).size(), 2);
}

void test_only_the_invited_come(void **) {
    pool threads;
    for (int job = 0; job < 100; job++) {
        meet(threads, 4, all_helpers, 4);
        const std::map<unsigned, size_t> two = meet(threads, 200, {2, 2}, 3);
        assert_true(two.size() == 3 && two.count(3) == 0);
    }
}

// The caller waits for none that has not come: its own pieces first, then those of each of the others.
void test_late_helpers(void **) {
    here.cpus = 3;
    here.come_late = true;
    {
        pool threads;
        for (int job = 0; job < 3; job++) {
            assert_true(run(threads, 6, all_helpers) == std::vector<size_t>({0, 1, 2, 3, 4, 5}));
            assert_true(run(threads, 6, all_helpers) == std::vector<size_t>({1, 0, 3, 2, 5, 4}));
        }
        go_on();
        meet(threads, 3, all_helpers, 3);
    }
}

void test_calls_within_calls(void **) {
    pool threads;
    std::atomic<unsigned> begun{0}, by_others{0};
    threads.run(4, all_helpers, [&](size_t) {
        threads.run(3, all_helpers, [&, mine = number](size_t) {
            begun++;
            by_others += number != mine;
        });
    });
    assert_int_equal(begun, 12);
    assert_int_equal(by_others, 0);
}

void test_several_callers(void **) {
    pool threads;
    const auto call = [](void *of) -> void * {
        for (int job = 0; job < 2000; job++)
            run(*static_cast<pool *>(of), 4, all_helpers).size() == 4 ? void() : std::abort();
        return nullptr;
    };
    pthread_t callers[3];
    for (pthread_t &caller : callers)
        assert_int_equal(create_thread(&caller, nullptr, call, &threads), 0);
    for (const pthread_t caller : callers)
        pthread_join(caller, nullptr);
}

// The child of a fork has a parent's pool, but not its threads; its own pool is as any.
void test_fork(void **) {
    auto *const threads = new pool;
    assert_int_equal(meet(*threads, 4, all_helpers, 4).size(), 4);
    sleep_all(*threads);
    const pid_t with_threads = fork();
    if (with_threads == 0) {
        const bool works = run(*threads, 4, all_helpers).size() == 4;
        delete threads;
        _exit(works ? 0 : 1);
    }
    int status = -1;
    assert_true(waitpid(with_threads, &status, 0) == with_threads && status == 0);
    assert_int_equal(meet(*threads, 4, all_helpers, 4).size(), 4);
    delete threads;
    const pid_t before_any = fork();
    if (before_any == 0) {
        here.started = 0;
        pool own;
        _exit(meet(own, 4, all_helpers, 4).size() == 4 ? 0 : 1);
    }
    assert_true(waitpid(before_any, &status, 0) == before_any && status == 0);
}

void test_few_threads(void **) {
    for (const unsigned startable : {0u, 1u, 2u}) {
        begin_test(nullptr);
        here.startable = startable;
        pool threads;
        assert_int_equal(meet(threads, 9, all_helpers, startable + 1).size(), startable + 1);
        assert_int_equal(here.refused, 1); // and is not asked for again
        assert_int_equal(meet(threads, 9, all_helpers, startable + 1).size(), startable + 1);
        assert_int_equal(here.refused, 1);
    }
}

// Whichever allocation fails: those helpers that are there do, and none is left behind.
void test_no_memory(void **) {
    if (!can_fail_malloc())
        skip();
    bool has_failed = true;
    for (unsigned long allocation = 1; has_failed; allocation++) {
        begin_test(nullptr);
        {
            pool threads;
            std::atomic<int> begun{0};
            fail_malloc_at(allocation);
            threads.run(9, all_helpers, [&](size_t) { begun++; });
            has_failed = end_failing_malloc();
            assert_int_equal(begun, 9);
            assert_int_equal(meet(threads, 9, all_helpers, here.started + 1).size(), here.started + 1);
        }
        assert_int_equal(here.ended, here.started);
    }
}

void test_stacks(void **) {
    pthread_attr_t usual, of_program;
    assert_int_equal(pthread_getattr_default_np(&usual), 0);
    assert_int_equal(pthread_attr_init(&of_program), 0);
    for (const size_t stack : {size_t(32) << 10, size_t(1) << 20, size_t(3) << 20}) {
        assert_int_equal(pthread_attr_setstacksize(&of_program, stack), 0);
        assert_int_equal(pthread_setattr_default_np(&of_program), 0);
        pool threads;
        meet(threads, 4, all_helpers, 4);
        assert_int_equal(here.stack, std::max(stack, size_t(1) << 20));
    }
    assert_int_equal(pthread_setattr_default_np(&usual), 0);
    pthread_attr_destroy(&of_program);
    pthread_attr_destroy(&usual);
}

// A helper is kept off its caller's CPU until it has run elsewhere.
void test_new_helpers_are_kept_off(void **) {
    const std::set<int> all = {0, 1, 2, 3}, but_0 = {1, 2, 3}, but_1 = {0, 2, 3}, but_2 = {0, 1, 3}, but_3 = {0, 1, 2};
    here.come_late = true;
    pool threads;
    assert_true(moves_of(threads, 8, all_helpers, 1) ==
                std::vector<move>({{1, all}, {2, all}, {3, all}, {1, but_1}, {2, but_1}, {3, but_1}}));
    assert_true(moves_of(threads, 2, all_helpers, 2) == std::vector<move>({{1, but_2}})); // as many as can have a piece
    assert_true(moves_of(threads, 8, {1, 1}, 3) == std::vector<move>({{1, but_3}}));
    assert_true(moves_of(threads, 8, all_helpers, 3) == std::vector<move>({{2, but_3}, {3, but_3}}));
    assert_true(moves_of(threads, 8, all_helpers, 0) == std::vector<move>({{1, but_0}, {2, but_0}, {3, but_0}}));
    assert_true(moves_of(threads, 8, all_helpers, -1).empty()); // the system does not say
    assert_true(moves_of(threads, 8, all_helpers, CPU_SETSIZE).empty());
    CPU_CLR(2, &here.allowed[2]); // by somebody else
    assert_true(moves_of(threads, 8, all_helpers, 2) == std::vector<move>({{1, but_2}, {3, but_2}}));
    go_on();
}

void test_two_cpus(void **) {
    here.cpus = 2;
    here.come_late = true;
    pool threads;
    assert_true(moves_of(threads, 8, all_helpers, 1) == std::vector<move>({{1, {0, 1}}, {1, {0}}}));
    go_on();
}

void test_unknown_cpus(void **) {
    if (std::thread::hardware_concurrency() < 2)
        skip();
    here.cpus = 0;
    pool threads;
    assert_true(moves_of(threads, 8, all_helpers, 1).empty());
    assert_true(meet(threads, 8, all_helpers, 2).size() >= 2);
}

void test_awake_helpers(void **) {
    const std::set<int> but_0 = {1, 2, 3}, but_1 = {0, 2, 3};
    here.cpu[1] = 0;
    here.cpu[2] = here.cpu[3] = 1;
    pool threads;
    sleep_all(threads);
    pause_helpers(threads, 3);
    rest(); // so that this is no call upon call
    assert_true(moves_of(threads, 8, {1, 0}, 1).empty());
    rest();
    assert_true(moves_of(threads, 8, {2, 0}, 1) == std::vector<move>({{2, but_1}})); // helper 1 runs elsewhere
    rest();
    assert_true(moves_of(threads, 8, only_awake, 1) == std::vector<move>({{3, but_1}}));
    rest();
    assert_true(moves_of(threads, 8, only_awake, 0) == std::vector<move>({{1, but_0}}));
    go_on();

    sleep_all(threads);
    here.cpu[0] = 2;
    pause_helpers(threads, 1);
    rest();
    assert_true(moves_of(threads, 8, only_awake, 0) == std::vector<move>({{1, but_0}})); // the others sleep
    go_on();
}

// Calls upon calls share with helpers that one call would not wake.
void test_calls_upon_calls(void **) {
    pool threads;
    meet(threads, 4, all_helpers, 4);
    bool first, second;
    do {
        rest();
        first = is_shared(threads, only_awake);
        second = is_shared(threads, only_awake);
    } while (first || !second);
    int cpu = 1;
    std::vector<move> moved;
    do {
        sleep_all(threads);
        rest(); // the last of these calls, too
        run(threads, 2, {1, 1});
        moved = moves_of(threads, 8, only_awake, cpu);
        cpu = 3 - cpu;
    } while (moved.size() < 2);
}

void test_many_jobs(void **) {
    pool threads;
    std::array<std::atomic<unsigned>, 7> begun = {};
    for (unsigned job = 0; job < 300000; job++) {
        const size_t pieces = 1 + job % begun.size();
        threads.run(pieces, all_helpers, [&](size_t piece) { begun[piece].fetch_add(1, std::memory_order_relaxed); });
        for (size_t piece = 0; piece < begun.size(); piece++)
            assert_int_equal(begun[piece].exchange(0), piece < pieces);
    }
}

} // namespace

int main() {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_test, end_test)
    const CMUnitTest tests[] = {
        TEST(test_threads),
        TEST(test_each_piece_once),
        TEST(test_alone),
        TEST(test_helpers_come),
        TEST(test_only_the_invited_come),
        TEST(test_late_helpers),
        TEST(test_calls_within_calls),
        TEST(test_several_callers),
        TEST(test_fork),
        TEST(test_few_threads),
        TEST(test_no_memory),
        TEST(test_stacks),
        TEST(test_new_helpers_are_kept_off),
        TEST(test_two_cpus),
        TEST(test_unknown_cpus),
        TEST(test_awake_helpers),
        TEST(test_calls_upon_calls),
        TEST(test_many_jobs),
    };
    return cmocka_run_group_tests_name("pool", tests, nullptr, nullptr);
}
