#include "own_tolerance.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace wf::tried::verdict {

namespace {

std::string number(long double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.3Lg", x);
    return text;
}

// A loop on the CPU that adds one element after the other in the type.
long double looped(task what, const judged &of) {
    const element_type type = of.result.type();
    const summands terms{of, what};
    long double sum = 0;
    for (size_t i = 0; i < terms.size(); i++)
        sum = rounded_to(type, sum + rounded_to(type, terms[i]));
    return what == task::mean   ? rounded_to(type, sum / (long double)(of.n()))
           : what == task::norm ? rounded_to(type, std::sqrt(sum))
                                : sum;
}

bool has_word_of_check(std::string line) {
    std::transform(line.begin(), line.end(), line.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    for (const char *word : {"abs", "eps", "tol", "diff", "err", "close"})
        if (line.find(word) != line.npos)
            return true;
    return false;
}

bool is_compared(const std::string &line, size_t begin, size_t end) {
    while (begin > 0 && (line[begin - 1] == ' ' || line[begin - 1] == '='))
        begin--;
    while (end < line.size() && (std::isalpha(static_cast<unsigned char>(line[end])) || line[end] == ' '))
        end++;
    const auto is_sign = [](char c) { return c == '<' || c == '>'; };
    return (begin > 0 && is_sign(line[begin - 1])) || (end < line.size() && is_sign(line[end]));
}

void add_of_line(std::vector<double> &to, const std::string &line) {
    for (size_t i = 0; i < line.size(); i++) {
        const auto is_of_name = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
        };
        const bool begins = std::isdigit(static_cast<unsigned char>(line[i])) || line[i] == '.';
        if (!begins || (i > 0 && is_of_name(line[i - 1])))
            continue;
        char *end = nullptr;
        const double value = std::strtod(line.c_str() + i, &end);
        const auto after = size_t(end - line.c_str());
        if (after > i && value >= 0.999e-16 && value <= 1.001e-2 &&
            (has_word_of_check(line) || is_compared(line, i, after)) &&
            std::find(to.begin(), to.end(), value) == to.end())
            to.push_back(value);
        i = std::max(i, after);
    }
}

} // namespace

std::string about_tolerances(task what, const judged &of, const check &right, const std::vector<double> &tolerances) {
    const element_type type = of.result.type();
    if (!right.is_rounded || !adds(what) || right.expected == 0)
        return "";
    const long double error = std::fabs(right.got - right.expected), magnitude = std::fabs(right.expected);
    const long double ulp = ulp_of(type, right.expected), loop = std::fabs(looped(what, of) - right.expected);
    const char *const name = facts_of(type).name;
    for (const double tolerance : tolerances) {
        const long double absolute = tolerance, relative = absolute * magnitude;
        const std::string head = "your check's tolerance of " + number(tolerance) + " is too tight";
        if (error > relative)
            return head + ": this right result is off by " + number(error) + ", relatively " +
                   number(error / magnitude);
        if (loop > relative && loop > error)
            return head + " if it compares with a loop in " + name + ": the loop itself is off by " +
                   number(loop / ulp) + " ulps, this result by " + number(error / ulp) +
                   "; compare with a sum in double";
        if (error > absolute)
            return head + " if it is absolute: this right result is off by " + number(error) + ", and one ulp of " +
                   name + " is " + number(ulp) + " there; divide by the sum's magnitude";
        if (ulp > absolute)
            return head + " if it is absolute: one ulp of " + name + " is " + number(ulp) + " at this result";
    }
    return "";
}

std::vector<double> tolerances_in(const std::string &source) {
    std::vector<double> found;
    std::string line;
    bool in_comment = false;
    for (size_t i = 0; i <= source.size(); i++) {
        const char c = i < source.size() ? source[i] : '\n', next = i + 1 < source.size() ? source[i + 1] : '\n';
        if (in_comment) {
            in_comment = !(c == '*' && next == '/');
            i += !in_comment;
        } else if (c == '/' && next == '*') {
            in_comment = true;
            i++;
        } else if (c == '\n' || (c == '/' && next == '/')) {
            add_of_line(found, line);
            line.clear();
            while (i < source.size() && source[i] != '\n')
                i++;
        } else {
            line += c;
        }
    }
    return found;
}

} // namespace wf::tried::verdict
