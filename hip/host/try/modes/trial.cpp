// A trial of a learner's kernel: sums of several sizes, at one width, in three orders of the lanes.
#include "../../emulator/findings.hpp"
#include "../../emulator/machine.hpp"
#include "../../watched/watched.hpp"
#include "../answer.hpp"
#include "../memory/device_arrays.hpp"
#include "../memory/touches.hpp"
#include "../stop.hpp"
#include "../tried.hpp"
#include "../words/dimensions.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace wf::tried {

namespace {

constexpr size_t counted_n = size_t(1) << 16;

answer found;

// ---- What is summed -------------------------------------------------------------------------------------------------

// Small multiples of 1/2 of both signs, none of them 0; a sum in integers loses the halves. Magnitudes add up to 2^23
// at most, so that f32 holds every partial sum exactly, in whatever order: the more elements, the smaller they are.
// Those of up to 4096 elements are all different.
float element(size_t i, size_t n) {
    const size_t different = n <= 4096 ? 4096 : std::min(size_t(255), (size_t(1) << 25) / n - 1);
    const float magnitude = 0.5f * float(i % different + 1);
    const uint64_t bits = (i + 1) * 0x9e3779b97f4a7c15u;
    return (bits >> 61) % 3 == 0 ? -magnitude : magnitude;
}

// Of a result that is the sum of the first elements alone: of whole tiles, or of a number that no other fits.
std::string prefix_hint(size_t n, double got, size_t tile_size) {
    if (got == 0)
        return "no element was added";
    double sum = 0;
    size_t found_at = 0, fits = 0;
    for (size_t i = 1; i < n; i++) {
        sum += double(element(i - 1, n));
        if (sum != got)
            continue;
        fits = i % tile_size == 0 ? 1 : fits + 1;
        found_at = i;
        if (i % tile_size == 0)
            break;
    }
    const std::string first = std::to_string(found_at);
    return fits != 1
               ? ""
               : "that is the sum of the first " + first + " elements: elements " + first + " and on were never added";
}

std::vector<size_t> sizes(const kernel &what, unsigned wave_width) {
    std::vector<size_t> n = {1, wave_width - 1, wave_width + 1, what.tile_size + 1u, 4099};
    if (what.tile_size > 2)
        n.push_back(what.tile_size - 1u);
    if (what.elements_per_tile != 0)
        n.insert(n.end(), {what.elements_per_tile, what.elements_per_tile + 1, 2 * what.elements_per_tile});
    std::sort(n.begin(), n.end());
    n.erase(std::unique(n.begin(), n.end()), n.end());
    return n;
}

// An array of floats of a sum.
class sum_array {
  public:
    sum_array(const char *name, size_t count)
        : data_(static_cast<float *>(allocate_array(name, count * sizeof(float), memory_kind::device, sizeof(float)))),
          count_(count) {
        if (data_ == nullptr)
            throw std::bad_alloc();
    }
    ~sum_array() {
        if (data_ != nullptr)
            release_array(data_);
    }
    sum_array(sum_array &&other) noexcept : data_(std::exchange(other.data_, nullptr)), count_(other.count_) {}
    sum_array &operator=(sum_array &&other) noexcept {
        std::swap(data_, other.data_);
        std::swap(count_, other.count_);
        return *this;
    }

    float *data() const { return data_; }
    size_t count() const { return count_; }
    size_t bytes() const { return count_ * sizeof(float); }
    // From now on a kernel's input.
    void becomes_input() const {
        array_of(data_)->name = "in";
        array_of(data_)->is_input = true;
    }

  private:
    float *data_;
    size_t count_;
};

// ---- Sums -----------------------------------------------------------------------------------------------------------

class trial {
  public:
    trial(const kernel &what, unsigned wave_width, const host::schedule &order)
        : what_(what), machine_(wave_width, order, 1),
          tile_(find_tile_block(what.tile_size * sizeof(float))), // as a rung has it: a cell for each thread
          tile_bytes_(tile_.arrays.empty() ? what.tile_size * sizeof(float) : tile_.bytes) {
        machine_.name_kernel(what.name);
        use_device(device_);
        if (wave_width == 32) // as NVIDIA's GPUs since Volta
            machine_.let_returned_lanes_arrive();
    }

    void check(size_t n) {
        found.now.n = n;
        found.now.has_finding = false;
        const open_memory open;
        sum_array in = input(n);
        double expected = 0;
        for (size_t i = 0; i < n; i++)
            expected += double(in.data()[i]);
        const float got = what_.adds ? added(in) : folded(std::move(in));
        found.checked++;
        const bool is_wrong = !(double(got) == expected);
        if (is_wrong && (!found.is_wrong || n < found.wrong.n)) {
            found.is_wrong = true;
            found.wrong = found.now;
            found.expected = expected;
            found.got = double(got);
            found.hint = prefix_hint(n, double(got), what_.tile_size);
        }
    }

