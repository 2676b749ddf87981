/* The default floating-point environment: the processor's modes at the start of a program. */
#ifndef WAVEFOLD_DEFAULT_ENVIRONMENT_H
#define WAVEFOLD_DEFAULT_ENVIRONMENT_H

#include <fenv.h>

/* Sets rounding to nearest, no flushing of subnormals and no traps. Returns the caller's environment for fesetenv.
 * Arithmetic between the two calls must not be inlined: compilers assume that it does not depend on the environment. */
static inline fenv_t wf_enter_default_environment(void) {
    fenv_t before;
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
    return before;
}

#endif
