// Whether the result of one experiment is that of a task.
#ifndef WAVEFOLD_HOST_TRY_TASK_RESULTS_HPP
#define WAVEFOLD_HOST_TRY_TASK_RESULTS_HPP

#include "exact_total.hpp"
#include "judged_elements.hpp"

namespace wf::tried::verdict {

struct check {
    bool applies = false; // the shapes of the arrays allow the task
    bool fits = false;
    double agreement = 0; // the share of the result's elements that are right
    size_t index = 0;     // of the first wrong one
    long double expected = 0, got = 0;
    bool is_rounded = false; // the data do not make the sum exact
    double ulps = 0, bound_ulps = 0, depth_ulps = -1;
    std::string note;
};

check check_of(task, const judged &, const options &);
// false if a look at the result tells that the check, which may take long, would not fit.
bool may_fit(task, const judged &);

// What the tasks that add sum up: elements, products, squares, squared differences, or 1 for each element that is
// counted.
struct summands {
    const judged &of;
    task what;
    size_t size() const { return of.n(); }
    long double operator[](size_t i) const; // a product in 64 bits
    void add_to(exact_total &, size_t i) const;
};

constexpr bool adds(task what) {
    return what == task::sum || what == task::dot || what == task::mean || what == task::sumsq || what == task::norm ||
           what == task::count || what == task::mse;
}
// A sum that is divided by n, or whose root is taken: what that rounds is allowed.
constexpr bool is_finished_sum(task what) {
    return what == task::mean || what == task::norm || what == task::mse;
}
constexpr bool has_two_arrays(task what) {
    return what == task::dot || what == task::mse;
}

// The greatest element, or the least; of equal ones the first. NaNs are passed over.
size_t place_of_extreme(const elements &, bool is_max);
// The bins of the elements, of which values beside the bins are in none.
std::vector<size_t> bins_of(const elements &, size_t bins);

} // namespace wf::tried::verdict
#endif
