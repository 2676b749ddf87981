/* The processor's modes of floats as every program starts with them, whatever the caller has set. */
#ifndef WAVEFOLD_DEFAULT_ENVIRONMENT_H
#define WAVEFOLD_DEFAULT_ENVIRONMENT_H

#include <fenv.h>

/* Sets rounding to nearest, subnormals kept, and no traps; returns the caller's environment for fesetenv. No arithmetic
 * between the two may be inlined: compilers do not know that it depends on the environment. */
static inline fenv_t wf_enter_default_environment(void) {
    fenv_t before;
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
    return before;
}

#endif
