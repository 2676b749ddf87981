/* Names of devices, against a module with a dozen of them (many_devices.cpp). */
#define _GNU_SOURCE
#include "fuzz_input.h"
#include "wavefold.h"

#include <libgen.h>
#include <unistd.h>

/* The module lies in a folder beside this program. */
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    char program[4096], folder[4096 + 32];
    (void)argc;
    (void)argv;
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    must(length > 0);
    program[length] = '\0';
    snprintf(folder, sizeof folder, "%s/modules", dirname(program));
    must(setenv("WAVEFOLD_BACKEND_PATH", folder, 1) == 0);
    must(wf_device_count() == 12);
    return 0;
}

/* A name of a device is its id, or that with a setting; "host" is the first one. */
static void check_opened(wf_context *context, const char *name) {
    wf_device_info info;
    must(wf_context_get_device(context, &info) == WF_OK);
    const size_t length = strlen(info.id);
    const bool is_first = strcmp(info.id, "host:0") == 0;
    const bool has_id = strncmp(name, info.id, length) == 0 && (name[length] == '\0' || name[length] == ':');
    must(has_id || (is_first && (strcmp(name, "auto") == 0 || strcmp(name, "host") == 0)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    char *name = take_text(&in);
    wf_context *const before = (wf_context *)(uintptr_t)0x5a5a5a50, *context = before;
    const wf_status status = wf_context_create(&context, name);
    if (status == WF_OK) {
        check_opened(context, name);
        wf_context_destroy(context);
    } else {
        must(status == WF_INVALID_ARGUMENT || status == WF_NO_DEVICE || status == WF_BACKEND_UNAVAILABLE);
        must(context == before && *wf_last_error() != '\0');
    }
    free(name);
    return 0;
}
