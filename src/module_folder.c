/* Apart from backends.c, because `cmake --install` compiles this file again for the prefix that it is given. */
#include "module_folder.h"

const char *const wf_module_folder = WF_MODULE_FOLDER;
