#include "transpose.h"

#include <string.h>

/* Numbers: a square of TILE by TILE fits in the nearest cache. ROWS are a page or more, so that a page of the file is
 * read once and not once per tile. */
enum { TILE = 32, ROWS = 4096 };

/* One pair of the first and the last index is a matrix of rows by columns for each combination of the others. */
typedef struct matrix {
    unsigned char *to;
    const unsigned char *from;
    size_t size;
    uint64_t rows, columns;
    uint64_t to_row;      /* from a row to the next where it is written; columns are neighbours there */
    uint64_t from_column; /* from a column to the next where it is read; rows are neighbours there */
    uint64_t count;       /* numbers that are written, counted from `to` */
} matrix;

static uint64_t smaller(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* Inlined for each size, which makes memcpy one instruction. */
static inline void copy_numbers(unsigned char *to, const unsigned char *from, size_t size, size_t step, size_t count) {
    for (size_t i = 0; i < count; i++)
        memcpy(to + i * size, from + i * step, size);
}

static void copy_row(unsigned char *to, const unsigned char *from, size_t size, size_t step, size_t count) {
    if (size == sizeof(uint64_t))
        copy_numbers(to, from, sizeof(uint64_t), step, count);
    else if (size == sizeof(uint32_t))
        copy_numbers(to, from, sizeof(uint32_t), step, count);
    else if (size == sizeof(uint16_t))
        copy_numbers(to, from, sizeof(uint16_t), step, count);
    else
        copy_numbers(to, from, 1, step, count);
}

static void copy_tile(const matrix *m, uint64_t first_row, uint64_t first_column) {
    const uint64_t end_row = smaller(first_row + TILE, m->rows), end_column = smaller(first_column + TILE, m->columns);
    for (uint64_t row = first_row; row < end_row; row++) {
        const uint64_t to = row * m->to_row + first_column;
        if (to >= m->count)
            return;
        const uint64_t columns = smaller(end_column - first_column, m->count - to);
        copy_row(m->to + to * m->size, m->from + (row + first_column * m->from_column) * m->size, m->size,
                 m->from_column * m->size, (size_t)columns);
    }
}

static void copy_matrix(const matrix *m) {
    for (uint64_t block = 0; block < m->rows; block += ROWS)
        for (uint64_t column = 0; column < m->columns; column += TILE)
            for (uint64_t row = block; row < smaller(block + ROWS, m->rows); row += TILE)
                copy_tile(m, row, column);
}

void transpose(void *to, const void *from, size_t size, const npy_shape *shape, uint64_t count) {
    const size_t last = shape->dimensions - 1;
    uint64_t index[NPY_DIMENSIONS] = {0}, step[NPY_DIMENSIONS] = {0}, total = 1;
    for (size_t i = last + 1; i-- > 0; total *= shape->sizes[i])
        step[i] = total; /* in C order */
    matrix m = {.from = from, .size = size, .columns = shape->sizes[last], .to_row = step[0]};
    m.from_column = total / m.columns;
    m.rows = count / step[0] + (count % step[0] != 0); /* of all, those with numbers to write */
    const uint64_t matrices = total / shape->sizes[0] / m.columns;
    for (uint64_t i = 0, before = 0; i < matrices; i++) {
        m.to = (unsigned char *)to + before * size;
        m.count = count - before;
        if (before < count)
            copy_matrix(&m);
        m.from += shape->sizes[0] * size;
        size_t carried = 1; /* the next one in Fortran order */
        for (; carried < last && ++index[carried] == shape->sizes[carried]; carried++) {
            before -= (shape->sizes[carried] - 1) * step[carried];
            index[carried] = 0;
        }
        before += carried < last ? step[carried] : 0;
    }
}
