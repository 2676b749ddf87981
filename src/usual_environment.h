/* The processor's modes of floats as every program starts with them, whatever the caller has set. */
#ifndef WAVEFOLD_USUAL_ENVIRONMENT_H
#define WAVEFOLD_USUAL_ENVIRONMENT_H

#include <fenv.h>

/* Rounding to nearest, subnormals that count, and no traps. What has been set is to be given to fesetenv. Between the
 * two no arithmetic may be inlined: compilers do not know that it depends on them. */
static inline fenv_t wf_enter_usual_environment(void) {
    fenv_t before;
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
    return before;
}

#endif