    // The counts are valid as long as the trial.
    void count(size_t n) {
        device_.start(false);
        check(n);
        found.counted = device_.all();
        found.counted_n = n;
    }

  private:
    static sum_array input(size_t n) {
        sum_array in("in", n);
        for (size_t i = 0; i < n; i++)
            in.data()[i] = element(i, n);
        mark_written(in.data(), in.bytes());
        in.becomes_input();
        return in;
    }

    void launch(const sum_array &in, const sum_array &out, unsigned tiles) {
        const arrays of = {in.data(), in.count(), out.data(), out.count()};
        const host::watched::session session(device_);
        const auto call = machine_.wave_width() == 32 ? what_.narrow : what_.wide;
        const touching touches(tile_);
        launching now(machine_);
        set_launch_shape(tiles, what_.tile_size);
        machine_.launch(tiles, what_.tile_size, tile_bytes_, [&] {
            enter_lane();
            now.begins_lane(__builtin_frame_address(0));
            call(of);
            check_late_load();
        });
    }

    // Here: what reads it next, the next launch or the host, is not to blame.
    void find_unwritten(const sum_array &out) {
        const void *const missing = first_unwritten(out.data(), out.bytes());
        if (missing == nullptr)
            return;
        const std::string element = std::to_string(static_cast<const float *>(missing) - out.data());
        add_finding(found, found.kernel + ", tile " + element + ": nobody wrote element " + element +
                               " of 'out', where this tile's sum belongs");
    }

    size_t tiles_of(size_t elements) const {
        return (elements + what_.elements_per_tile - 1) / what_.elements_per_tile;
    }

    float folded(sum_array in) {
        for (;;) {
            const size_t tiles = tiles_of(in.count());
            sum_array out("out", tiles);
            launch(in, out, unsigned(tiles));
            find_unwritten(out);
            if (tiles == 1)
                return out.data()[0];
            in = std::move(out);
            in.becomes_input();
        }
    }

    float added(const sum_array &in) {
        sum_array out("out", 1);
        out.data()[0] = 0;
        mark_written(out.data(), out.bytes());
        launch(in, out, what_.tiles != 0 ? what_.tiles : unsigned(tiles_of(in.count())));
        return out.data()[0];
    }

    const kernel &what_;
    host::machine machine_;
    host::watched device_;
    tile_block tile_;
    size_t tile_bytes_;
};

void try_all(const kernel &what, unsigned wave_width) {
    static const std::pair<const char *, host::schedule> schedules[] = {
        {"forward", {}}, {"reverse", {host::order::reverse, 0}}, {"random", {host::order::random, 1}}};
    for (const auto &[name, order] : schedules) {
        // Never destroyed: the answer points to what the first one counted, and a kernel that broke a rule may have
        // left lanes behind.
        trial &one = *new trial(what, wave_width, order);
        found.now.schedule = name;
        for (const size_t n : sizes(what, wave_width))
            one.check(n);
        if (order.lanes == host::order::forward)
            one.count(counted_n);
        else
            one.check(counted_n);
    }
}

// A name with a comma in it stands in parentheses, for the macro.
std::string name_of(const kernel &what) {
    const std::string name = what.name;
    return name.front() == '(' && name.back() == ')' ? name.substr(1, name.size() - 2) : name;
}

} // namespace

int run(const kernel &given, int argument_count, char **arguments) {
    if (argument_count != 3) {
        std::fprintf(stderr, "this is a part of wavefold try\n");
        return 2;
    }
    static const std::string name = name_of(given); // as long as a kernel that was left behind
    kernel what = given;
    what.name = name.c_str();
    const unsigned wave_width = unsigned(std::atoi(arguments[1]));
    begin_answer(found, unsigned(std::atoi(arguments[2])));
    found.kernel = what.name;
    found.wave_width = wave_width;
    found.tile_size = what.tile_size;
    found.elements_per_tile = what.elements_per_tile;
    found.tiles = what.tiles;
    found.adds = what.adds;
    try {
        try_all(what, wave_width);
    } catch (const std::bad_alloc &) {
        stop("it touched memory so often that to count it took more than 2 GiB" + host::watch::place() +
             ": is there a loop that does not end?");
    } catch (const std::exception &error) {
        stop(std::string("the host device failed: ") + error.what());
    }
    end_answer();
}

} // namespace wf::tried
