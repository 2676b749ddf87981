// Which sizes a slow function is tried with: the time of smaller ones tells that of larger ones.
#ifndef WAVEFOLD_HOST_TRY_PACE_HPP
#define WAVEFOLD_HOST_TRY_PACE_HPP

#include <chrono>
#include <cmath>
#include <cstddef>

namespace wf::tried {

class pace {
  public:
    explicit pace(double seconds) : seconds_(seconds), end_(now() + seconds) {}

    // Whether a run of n elements will be over in time. Sizes ascend.
    bool allows(size_t n) const { return n <= least_ || now() + expected(n) < end_; }

    // Whether a run of n elements takes a small part of the time.
    bool is_quick(size_t n) const { return expected(n) < 0.2 * seconds_; }
    // Whether the last run was so slow that only the most telling sizes should follow.
    bool is_slow() const { return last_ > 0.03; }

    template <class Run>
    void measure(size_t n, const Run &run) {
        const double begins = now();
        run();
        if (n > 2 * last_n_) {
            before_n_ = last_n_;
            before_ = last_;
        }
        last_n_ = n;
        last_ = now() - begins;
    }

  private:
    static constexpr size_t least_ = 2; // that is always run
    static constexpr size_t few_ = 257;

    static double now() {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }
    // As a power of n, up to the third; a few elements take as long as one.
    double expected(size_t n) const {
        if (n <= few_ || last_n_ == 0)
            return last_;
        const double grows = before_n_ != 0 && before_ > 0
                                 ? std::log(last_ / before_) / std::log(double(last_n_) / double(before_n_))
                                 : 2;
        return last_ * std::pow(double(n) / double(last_n_), std::fmin(std::fmax(grows, 0), 3));
    }

    double seconds_, end_;
    size_t last_n_ = 0, before_n_ = 0;
    double last_ = 0, before_ = 0;
};

} // namespace wf::tried
#endif
