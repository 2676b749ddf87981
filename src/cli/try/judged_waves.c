#define _GNU_SOURCE
#include "judged_waves.h"

#include "source_text.h"

#include <ctype.h>
#include <string.h>

/* A name that begins with the vendor's letters and goes on with a capital: cudaMalloc, hipMalloc. */
static bool has_call(const char *code, const char *vendor) {
    const size_t length = strlen(vendor);
    for (const char *c = code; (c = strstr(c, vendor)) != NULL; c++)
        if ((c == code || !source_is_word(c[-1])) && isupper((unsigned char)c[length]))
            return true;
    return false;
}

static bool includes(const char *text, const char *name) {
    for (const char *c = text; (c = strstr(c, "#include")) != NULL; c++) {
        const char *header = c + strlen("#include");
        header += strspn(header, " \t<\"");
        if (strncmp(header, name, strlen(name)) == 0)
            return true;
    }
    return false;
}

static bool ends_in(const char *path, const char *end) {
    const size_t length = strlen(path), least = strlen(end);
    return length > least && strcmp(path + length - least, end) == 0;
}

static bool is_cuda(const kernel_file *file) {
    if (!file->is_plain || includes(file->text, "hip/") || has_call(file->code, "hip"))
        return false;
    return ends_in(file->path, ".cu") || includes(file->text, "cuda") || includes(file->text, "cooperative_groups") ||
           has_call(file->code, "cuda");
}

judged_waves judged_waves_of(const kernel_file *file, wave_choice choice) {
    judged_waves made = {.is_cuda = choice == WAVES_OF_FILE && is_cuda(file)};
    for (size_t i = 0; i < TRIAL_WIDTHS; i++)
        made.is_judged[i] = choice == WAVES_OF_FILE
                                ? !made.is_cuda || trial_widths[i] == 32
                                : choice == WAVES_BOTH || trial_widths[i] == (choice == WAVES_32 ? 32 : 64);
    return made;
}
