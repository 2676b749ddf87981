/* The text of a C++ source, with and without what is no code. */
#ifndef WAVEFOLD_CLI_TRY_SOURCE_TEXT_H
#define WAVEFOLD_CLI_TRY_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A copy in which comments, strings and characters are blanks; ends of lines remain. */
char *source_code(const char *text);
/* Writes < < < as <<<, and > > > as >>>, in a text and such a copy of it. */
void source_join_launches(char *text, char *code);
/* Turns the cast of a kernel to void * into blanks, in both, where a call of the runtime launches it by its address. */
void source_uncast_kernels(char *text, char *code);
/* Turns preprocessor lines of such a copy into blanks, and the branches that a trial does not compile: those of #if 0,
 * #ifndef WF_TRY, #ifdef of a name that nothing defines, and their kind. */
void source_hide_directives(char *code);

bool source_is_word(char c);                          /* of a name: a letter, a digit or _ */
size_t source_line(const char *text, const char *at); /* from 1 */
/* After the bracket that closes the one at `open`; NULL if none does. Only round, square and curly ones count. */
const char *source_after_bracket(const char *open);
/* The word at c is this one, from its beginning to its end. */
bool source_word_at(const char *text, const char *c, const char *word);

/* Replaces the mark of UTF-8 at the beginning by blanks. Returns the text. */
char *source_without_mark(char *text);

#endif
