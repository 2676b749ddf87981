// The trial of a user's solve(): calls with several sizes and data, in three orders of the lanes, and their verdict.
#define WF_TRY_LIBRARY
#include "function.hpp"

#include "../launch.hpp"
#include "../stop.hpp"
#include "../user_device.hpp"
#include "function_run.hpp"
#include "pace.hpp"
#include "schedules.hpp"
#include "wanted_task.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>
#include <sstream>

namespace wf::tried {

namespace {

// Functions whose second level has one tile of 256 or 512 sums end at 65536 or 262144 elements.
constexpr size_t largest = 70001, beyond = 300007; // beyond: for quick functions, in one order

struct trial_size {
    size_t n;
    made_data data;
    bool is_spare = false; // if the function is slow
};

// Around waves, tiles of the usual sizes and powers of two; they ascend.
std::vector<trial_size> sizes(unsigned wave_width, bool is_first_order) {
    std::vector<trial_size> all;
    for (const size_t n : {size_t(1), size_t(2), wave_width - size_t(1), size_t(wave_width), wave_width + size_t(1),
                           size_t(255), size_t(256), size_t(257), size_t(1000)})
        all.push_back({n, made_data::exact, n != 1 && n != wave_width + size_t(1) && n != 257});
    all.push_back({1000, made_data::negative});
    for (const size_t n : {size_t(1023), size_t(1025), size_t(4099), size_t(10007)})
        all.push_back({n, made_data::exact, n == 1023 || n == 4099});
    all.push_back({10007, made_data::random});
    all.push_back({largest, is_first_order ? made_data::random : made_data::exact});
    if (is_first_order)
        all.push_back({beyond, made_data::exact});
    return all;
}

std::string source_of(const char *path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class trial {
  public:
    trial(const erased_function &what, answer &given) : plan_(what), answer_(given), judge_(options_of(what)) {}

    std::string problem() const { return plan_.problem(); }

    void run_all(unsigned wave_width, unsigned seconds) {
        allow_checks(uint64_t(1) << 24);               // of many calls with few elements
        constexpr double share = 0.8 / schedule_count; // of the time, for each order
        size_t most = largest;
        for (const named_schedule &order : schedules) {
            use_machine(wave_width, order.order);
            answer_.now.schedule = order.name;
            pace time(share * seconds);
            for (const trial_size &each : sizes(wave_width, order.order.lanes == host::order::forward)) {
                if ((each.is_spare && time.is_slow()) || (each.n == beyond && !time.is_quick(beyond)))
                    continue;
                if (!time.allows(each.n)) {
                    most = std::min(most, each.n - 1);
                    break;
                }
                time.measure(each.n, [&] { run(each.n, each.data); });
            }
        }
        answer_.now = {};
        if (most < largest)
            add_note(answer_,
                     "arrays of more than " + std::to_string(most) +
                         " elements were not tried with all orders of the lanes: they take too long (--seconds)");
        judge_.set_block_size(answer_.tile_size);
        judge_.add_name(answer_.kernel);
        answer_.judged = judge_.conclude(wanted_task());
    }

  private:
    static verdict::options options_of(const erased_function &what) {
        verdict::options of;
        of.names.push_back(what.info.name);
        std::istringstream parameters(what.info.parameters);
        for (std::string name; std::getline(parameters, name, ',');)
            if (verdict::names_windows(name))
                of.names.push_back("window");
        const std::string name = what.info.name; // an exercise's, whose result is one number
        of.allows_parts = name != "solve" && name != "solution";
        of.tolerances = verdict::tolerances_in(source_of(what.info.file));
        return of;
    }

    void run(size_t n, made_data data) {
        verdict::experiment done;
        answer_.now.n = n;
        answer_.now.has_finding = false;
        if (!plan_.run(n, data, done))
            stop("there is no memory for arrays of " + std::to_string(n) + " elements");
        done.label = std::string("lanes ") + answer_.now.schedule;
        answer_.checked++;
        judge_.add(done);
    }

    function_plan plan_;
    answer &answer_;
    verdict::judge judge_;
};

} // namespace

int try_function(const erased_function &what, int argument_count, char **arguments) {
    if (argument_count != 3) {
        std::fprintf(stderr, "this is a part of wavefold try\n");
        return 2;
    }
    // Never destroyed: a kernel that broke a rule may have left lanes behind.
    answer &given = *new answer;
    const unsigned wave_width = unsigned(std::atoi(arguments[1]));
    given.mode = "function";
    given.wave_width = wave_width;
    given.function = what.info.name;
    begin_answer(given, unsigned(std::atoi(arguments[2])));
    trial &all = *new trial(what, given);
    if (!all.problem().empty())
        stop(given.function + "() cannot be called: " + all.problem());
    try {
        all.run_all(wave_width, unsigned(std::atoi(arguments[2])));
    } catch (const std::bad_alloc &) {
        stop("it touched memory so often that to count it took more than 2 GiB: is there a loop that does not end?");
    } catch (const std::exception &error) {
        stop(std::string("the host device failed: ") + error.what());
    }
    given.launches = launches().all;
    given.sampled_launches = launches().sampled;
    end_answer();
}

} // namespace wf::tried
