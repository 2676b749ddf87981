// Recognises the task of several experiments, and judges them.
#include "own_tolerance.hpp"
#include "tasks.hpp"
#include "wrong_results.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <utility>

namespace wf::tried::verdict {

struct judge::data {
    options what;
    std::vector<judged> experiments;
};

namespace {

using checks = std::vector<check>; // of one task, one for each experiment

// Remarks that other tasks' results make as well.
bool is_weak(const remark &of) {
    static const char *const weak[] = {"max",      "sum",     "min",       "other extreme", "other order", "other kind",
                                       "left out", "from",    "order",     "bins",          "more",        "lost",
                                       "value",    "outside", "unwritten", "overflow",      "total"};
    return std::any_of(std::begin(weak), std::end(weak),
                       [&](const char *kind) { return std::strcmp(kind, of.kind) == 0; });
}

std::string digits(double x) {
    char text[32];
    std::snprintf(text, sizeof text, x < 10 ? "%.2g" : "%.0f", x);
    return text;
}

class trial_of_tasks {
  public:
    trial_of_tasks(const options &what, const std::vector<judged> &experiments, std::optional<task> forced)
        : options_(what), experiments_(experiments) {
        for (size_t t = 0; t < tasks; t++)
            if (!forced || task(t) == *forced)
                for (const judged &each : experiments)
                    of_[t].push_back(check_of(task(t), each, what));
    }

    std::optional<conclusion> conclude_right(task what) {
        return fits_all(of_[size_t(what)]) ? std::optional(right(what, {})) : std::nullopt;
    }

    conclusion conclude(std::optional<task> forced) {
        std::vector<task> fitting;
        for (size_t t = 0; t < tasks; t++)
            if (fits_all(of_[t]) && (forced || is_evident(task(t))))
                fitting.push_back(task(t));
        if (!fitting.empty()) {
            const task what = simplest(fitting);
            std::erase(fitting, what);
            return right(what, fitting);
        }
        const std::optional<task> what = forced ? applies(of_[size_t(*forced)]) ? forced : std::nullopt : likeliest();
        return what ? wrong(*what) : unknown(forced);
    }

  private:
    static bool fits_all(const checks &of) {
        return !of.empty() &&
               std::all_of(of.begin(), of.end(), [](const check &each) { return each.applies && each.fits; });
    }
    static bool applies(const checks &of) {
        return std::any_of(of.begin(), of.end(), [](const check &each) { return each.applies; });
    }

    // ---- Recognition ----

    // The first number of an array that was to be sorted in place is its minimum after one step.
    bool is_evident(task what) const {
        const bool is_one = std::all_of(experiments_.begin(), experiments_.end(),
                                        [](const judged &each) { return each.result.size() == 1; });
        if (is_array_task(what) || is_one)
            return true;
        const std::vector<task> named = tasks_named_by(names());
        const bool is_extreme = what == task::max || what == task::min || what == task::argmax || what == task::argmin;
        return is_extreme ? std::find(named.begin(), named.end(), what) != named.end()
                          : named.empty() || !std::all_of(named.begin(), named.end(), is_array_task);
    }

    // Of a function with a number that the task does not have, small numbers fit by chance.
    bool has_other_numbers(task what) const {
        const size_t own = what == task::count || what == task::histogram;
        return std::any_of(experiments_.begin(), experiments_.end(),
                           [=](const judged &each) { return each.scalars.size() > own || each.floats > 0; });
    }

    task simplest(const std::vector<task> &fitting) const {
        for (const task what : fitting) // a whole array that fits is no coincidence
            for (size_t e = 0; e < experiments_.size(); e++)
                if (is_array_task(what) && experiments_[e].result.size() > 1 && experiments_[e].n() > 1)
                    return what;
        for (const task named : tasks_named_by(options_.names))
            if (std::find(fitting.begin(), fitting.end(), named) != fitting.end())
                return named;
        return fitting.front();
    }

