// Judges the results of a kernel: which task they solve, whether they are right, and what a wrong result equals.
//
//   judge one({.names = {"reduceMax"}, .block_size = 256, .tolerances = {1e-5}});
//   one.add({.inputs = {{element_type::f32, in, n, "in"}}, .result = {element_type::f32, out, 1, "out"}});
//   const conclusion what = one.conclude({});
//
// Exact values are integers of 4400 bits; nothing here depends on the emulator.
#ifndef WAVEFOLD_HOST_TRY_VERDICT_HPP
#define WAVEFOLD_HOST_TRY_VERDICT_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wf::tried::verdict {

enum class element_type { f16, bf16, f32, f64, i8, u8, i16, u16, i32, u32, i64, u64 };

// The simplest first: of several that fit all experiments, the first is named.
enum class task {
    sum,
    max,
    min,
    inclusive_sum,
    exclusive_sum,
    sort_ascending,
    sort_descending,
    dot,
    mean,
    sumsq,
    norm,
    argmax,
    argmin,
    histogram,
    count,
    mse,
    softmax
};

// Whose result is an array.
constexpr bool is_array_task(task what) {
    return what == task::inclusive_sum || what == task::exclusive_sum || what == task::sort_ascending ||
           what == task::sort_descending || what == task::histogram || what == task::softmax;
}
constexpr size_t tasks = size_t(task::softmax) + 1;

const char *name_of(task); // "sum", as --task takes it
std::optional<task> task_of(const std::string &name);
std::string names_of_tasks(); // "sum, max, ..., count"
// Whether a function with such a parameter has a task for each window of an array, which is none of these.
bool names_windows(const std::string &parameter);

struct numbers {
    element_type type = element_type::f32;
    const void *data = nullptr;
    size_t count = 0;
    std::string name = {};
};

// One run of the user's function. All arrays are copied.
struct experiment {
    std::vector<numbers> inputs = {};    // their contents before the run; the elements in its count
    numbers result = {};                 // the first elements that it wrote, without a gap
    bool is_in_place = false;            // the result's array was one of the inputs
    std::vector<long long> scalars = {}; // integer arguments that are no count
    unsigned floats = 0;                 // floating arguments
    bool is_exact = false;               // the data were made so that sums in the result's type have no rounding

    // What the caller knows besides; 0 or empty: nothing.
    size_t row = 0;   // elements of a row; 0 and 1: it is no matrix
    size_t depth = 0; // the most additions behind one another
    std::optional<std::vector<std::pair<size_t, size_t>>> read =
        {};                 // [begin, end) of the first input that kernels read
    std::string label = {}; // for messages, such as "lanes reverse"
};

struct options {
    std::vector<std::string> names = {}; // of functions, kernels and parameters: they name the task of a wrong result
    unsigned block_size = 0;             // threads; 0: unknown
    std::vector<double> tolerances = {}; // of the user's own check, in order of the file: tolerances_in
    bool allows_parts = true;            // partial sums, one for each tile, count as a sum if their total is right
};

enum class outcome { right, wrong, unknown };

struct conclusion {
    outcome is = outcome::unknown;
    task what = task::sum;
    std::vector<task> also = {}; // other tasks that fit all experiments: more experiments would tell them apart

    // The experiment with the fewest elements that is wrong; else the one with the largest error.
    size_t experiment = 0, n = 0;
    size_t index = 0;          // of the result
    std::string expected, got; // as text, "" if unknown
    double expected_number = 0, got_number = 0;

    // Rounding, of all experiments with random data; only for sums of floats.
    bool is_rounded = false;
    double ulps = 0;        // the largest error, in ulps of the exact result
    double bound_ulps = 0;  // of that experiment: (n - 1) u sum|x|
    double depth_ulps = -1; // depth u sum|x|; -1: unknown

    std::string hint = {};               // of a wrong result: what it equals; "" if unknown
    std::vector<std::string> notes = {}; // sentences: precision, tolerances, overflow
    std::string sentence = {};           // one line: the verdict
};

class judge {
  public:
    explicit judge(options what = {});
    judge(judge &&) noexcept;
    judge &operator=(judge &&) noexcept;
    ~judge();

    void add(const experiment &);
    void set_block_size(unsigned threads); // if it is known only after the runs
    void add_name(const std::string &name);
    size_t count() const;
    // With a task: judges for this one. Without: recognises it.
    conclusion conclude(std::optional<task> forced) const;
    // Of one experiment: the first task that its result fits; other members are unset. No wrong result is explained.
    enum class results { any, arrays };
    std::optional<conclusion> recognise(results of) const;

  private:
    struct data;
    data *data_;
};

// The tolerances in a C++ source, from 1e-2 to 1e-16: 1e-5 of `fabs(a - b) < 1e-5` and of `#define EPS 1e-5`.
std::vector<double> tolerances_in(const std::string &source);

} // namespace wf::tried::verdict
#endif
