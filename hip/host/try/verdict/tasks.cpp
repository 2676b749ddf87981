// The names of the tasks, and what a function's name says of its task.
#include "tasks.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace wf::tried::verdict {

namespace {

constexpr struct {
    const char *name, *words; // as --task takes it; in a sentence
} named[tasks] = {{"sum", "sum"},
                  {"max", "maximum"},
                  {"min", "minimum"},
                  {"inclusive-sum", "inclusive prefix sum"},
                  {"exclusive-sum", "exclusive prefix sum"},
                  {"sort-ascending", "ascending sort"},
                  {"sort-descending", "descending sort"},
                  {"dot", "dot product"},
                  {"mean", "mean"},
                  {"sumsq", "sum of squares"},
                  {"norm", "L2 norm"},
                  {"argmax", "index of the maximum"},
                  {"argmin", "index of the minimum"},
                  {"histogram", "histogram"},
                  {"count", "count of a value"},
                  {"mse", "mean squared error"},
                  {"softmax", "softmax"}};

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

} // namespace

bool names_windows(const std::string &parameter) {
    const std::string all = lower(parameter);
    return all.find("window") != all.npos || all.find("stride") != all.npos || all.find("kernel_size") != all.npos;
}

const char *name_of(task what) {
    return named[size_t(what)].name;
}

const char *words_of(task what) {
    return named[size_t(what)].words;
}

std::optional<task> task_of(const std::string &name) {
    for (size_t t = 0; t < tasks; t++)
        if (name == named[t].name)
            return task(t);
    return {};
}

std::string names_of_tasks() {
    std::string names;
    for (const auto &each : named)
        names += (names.empty() ? "" : ", ") + std::string(each.name);
    return names;
}

std::vector<task> tasks_named_by(const std::vector<std::string> &names) {
    std::string all;
    for (const std::string &name : names)
        all += ' ' + lower(name);
    const auto has = [&](const char *word) { return all.find(word) != all.npos; };
    const auto has_one = [&](std::initializer_list<const char *> words) {
        return std::any_of(words.begin(), words.end(), has);
    };
    if (has_one({"subarray", "sub_array", "subarr", "segment", "window"}) || (has("merge") && !has("sort")))
        return {};
    if (has("argmax") || has("arg_max"))
        return {task::argmax};
    if (has("argmin") || has("arg_min"))
        return {task::argmin};
    if (has("hist"))
        return {task::histogram};
    if (has("exclusive") || has("prescan"))
        return {task::exclusive_sum};
    if (has("inclusive"))
        return {task::inclusive_sum};
    if (has("scan") || has("prefix") || has("cumsum"))
        return {task::inclusive_sum, task::exclusive_sum};
    if (has("descend"))
        return {task::sort_descending};
    if (has("sort"))
        return {task::sort_ascending, task::sort_descending};
    if (has("dot"))
        return {task::dot};
    if (has("softmax") || has("soft_max"))
        return has_one({"log", "attention", "grad", "entropy"}) ? std::vector<task>{}
                                                                : std::vector<task>{task::softmax};
    if (has("mse") || has("squared_error") || has("squarederror"))
        return {task::mse};
    if (has("error") || has("loss") || has("variance"))
        return {};
    if (has("norm"))
        return {task::norm};
    if (has("mean") || has("average") || has("avg"))
        return {task::mean};
    if (has("square") || has("sumsq"))
        return {task::sumsq};
    if (has("max"))
        return {task::max};
    if (has("min"))
        return {task::min};
    if (has("count")) // of one value
        return has_one({"less", "greater", "above", "below", "zero", "positive", "negative", "unique", "distinct"})
                   ? std::vector<task>{}
                   : std::vector<task>{task::count};
    if (has("sum") || has("reduc") || has("total") || has("add"))
        return {task::sum};
    return {};
}

} // namespace wf::tried::verdict
