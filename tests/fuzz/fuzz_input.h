/* What every fuzz target has: the bytes that the fuzzer made, taken one after the other, and what must hold. */
#ifndef WAVEFOLD_TESTS_FUZZ_FUZZ_INPUT_H
#define WAVEFOLD_TESTS_FUZZ_FUZZ_INPUT_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libFuzzer calls it with each input. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Ends the program, which the fuzzer takes for a crash, if the condition does not hold. */
#define must(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: it must be that %s\n", __FILE__, __LINE__, #condition);                            \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (false)

typedef struct fuzz_input {
    const uint8_t *at;
    size_t left;
} fuzz_input;

/* The next byte, or 0 behind the last. */
static inline uint8_t take_byte(fuzz_input *in) {
    if (in->left == 0)
        return 0;
    in->left--;
    return *in->at++;
}

static inline uint64_t take_word(fuzz_input *in) {
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word |= (uint64_t)take_byte(in) << 8 * i;
    return word;
}

/* A copy of what is left, or less, in a block of just that size: who reads beyond it is seen. */
static inline uint8_t *take_block(fuzz_input *in, size_t size) {
    uint8_t *block = malloc(size != 0 ? size : 1);
    must(block != NULL);
    const size_t there = size < in->left ? size : in->left;
    if (there != 0)
        memcpy(block, in->at, there);
    memset(block + there, 0, size - there);
    in->at += there;
    in->left -= there;
    return block;
}

/* What is left, as a text. */
static inline char *take_text(fuzz_input *in) {
    return (char *)take_block(in, in->left + 1);
}

/* A file of these bytes, without a disk; path is that of its descriptor. */
enum { FUZZ_PATH = 64 };
int memory_file(const uint8_t *bytes, size_t size, char path[FUZZ_PATH]);

/* What quiet_cli.c has of the program's messages: the last one, or "". */
const char *fuzz_message(void);
void fuzz_forget_message(void);
/* Where a usage error, or another end of the program, goes on. */
extern jmp_buf fuzz_program_ended;

#endif
