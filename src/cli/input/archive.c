#include "archive.h"

#include "archive_names.h"
#include "cli/cli.h"
#include "host_memory.h"
#include "npy.h"
#include "pages.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

bool archive_has_magic(const file_map *file) {
    static const char magic[] = "PK\3\4";
    return file->size >= sizeof magic - 1 && memcmp(file->bytes, magic, sizeof magic - 1) == 0;
}

static zip_t *open_archive(const file_map *file, const char *path) {
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(file->bytes, file->size, 0, &error);
    zip_t *archive = source != NULL ? zip_open_from_source(source, ZIP_RDONLY, &error) : NULL;
    if (archive == NULL) {
        cli_error("input '%s' cannot be read as an archive: %s; save it again with numpy.savez, or add --raw if it is "
                  "raw binary",
                  path, zip_error_strerror(&error));
        zip_source_free(source);
    }
    zip_error_fini(&error);
    return archive;
}

/* Checks the sizes in the archive's directory before any allocation. */
static bool is_possible(const zip_stat_t *member, const char *path) {
    /* The most bytes from one byte of DEFLATE: 258 bytes from 2 bits. */
    enum { MOST_OF_A_BYTE = 1032 };
    const bool is_stored = member->comp_method == ZIP_CM_STORE, is_deflated = member->comp_method == ZIP_CM_DEFLATE;
    const uint64_t available = memory_of_host();
    if (member->encryption_method != ZIP_EM_NONE) {
        cli_error("input '%s': '%s' is encrypted; unpack it with its password, and reduce the .npy file", path,
                  member->name);
        return false;
    }
    if ((is_stored && member->size != member->comp_size) ||
        (is_deflated && member->size / MOST_OF_A_BYTE > member->comp_size)) {
        cli_error("input '%s' is damaged: '%s' should come to %" PRIu64 " bytes, from %" PRIu64 " in the archive", path,
                  member->name, member->size, member->comp_size);
        return false;
    }
    if (member->size > available)
        cli_error("input '%s': '%s' is read into memory, which needs %" PRIu64 " bytes, but %" PRIu64
                  " are available; unpack it, and reduce the .npy file, which is mapped",
                  path, member->name, member->size, available);
    return member->size <= available;
}

/* NULL, or the fault. Reads past the last byte, too: only then libzip compares the checksum. */
static const char *read_member(zip_file_t *member, unsigned char *bytes, uint64_t size) {
    unsigned char more;
    uint64_t done = 0;
    zip_int64_t got = 1;
    while (done < size && got > 0) {
        got = zip_fread(member, bytes + done, size - done);
        done += got > 0 ? (uint64_t)got : 0;
    }
    if (got > 0)
        got = zip_fread(member, &more, 1);
    if (got < 0)
        return zip_file_strerror(member);
    return done < size ? "it ends too early" : got > 0 ? "it does not end where it should" : NULL;
}

static bool extract(file_map *array, zip_t *archive, uint64_t index, const char *path) {
    zip_stat_t status;
    const zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
    if (zip_stat_index(archive, index, 0, &status) != 0 || (status.valid & needed) != needed) {
        cli_error("input '%s' is damaged: %s; save it again with numpy.savez", path, zip_strerror(archive));
        return false;
    }
    if (!is_possible(&status, path))
        return false;
    unsigned char *bytes = status.size != 0 ? pages_resize(NULL, 0, status.size) : NULL;
    if (bytes == NULL && status.size != 0) {
        cli_error("input '%s': there is no memory for the %" PRIu64
                  " bytes of '%s'; unpack it, and reduce the .npy file",
                  path, (uint64_t)status.size, status.name);
        return false;
    }
    *array = (file_map){.bytes = bytes, .size = status.size};
    zip_file_t *member = zip_fopen_index(archive, index, 0);
    const char *wrong = member == NULL ? zip_strerror(archive) : read_member(member, bytes, status.size);
    if (wrong != NULL)
        cli_error("input '%s': '%s' cannot be read: %s; save it again with numpy.savez", path, status.name, wrong);
    else if (!npy_has_magic(bytes, status.size))
        cli_error("input '%s': '%s' is no .npy file: it does not begin with NumPy's magic bytes", path, status.name);
    const bool extracted = wrong == NULL && npy_has_magic(bytes, status.size);
    if (member != NULL)
        (void)zip_fclose(member);
    if (!extracted)
        file_map_close(array);
    return extracted;
}

bool archive_extract(file_map *file, const char *name, const char *path) {
    uint64_t index;
    file_map array;
    zip_t *archive = open_archive(file, path);
    if (archive == NULL)
        return false;
    const bool extracted = archive_find(archive, name, path, &index) && extract(&array, archive, index, path);
    zip_discard(archive);
    if (extracted) {
        file_map_close(file);
        *file = array;
    }
    return extracted;
}
