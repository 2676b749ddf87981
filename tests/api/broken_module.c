/* A module of another version (ABI_OTHER defined), or a library that is no module at all. */
#include "backend.h"

#if defined(ABI_OTHER)
WF_API const wf_backend *wavefold_backend(void);
const wf_backend *wavefold_backend(void) {
    static const wf_backend backend = {.abi = 4000000000u};
    return &backend;
}
#else
WF_API int no_module(void);
int no_module(void) {
    return 0;
}
#endif
