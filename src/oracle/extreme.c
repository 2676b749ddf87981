#include "extreme.h"

#include <math.h>

static bool number_less(double a, double b) {
    return a < b || (a == b && signbit(a) && !signbit(b));
}

void extreme_add_floats(extreme *of, const double *numbers, size_t count) {
    for (size_t i = 0; i < count; ++i, ++of->count) {
        double x = numbers[i];
        if (isnan(x)) {
            if (!of->any_nan)
                of->nan_index = of->count;
            of->any_nan = true;
        } else if (!of->any || (of->want_least ? number_less(x, of->found.number) : number_less(of->found.number, x))) {
            of->any = true;
            of->found.number = x;
            of->index = of->count;
        }
    }
}

static bool integer_less(bool has_sign, uint64_t a, uint64_t b) {
    return has_sign ? (int64_t)a < (int64_t)b : a < b;
}

void extreme_add_integers(extreme *of, bool has_sign, const uint64_t *numbers, size_t count) {
    for (size_t i = 0; i < count; ++i, ++of->count) {
        uint64_t x = numbers[i];
        if (!of->any ||
            (of->want_least ? integer_less(has_sign, x, of->found.bits) : integer_less(has_sign, of->found.bits, x))) {
            of->any = true;
            of->found.bits = x;
            of->index = of->count;
        }
    }
}
