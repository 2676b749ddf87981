// The first broken rule that the threads of a machine report; later ones may only follow from it.
#ifndef WAVEFOLD_HOST_EMULATOR_FIRST_FINDING_HPP
#define WAVEFOLD_HOST_EMULATOR_FIRST_FINDING_HPP

#include <mutex>
#include <string>

namespace wf::host {

class first_finding {
  public:
    void report(const std::string &finding) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (finding_.empty())
            finding_ = finding;
    }
    bool is_reported() {
        const std::lock_guard<std::mutex> lock(mutex_);
        return !finding_.empty();
    }
    // Empty if no rule was broken since the last call.
    std::string take() {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::string taken;
        taken.swap(finding_);
        return taken;
    }

  private:
    std::mutex mutex_;
    std::string finding_;
};

} // namespace wf::host
#endif
