// A trial of a learner's kernel: sums of several sizes, at one width, in three orders of the lanes.
#include "../emulator/findings.hpp"
#include "../emulator/machine.hpp"
#include "../watched/watched.hpp"
#include "answer.hpp"
#include "guarded_array.hpp"
#include "stop.hpp"
#include "touches.hpp"
#include "tried.hpp"

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

// ---- Sums -----------------------------------------------------------------------------------------------------------

class trial {
  public:
    trial(const kernel &what, unsigned wave_width, const host::schedule &order)
        : what_(what), machine_(wave_width, order, 1),
          tile_(find_tile_block(what.tile_size * sizeof(float))), // as a rung has it: a cell for each thread
          tile_bytes_(tile_.arrays.empty() ? what.tile_size * sizeof(float) : tile_.bytes) {
        machine_.name_kernel(what.name);
        device_.memory().let_wave_barriers_order(); // __syncwarp
    }

    void check(size_t n) {
        found.now.n = n;
        found.now.has_finding = false;
        guarded_array in = input(n);
        double expected = 0;
        for (size_t i = 0; i < n; i++)
            expected += double(in.data()[i]);
        const float got = what_.elements_per_tile == 0 ? added(in) : folded(std::move(in));
        found.checked++;
        const bool is_wrong = !(double(got) == expected);
        if (is_wrong && (!found.is_wrong || n < found.wrong.n)) {
            found.is_wrong = true;
            found.wrong = found.now;
            found.expected = expected;
            found.got = double(got);
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
    guarded_array input(size_t n) {
        guarded_array in(device_, "in", n, n); // an index that overflows stays in its room
        for (size_t i = 0; i < n; i++)
            in.data()[i] = element(i, n);
        in.is_written();
        return in;
    }

    // Often the number of a thread or of an element is taken for that of a sum.
    size_t room(const guarded_array &in, size_t tiles) const { return in.count() + tiles * what_.tile_size; }

    void launch(const guarded_array &in, const guarded_array &out, unsigned tiles) {
        const arrays of = {in.data(), in.count(), out.data(), out.count()};
        const host::watched::session session(device_);
        device_.forget_names();
        device_.name(in.name(), in.data(), in.count() * sizeof(float), sizeof(float));
        device_.name(out.name(), out.data(), out.count() * sizeof(float), sizeof(float));
        const auto call = machine_.wave_width() == 32 ? what_.narrow : what_.wide;
        const touching touches(in, out, tile_);
        launching now(machine_);
        machine_.launch(tiles, what_.tile_size, tile_bytes_, [&] {
            now.begins_lane(__builtin_frame_address(0));
            call(of);
        });
    }

    // Here: what reads it next, the next launch or the host, is not to blame.
    void find_unwritten(const guarded_array &out) {
        const void *const missing = device_.memory().first_unwritten(out.data(), out.count() * sizeof(float));
        if (missing == nullptr)
            return;
        const std::string element = std::to_string(size_t(out.offset(missing)) / sizeof(float));
        add_finding(found, found.kernel + ", tile " + element + ": nobody wrote element " + element +
                               " of 'out', where this tile's sum belongs");
    }

    float folded(guarded_array in) {
        for (;;) {
            const size_t tiles = (in.count() + what_.elements_per_tile - 1) / what_.elements_per_tile;
            guarded_array out(device_, "out", tiles, room(in, tiles));
            launch(in, out, unsigned(tiles));
            find_unwritten(out);
            if (tiles == 1)
                return out.data()[0];
            in = std::move(out);
            in.rename("in");
        }
    }

    float added(const guarded_array &in) {
        guarded_array out(device_, "out", 1, room(in, what_.tiles));
        out.data()[0] = 0;
        out.is_written();
        launch(in, out, what_.tiles);
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
