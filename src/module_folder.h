/* The folder in which backends' modules are installed. */
#ifndef WAVEFOLD_MODULE_FOLDER_H
#define WAVEFOLD_MODULE_FOLDER_H

extern const char *const wf_module_folder;

#endif