    // An experiment tells tasks apart if some do not fit it.
    bool is_telling(size_t e) const {
        return std::any_of(of_, of_ + tasks,
                           [&](const checks &of) { return !of.empty() && of[e].applies && !of[e].fits; });
    }

    // Of a function with other arrays than the task's, or with floating arguments, a name says little.
    bool has_arrays_of(task what) const {
        const size_t inputs = has_two_arrays(what) ? 2 : 1;
        return std::all_of(experiments_.begin(), experiments_.end(), [&](const judged &each) {
            return each.floats == 0 &&
                   (each.inputs.size() == inputs || (has_two_arrays(what) && each.inputs.size() > inputs));
        });
    }

    // Of a matrix, several numbers are results of its rows or columns. Of an array they may be partial ones.
    bool has_result_of(task what) const {
        const bool is_matrix =
            std::any_of(experiments_.begin(), experiments_.end(), [](const judged &each) { return each.row > 1; });
        const auto ones = std::count_if(experiments_.begin(), experiments_.end(),
                                        [](const judged &each) { return each.result.size() == 1 || each.n() <= 1; });
        return is_array_task(what) || !is_matrix || 2 * size_t(ones) >= experiments_.size();
    }

    std::vector<std::string> names() const {
        std::vector<std::string> all = options_.names;
        if (!experiments_.empty())
            all.push_back(experiments_.front().result.name());
        return all;
    }

    bool is_named(task what) const {
        const std::vector<task> named = tasks_named_by(names());
        return has_arrays_of(what) && std::find(named.begin(), named.end(), what) != named.end();
    }

    // One remark explains most wrong results of several elements. Of an array a quarter must be right.
    static constexpr size_t few = 8; // elements, which may be right by chance
    bool is_explained(task what) const {
        const checks &of = of_[size_t(what)];
        std::map<std::pair<std::string, size_t>, size_t> votes;
        size_t wrong = 0, most = 0;
        for (size_t e = 0; e < of.size() && wrong < most_explained; e++) {
            if (!of[e].applies || of[e].fits || experiments_[e].n() <= 1)
                continue;
            wrong++;
            if (is_array_task(what) && (of[e].agreement < 0.25 || experiments_[e].n() < few))
                continue;
            for (const remark &each : remarks_on(what, experiments_[e], of[e], options_))
                if (!is_weak(each))
                    most = std::max(most, ++votes[{each.kind, each.parameter}]);
        }
        return 2 * most > wrong;
    }

    // A task that names say, that results of several elements fit more than by chance, or whose usual faults explain
    // the results. At least half of the experiments must have its arrays.
    bool may_be(task what) const {
        if (!has_result_of(what) || (!is_array_task(what) && has_other_numbers(what) && !is_named(what)))
            return false;
        const checks &of = of_[size_t(what)];
        size_t applied = 0;
        std::set<size_t> fitting; // numbers of elements
        for (size_t e = 0; e < of.size(); e++) {
            applied += of[e].applies;
            const bool is_near = is_array_task(what) && of[e].agreement >= 0.5 && experiments_[e].n() >= few;
            if (of[e].applies && (is_near || (of[e].fits && is_telling(e))) && experiments_[e].n() > 1)
                fitting.insert(experiments_[e].n());
        }
        const size_t least = has_arrays_of(what) ? 3 : std::max(size_t(3), of.size() / 4); // sizes
        return applied > 0 && 2 * applied >= of.size() &&
               (is_named(what) || fitting.size() >= least || is_explained(what));
    }

    double score(task what) const {
        const checks &of = of_[size_t(what)];
        double score = 0;
        size_t remarked = 0;
        for (size_t e = 0; e < of.size(); e++) {
            if (!of[e].applies)
                continue;
            if (of[e].fits) {
                score += is_telling(e) ? 1 : 0.1;
                continue;
            }
            if (is_array_task(what) && of[e].agreement >= 0.5)
                score += of[e].agreement / 2;
            if (remarked++ < most_explained) {
                const std::vector<remark> remarks = remarks_on(what, experiments_[e], of[e], options_);
                if (!remarks.empty() && !is_weak(remarks.front()))
                    score += 0.8;
            }
        }
        if (is_named(what))
            score += 1 + 0.75 * double(of.size());
        return score;
    }

