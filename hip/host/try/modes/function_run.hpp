// One call of a user's solve(): its arrays, its scalars, and what it left.
#ifndef WAVEFOLD_HOST_TRY_FUNCTION_RUN_HPP
#define WAVEFOLD_HOST_TRY_FUNCTION_RUN_HPP

#include "../verdict/verdict.hpp"
#include "function.hpp"
#include "made_data.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wf::tried {

// What a parameter is for, by its type and name.
// extent: of a matrix, besides its count of rows. shape, rank, axis: of a tensor of one dimension, as on Tensara.
enum class role {
    input,
    output,
    in_place,
    count,
    extent,
    bins,
    threads,
    shape,
    rank,
    axis,
    scalar,
    stream, // the default one
    number,
    unsupported
};

struct parameter {
    std::string name;
    value_type type;
    role is;
};

class function_plan {
  public:
    explicit function_plan(const erased_function &what);

    // Why it cannot be called; "" if it can.
    std::string problem() const;
    const std::vector<parameter> &parameters() const { return parameters_; }

    // Calls it with n elements. The experiment refers to memory that lives until the next call. Returns false if there
    // is no memory.
    bool run(size_t n, made_data data, verdict::experiment &done);

  private:
    struct array {
        unsigned char *data = nullptr;
        size_t count = 0, bytes = 0;
        std::vector<unsigned char> before, after;
    };

    void choose_count();
    size_t row_elements() const;
    bool make_shape(size_t p, size_t n);
    size_t least_results() const;
    long long integer_of(const parameter &of, size_t n) const;
    void choose_inputs();
    unsigned char *allocate(const parameter &of, size_t bytes) const;
    bool make(size_t p, size_t n, made_data data, unsigned number);
    void add_result(verdict::experiment &to, size_t n, const value &returned);
    std::optional<std::vector<std::pair<size_t, size_t>>> read_elements() const;
    size_t written_bytes(const array &of) const;
    void release();
    bool has(role which) const;
    unsigned limit() const;

    const erased_function &what_;
    std::vector<parameter> parameters_;
    std::vector<array> arrays_; // one for each parameter
    unsigned char returned_[8] = {};
};

} // namespace wf::tried
#endif
