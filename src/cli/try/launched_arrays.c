#include "launched_arrays.h"

#include "cli/cli.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file's bytes, or NULL. */
static char *read_object(const char *path) {
    FILE *stream = fopen(path, "r");
    char *bytes = NULL;
    if (stream == NULL)
        return NULL;
    if (fseek(stream, 0, SEEK_END) == 0) {
        const long length = ftell(stream);
        rewind(stream);
        bytes = length >= (long)sizeof(ElfW(Ehdr)) ? cli_allocate((size_t)length, 1) : NULL;
        if (bytes != NULL && fread(bytes, 1, (size_t)length, stream) != (size_t)length) {
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(stream);
    return bytes;
}

/* Of the largest tile's size; the run knows the launch's own size. All begin at one address, as on GPUs.
 * hip/host/try/memory/tile_arrays.cpp recognises them by their visibility. */
static void write_array(FILE *stream, const char *symbol, const char *first) {
    static const char *const declared = "__attribute__((visibility(\"protected\")))";
    if (first == NULL)
        fprintf(stream, "alignas(64) %s thread_local char launched[65536] __asm__(\"%s\");\n", declared, symbol);
    else
        fprintf(stream, "extern %s thread_local char %s_[65536] __asm__(\"%s\") __attribute__((alias(\"%s\")));\n",
                declared, symbol, symbol, first);
}

/* The arrays are the undefined thread_local variables that the file declares, in any namespace. Before a use, gcc calls
 * an initialiser, named with _ZTH, at times without a check that it exists. */
static void write_missing(const char *object, FILE *stream) {
    const ElfW(Ehdr) *header = (const void *)object;
    const ElfW(Shdr) *sections = (const void *)(object + header->e_shoff);
    const char *first = NULL;
    for (size_t s = 0; s < header->e_shnum; s++) {
        if (sections[s].sh_type != SHT_SYMTAB)
            continue;
        const ElfW(Sym) *symbols = (const void *)(object + sections[s].sh_offset);
        const char *names = object + sections[sections[s].sh_link].sh_offset;
        for (size_t i = 0; i < sections[s].sh_size / sizeof *symbols; i++) {
            const char *name = names + symbols[i].st_name;
            if (symbols[i].st_shndx != SHN_UNDEF)
                continue;
            if (ELF64_ST_TYPE(symbols[i].st_info) == STT_TLS) {
                write_array(stream, name, first);
                first = first != NULL ? first : name;
            } else if (strncmp(name, "_ZTH", 4) == 0) {
                fprintf(stream, "extern \"C\" void %s() {}\n", name);
            }
        }
    }
}

bool launched_arrays_write(const char *object, const char *source) {
    char *bytes = read_object(object);
    if (bytes == NULL || memcmp(bytes, ELFMAG, SELFMAG) != 0) {
        cli_error("the compiler has written no object file of ELF's format to '%s'; name another compiler in CXX",
                  object);
        free(bytes);
        return false;
    }
    FILE *stream = fopen(source, "w");
    if (stream != NULL)
        write_missing(bytes, stream);
    free(bytes);
    if (stream != NULL && fclose(stream) == 0)
        return true;
    cli_error("cannot write '%s': %s", source, strerror(errno));
    return false;
}