    std::optional<task> likeliest() const {
        std::optional<task> best;
        double most = 0.99; // less is no evidence
        for (size_t t = 0; t < tasks; t++) {
            const double now =
                may_be(task(t)) && !fits_all(of_[t]) ? score(task(t)) : 0; // those that fit are not evident
            if (now > most) {
                most = now;
                best = task(t);
            }
        }
        return best;
    }

    // ---- Verdicts ----

    void show(conclusion &made, task what, size_t e) const {
        const check &of = of_[size_t(what)][e];
        const elements &result = experiments_[e].result;
        made.experiment = e;
        made.n = experiments_[e].n();
        made.index = of.index;
        made.expected_number = double(of.expected);
        made.got_number = double(of.got);
        const bool is_whole =
            what == task::argmax || what == task::argmin || what == task::histogram || what == task::count;
        made.expected = text_of(is_whole ? element_type::u64 : result.type(), of.expected);
        made.got = is_array_task(what) && of.index >= result.size() ? "unwritten" : text_of(result.type(), of.got);
    }

    void show_rounding(conclusion &made, task what) const {
        const checks &of = of_[size_t(what)];
        const check *worst = nullptr;
        for (const check &each : of)
            if (each.is_rounded && (worst == nullptr || each.ulps > worst->ulps))
                worst = &each;
        if (worst == nullptr)
            return;
        made.is_rounded = true;
        made.ulps = worst->ulps;
        made.bound_ulps = worst->bound_ulps;
        made.depth_ulps = worst->depth_ulps;
    }

    conclusion right(task what, const std::vector<task> &also) const {
        const checks &of = of_[size_t(what)];
        conclusion made;
        made.is = outcome::right;
        made.what = what;
        made.also = also;
        size_t shown = 0;
        for (size_t e = 1; e < of.size(); e++)
            if (std::pair(of[e].ulps, experiments_[e].n()) > std::pair(of[shown].ulps, experiments_[shown].n()))
                shown = e;
        show(made, what, shown);
        show_rounding(made, what);
        made.sentence = std::string("right: the ") + words_of(what);
        if (made.is_rounded) {
            made.sentence += ", off by at most " + digits(made.ulps) + (made.ulps == 1 ? " ulp" : " ulps") +
                             " with random data (any order of additions: " + digits(made.bound_ulps);
            if (made.depth_ulps >= 0)
                made.sentence += "; its own: " + digits(made.depth_ulps);
            made.sentence += ")";
        }
        for (const check &each : of)
            add_note(made, each.note);
        for (size_t e = of.size(); e-- > 0 && !options_.tolerances.empty();) {
            const std::string about = about_tolerances(what, experiments_[e], of[e], options_.tolerances);
            add_note(made, about);
            if (!about.empty())
                break;
        }
        return made;
    }

    static void add_note(conclusion &to, const std::string &note) {
        if (!note.empty() && std::find(to.notes.begin(), to.notes.end(), note) == to.notes.end() && to.notes.size() < 4)
            to.notes.push_back(note);
    }

    // The remark that explains the most experiments, in the smallest of these.
    struct explained {
        size_t experiment = 0;
        std::string text;
    };

    explained explain(task what, const std::vector<size_t> &failed) const {
        std::map<std::pair<std::string, size_t>, std::pair<size_t, explained>> votes;
        std::pair<size_t, explained> best = {0, {failed.front(), ""}};
        for (size_t f = 0; f < failed.size() && f < most_explained; f++) {
            const size_t e = failed[f];
            for (const remark &each : remarks_on(what, experiments_[e], of_[size_t(what)][e], options_)) {
                auto &[count, first] = votes[{each.kind, each.parameter}];
                if (count++ == 0)
                    first = {e, each.text};
                if (count > best.first)
                    best = {count, first};
            }
        }
        return best.second;
    }

