/* Names of the helpers of NVIDIA's samples, for a user's file: a stop watch of this computer's time. */
#ifndef WAVEFOLD_HOST_TRY_HELPER_TIMER_H
#define WAVEFOLD_HOST_TRY_HELPER_TIMER_H

#include <time.h>

class StopWatchInterface {
  public:
    void start() {
        started_ = now();
        runs_ = true;
    }
    void stop() {
        if (runs_) {
            sum_ += now() - started_;
            count_++;
        }
        runs_ = false;
    }
    void reset() {
        sum_ = 0;
        count_ = 0;
        started_ = now();
    }
    /* In milliseconds. */
    float getTime() const { return float(sum_ + (runs_ ? now() - started_ : 0)); }
    float getAverageTime() const { return count_ > 0 ? float(sum_ / count_) : 0; }

  private:
    static double now() {
        timespec at;
        clock_gettime(CLOCK_MONOTONIC, &at);
        return double(at.tv_sec) * 1e3 + double(at.tv_nsec) / 1e6;
    }

    double started_ = 0, sum_ = 0;
    int count_ = 0;
    bool runs_ = false;
};

inline bool sdkCreateTimer(StopWatchInterface **timer) {
    *timer = new StopWatchInterface;
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface **timer) {
    delete *timer;
    *timer = nullptr;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface **timer) {
    (*timer)->start();
    return true;
}
inline bool sdkStopTimer(StopWatchInterface **timer) {
    (*timer)->stop();
    return true;
}
inline bool sdkResetTimer(StopWatchInterface **timer) {
    (*timer)->reset();
    return true;
}
inline float sdkGetTimerValue(StopWatchInterface **timer) {
    return (*timer)->getTime();
}
inline float sdkGetAverageTimerValue(StopWatchInterface **timer) {
    return (*timer)->getAverageTime();
}

#endif
