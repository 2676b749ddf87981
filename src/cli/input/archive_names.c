#include "archive_names.h"

#include "cli/cli.h"
#include "nearest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char extension[] = ".npy";
enum { EXTENSION = sizeof extension - 1, MOST_NAMES = 20 /* in a message */ };

/* The arrays of an archive. */
typedef struct directory {
    char **names; /* without .npy */
    uint64_t *indices;
    size_t count;
} directory;

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), wanted = strlen(end);
    return length >= wanted && strcmp(text + length - wanted, end) == 0;
}

static directory read_directory(zip_t *archive) {
    const zip_int64_t members = zip_get_num_entries(archive, 0);
    const size_t most = members > 0 ? (size_t)members : 0;
    directory arrays = {.names = cli_allocate(most, sizeof *arrays.names),
                        .indices = cli_allocate(most, sizeof *arrays.indices)};
    for (size_t i = 0; i < most; i++) {
        const char *member = zip_get_name(archive, i, 0);
        if (member == NULL || !ends_with(member, extension))
            continue;
        arrays.names[arrays.count] = cli_text("%.*s", (int)(strlen(member) - EXTENSION), member);
        arrays.indices[arrays.count++] = i;
    }
    return arrays;
}

static void free_directory(directory *arrays) {
    for (size_t i = 0; i < arrays->count; i++)
        free(arrays->names[i]);
    free(arrays->names);
    free(arrays->indices);
}

static char *list_names(const directory *arrays) {
    const char *shown[MOST_NAMES];
    char rest[32];
    const bool all = arrays->count <= MOST_NAMES;
    const size_t count = all ? arrays->count : MOST_NAMES;
    for (size_t i = 0; i < count; i++)
        shown[i] = arrays->names[i];
    if (!all) {
        snprintf(rest, sizeof rest, "%zu others", arrays->count - (MOST_NAMES - 1));
        shown[MOST_NAMES - 1] = rest;
    }
    return cli_list(shown, count);
}

static bool matches(const char *array, const char *name) {
    const size_t length = strlen(array);
    return strncmp(array, name, length) == 0 && (name[length] == '\0' || strcmp(name + length, extension) == 0);
}

static bool find_only(const directory *arrays, const char *path, uint64_t *index) {
    if (arrays->count > 1) {
        char *names = list_names(arrays);
        cli_error("input '%s' is an archive of %zu arrays; choose one: write %s:%s; there are %s", path, arrays->count,
                  ends_with(path, ".npz") ? path : "FILE.npz", arrays->names[0], names);
        free(names);
        return false;
    }
    *index = arrays->indices[0];
    return true;
}

static bool find_named(zip_t *archive, const directory *arrays, const char *name, const char *path, uint64_t *index) {
    size_t found = 0;
    bool is_exact = false; /* the name as NumPy wrote it wins over that of the .npy file */
    for (size_t i = 0; i < arrays->count; i++) {
        const bool is_same = strcmp(arrays->names[i], name) == 0;
        if (is_same ? is_exact : is_exact || !matches(arrays->names[i], name)) {
            found += is_same;
            continue;
        }
        found = is_same ? 1 : found + 1;
        is_exact = is_same;
        *index = arrays->indices[i];
    }
    if (found == 1)
        return true;
    if (found > 1) {
        cli_error("input '%s': the archive has %zu arrays of the name '%s'; save it again with numpy.savez", path,
                  found, name);
        return false;
    }
    if (zip_name_locate(archive, name, 0) >= 0) {
        cli_error("input '%s': '%s' in the archive is no .npy file, and no array", path, name);
        return false;
    }
    char *names = list_names(arrays);
    const char *nearest = wf_nearest_name(name, (const char *const *)arrays->names, arrays->count);
    if (nearest != NULL)
        cli_error("input '%s': the archive has no array '%s'; did you mean '%s'? There are %s", path, name, nearest,
                  names);
    else
        cli_error("input '%s': the archive has no array '%s'; there are %s", path, name, names);
    free(names);
    return false;
}

bool archive_find(zip_t *archive, const char *name, const char *path, uint64_t *index) {
    directory arrays = read_directory(archive);
    bool found = false;
    if (arrays.count == 0)
        cli_error("input '%s' is an archive with no array: no member of it is a .npy file", path);
    else
        found = name != NULL ? find_named(archive, &arrays, name, path, index) : find_only(&arrays, path, index);
    free_directory(&arrays);
    return found;
}
