/* A file of its own, because `cmake --install` compiles it again for the install prefix. */
#include "module_folder.h"

const char *const wf_module_folder = WF_MODULE_FOLDER;
