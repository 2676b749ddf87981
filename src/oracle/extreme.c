#include "extreme.h"

#include <math.h>

static bool number_less(double a, double b) {
    return a < b || (a == b && signbit(a) && !signbit(b));
}

static bool float_wins(const extreme *of, double x) {
    return !of->any || (of->want_least ? number_less(x, of->found.number) : number_less(of->found.number, x));
}

void extreme_add_floats(extreme *of, const double *numbers, size_t count) {
    for (size_t i = 0; i < count; i++, of->count++) {
        double x = numbers[i];
        if (isnan(x)) {
            if (!of->any_nan)
                of->nan_index = of->count;
            of->any_nan = true;
        } else if (float_wins(of, x)) {
            of->any = true;
            of->found.number = x;
            of->index = of->count;
        }
    }
}

static bool integer_less(bool has_sign, uint64_t a, uint64_t b) {
    return has_sign ? (int64_t)a < (int64_t)b : a < b;
}

static bool integer_wins(const extreme *of, bool has_sign, uint64_t x) {
    return !of->any ||
           (of->want_least ? integer_less(has_sign, x, of->found.bits) : integer_less(has_sign, of->found.bits, x));
}

void extreme_add_integers(extreme *of, bool has_sign, const uint64_t *numbers, size_t count) {
    for (size_t i = 0; i < count; i++, of->count++) {
        uint64_t x = numbers[i];
        if (integer_wins(of, has_sign, x)) {
            of->any = true;
            of->found.bits = x;
            of->index = of->count;
        }
    }
}

static void append(extreme *of, const extreme *next, bool wins) {
    if (wins) {
        of->any = true;
        of->found = next->found;
        of->index = of->count + next->index;
    }
    if (next->any_nan && !of->any_nan)
        of->nan_index = of->count + next->nan_index;
    of->any_nan |= next->any_nan;
    of->count += next->count;
}

void extreme_merge_floats(extreme *of, const extreme *next) {
    append(of, next, next->any && float_wins(of, next->found.number));
}

void extreme_merge_integers(extreme *of, bool has_sign, const extreme *next) {
    append(of, next, next->any && integer_wins(of, has_sign, next->found.bits));
}