    conclusion wrong(task what) const {
        const checks &of = of_[size_t(what)];
        std::vector<size_t> failed;
        for (size_t e = 0; e < of.size(); e++)
            if (!of[e].applies || !of[e].fits)
                failed.push_back(e);
        std::sort(failed.begin(), failed.end(), [&](size_t a, size_t b) {
            return std::pair(experiments_[a].n(), a) < std::pair(experiments_[b].n(), b);
        });
        std::vector<size_t> judged_ones = failed;
        std::erase_if(judged_ones, [&](size_t e) { return !of[e].applies; });
        conclusion made;
        made.is = outcome::wrong;
        made.what = what;
        const explained why = judged_ones.empty() ? explained{failed.front(), ""} : explain(what, judged_ones);
        show(made, what, why.experiment);
        show_rounding(made, what);
        made.hint = why.text;
        const check &shown = of[why.experiment];
        const std::string at = "wrong: at n = " + std::to_string(made.n);
        const std::string part = is_array_task(what) ? " element " + std::to_string(made.index) + " of the " : " the ";
        made.sentence = !shown.applies ? at + " the result is no " + words_of(what)
                                       : at + part + words_of(what) + " is " + made.expected + ", not " + made.got;
        if (shown.is_rounded && std::isfinite(shown.ulps) && shown.ulps < 1e6)
            made.sentence += ", which is off by " + digits(shown.ulps) +
                             " ulps (any order of additions: " + digits(shown.bound_ulps) + ")";
        if (!made.hint.empty())
            made.sentence += ": " + made.hint;
        return made;
    }

    conclusion unknown(std::optional<task> forced) const {
        conclusion made;
        if (!experiments_.empty())
            made.n = experiments_.back().n();
        if (forced) {
            made.what = *forced;
            made.sentence = std::string("not judged: the arrays are none of ") + words_of(*forced);
            return made;
        }
        made.sentence =
            "not judged: the result is that of none of the tasks " + names_of_tasks() + "; name one with --task";
        return made;
    }

    static constexpr size_t most_explained = 8; // experiments

    const options &options_;
    const std::vector<judged> &experiments_;
    checks of_[tasks];
};

} // namespace

judge::judge(options what) : data_(new data{std::move(what), {}}) {}
judge::judge(judge &&other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
judge &judge::operator=(judge &&other) noexcept {
    std::swap(data_, other.data_);
    return *this;
}
judge::~judge() {
    delete data_;
}

void judge::add(const experiment &of) {
    judged kept;
    for (const numbers &each : of.inputs)
        kept.inputs.emplace_back(each);
    kept.result = elements(of.result);
    kept.scalars = of.scalars;
    kept.floats = of.floats;
    kept.is_in_place = of.is_in_place;
    kept.row = of.row;
    kept.depth = of.depth;
    kept.read = of.read;
    kept.label = of.label;
    data_->experiments.push_back(std::move(kept));
}

void judge::set_block_size(unsigned threads) {
    data_->what.block_size = threads;
}

void judge::add_name(const std::string &name) {
    data_->what.names.push_back(name);
}

size_t judge::count() const {
    return data_->experiments.size();
}

conclusion judge::conclude(std::optional<task> forced) const {
    return trial_of_tasks(data_->what, data_->experiments, forced).conclude(forced);
}

std::optional<conclusion> judge::recognise(results of) const {
    const judged &first = data_->experiments.front();
    const auto is_possible = [&](task what, bool is_array) {
        return is_array_task(what) == is_array && has_two_arrays(what) == (first.inputs.size() == 2) &&
               may_fit(what, first);
    };
    for (const bool is_array : {true, false}) { // the first element of a sorted array is its minimum, too
        if (is_array ? first.result.size() < 2 : of == results::arrays)
            continue;
        for (size_t t = 0; t < tasks; t++) {
            if (!is_possible(task(t), is_array))
                continue;
            std::optional<conclusion> made =
                trial_of_tasks(data_->what, data_->experiments, task(t)).conclude_right(task(t));
            if (made)
                return made;
        }
    }
    return std::nullopt;
}

} // namespace wf::tried::verdict
