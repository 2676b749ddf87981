/* Where backends' modules are installed: the static library looks there. */
#ifndef WAVEFOLD_MODULE_FOLDER_H
#define WAVEFOLD_MODULE_FOLDER_H

extern const char *const wf_module_folder;

#endif
