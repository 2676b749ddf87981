#include "text_table.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* In characters: UTF-8's continuation bytes do not count. Nothing printed here is wider than a column. */
static size_t display_width(const char *text) {
    size_t width = 0;
    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

void text_table_add(text_table *table, char *cell) {
    if (table->cell_count == table->capacity) {
        const size_t capacity = 2 * table->capacity + 64;
        char **cells = cli_allocate(capacity, sizeof *cells);
        if (table->cell_count > 0)
            memcpy(cells, table->cells, table->cell_count * sizeof *cells);
        free(table->cells);
        table->cells = cells;
        table->capacity = capacity;
    }
    table->cells[table->cell_count++] = cell;
}

void text_table_add_row(text_table *table, char *const *cells) {
    for (size_t column = 0; column < table->column_count; column++)
        text_table_add(table, cells[column]);
}

static size_t column_width(const text_table *table, size_t column) {
    size_t widest = display_width(table->columns[column].heading);
    for (size_t i = column; i < table->cell_count; i += table->column_count) {
        const size_t width = display_width(table->cells[i]);
        if (width > widest)
            widest = width;
    }
    return widest;
}

static void print_cell(const text_table *table, size_t column, size_t width, const char *text, FILE *stream) {
    const bool last = column + 1 == table->column_count;
    const int padding = (int)(width - display_width(text));
    if (table->columns[column].right)
        fprintf(stream, "%*s%s", padding, "", text);
    else
        fprintf(stream, "%s%*s", text, last ? 0 : padding, "");
    fputs(last ? "\n" : *table->columns[column + 1].heading != '\0' ? "  " : " ", stream);
}

void text_table_print(const text_table *table, FILE *stream) {
    size_t *widths = cli_allocate(table->column_count, sizeof *widths);
    for (size_t column = 0; column < table->column_count; column++)
        widths[column] = column_width(table, column);
    for (size_t column = 0; column < table->column_count; column++)
        print_cell(table, column, widths[column], table->columns[column].heading, stream);
    for (size_t i = 0; i < table->cell_count; i++)
        print_cell(table, i % table->column_count, widths[i % table->column_count], table->cells[i], stream);
    free(widths);
}

void text_table_free(text_table *table) {
    for (size_t i = 0; i < table->cell_count; i++)
        free(table->cells[i]);
    free(table->cells);
    table->cells = NULL;
    table->cell_count = table->capacity = 0;
}
