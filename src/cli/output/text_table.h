/* A table as text, whose columns are as wide as their cells need. */
#ifndef WAVEFOLD_CLI_OUTPUT_TEXT_TABLE_H
#define WAVEFOLD_CLI_OUTPUT_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct text_column {
    const char *heading; /* empty: the column goes with the one before, and stands close to it */
    bool right;          /* aligned to the right, as numbers are */
} text_column;

/* Columns as wide as they need to be. */
typedef struct text_table {
    const text_column *columns;
    size_t column_count;
    char **cells; /* row after row */
    size_t cell_count, capacity;
} text_table;

/* Appends a cell, and owns it from then on: it must be malloc'ed. */
void text_table_add(text_table *table, char *cell);
/* The same of a cell for each column. */
void text_table_add_row(text_table *table, char *const *cells);
/* The last column is not padded, so its cells may hold colours. */
void text_table_print(const text_table *table, FILE *stream);
void text_table_free(text_table *table);

#endif
