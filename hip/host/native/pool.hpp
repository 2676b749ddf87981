// Threads that stay, and share out the pieces of a job with the one that calls.
//
// Each thread starts with a run of pieces of its own, the same one for the same job, so that what it read last time may
// still be in its cache; then it helps the others. So nobody waits for a thread that has not woken up: the caller waits
// only for pieces that others are at. Every other job begins in the middle of each run: of an array that is larger
// than a cache, the half that was read last is there, and would be driven out before its turn came.
//
// A helper with nothing to do watches for the next job for spin_time and then sleeps; a caller that waits for the last
// pieces does the same. A job that is worth few helpers has the first few, and the others go to sleep: sixteen threads
// that enter and leave by one word take microseconds.
#ifndef WAVEFOLD_HOST_NATIVE_POOL_HPP
#define WAVEFOLD_HOST_NATIVE_POOL_HPP

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <sched.h>
#include <vector>

namespace wf::host::native {

// What a job gains from helpers: those that are awake cost less than those that sleep.
struct worth {
    unsigned awake;  // helpers to share with if they watch for jobs
    unsigned asleep; // helpers to wake
};

class pool {
  public:
    pool();
    ~pool();
    pool(const pool &) = delete;
    pool &operator=(const pool &) = delete;

    // How many threads there can be, with the caller.
    unsigned threads() const { return threads_; }

    // Calls work(piece) once for each piece, on this thread and on helpers, and returns when all is done. May be called
    // from several threads: who finds the helpers busy works alone, and so does the child of a fork. work must not
    // throw.
    template <class Work>
    void run(size_t pieces, worth helpers, const Work &work) {
        const call each = {[](const void *self, size_t piece) { (*static_cast<const Work *>(self))(piece); }, &work};
        const bool from_middle = from_middle_.load(std::memory_order_relaxed);
        from_middle_.store(!from_middle, std::memory_order_relaxed);
        if (pieces > 1 && helpers.awake > 0 && share(pieces, helpers, from_middle, each))
            return;
        for (size_t i = 0; i < pieces; i++)
            work(turn_of(i, pieces, from_middle));
    }

  private:
    using clock = std::chrono::steady_clock;
    struct call {
        void (*function)(const void *, size_t);
        const void *self;
    };
    struct alignas(64) run_of_pieces { // a line of the cache each
        std::atomic<size_t> taken{0};
        size_t begin = 0, end = 0;
    };

    // Of a helper: its number, the CPU on which it ran last, the one that its callers keep it off, and where it sleeps.
    struct alignas(64) place {
        pool *of = nullptr;
        unsigned number = 0;
        std::atomic<int> cpu{-1};
        int kept_off = -1;
        std::atomic<bool> sleeps{false};
        std::mutex mutex;
        std::condition_variable wake;
    };

    // The piece whose turn it is, of so many.
    static size_t turn_of(size_t i, size_t pieces, bool from_middle) {
        const size_t ahead = from_middle ? i + pieces / 2 : i;
        return ahead < pieces ? ahead : ahead - pieces;
    }
    bool share(size_t pieces, worth helpers, bool from_middle, const call &each);
    void keep_off(unsigned number, pthread_t helper, int cpu);
    static void wake(place &helper);
    void start();
    bool start_helper(unsigned number, const pthread_attr_t &attributes);
    void help(unsigned number);
    void work_on(unsigned number);
    void leave();
    void wait_for_helpers();

    const cpu_set_t allowed_; // those of the thread that made the pool; none: the system did not say
    const unsigned threads_;
    const unsigned forks_;                 // when the pool was made
    std::atomic<bool> from_middle_{false}; // the next job
    bool is_started_ = false;
    clock::time_point last_end_; // of a call that shared; of one that did not, when it began
    std::mutex busy_;            // who holds it shares
    std::vector<pthread_t> helpers_;
    std::unique_ptr<place[]> places_;

    // The job. Bit 32 of the state is set while helpers may enter, the bits above count jobs, those below the helpers
    // that are at it.
    std::unique_ptr<run_of_pieces[]> runs_;
    unsigned parts_ = 0;
    call call_ = {};
    bool job_from_middle_ = false;
    alignas(64) std::atomic<uint64_t> state_{0};
    // Helpers of numbers up to this may enter: more than have something to do would only be in each other's way.
    std::atomic<unsigned> invited_{0};
    alignas(64) std::atomic<bool> caller_sleeps_{false}, stops_{false};
    struct bed {
        std::mutex mutex;
        std::condition_variable done;
    };
    std::unique_ptr<bed> bed_ = std::make_unique<bed>();
};

} // namespace wf::host::native
#endif
