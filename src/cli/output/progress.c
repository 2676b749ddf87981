#define _GNU_SOURCE
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };
/* More frequent drawing would be invisible, and slow the timed steps. */
static const double SECONDS_BETWEEN_DRAWINGS = 0.1;

double progress_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void progress_begin(progress *bar, bool wanted, size_t steps) {
    *bar = (progress){.shown = wanted && isatty(STDERR_FILENO), .steps = steps, .drawn_at = -1};
}

void progress_show(progress *bar, const char *doing) {
    if (!bar->shown)
        return;
    double time = progress_now();
    if (bar->drawn_at >= 0 && time - bar->drawn_at < SECONDS_BETWEEN_DRAWINGS)
        return;
    bar->drawn_at = time;
    size_t filled = bar->done * BAR_WIDTH / bar->steps;
    fprintf(stderr, "\r[%.*s%*s] %3zu %%  %s\033[K", (int)filled, "##############################",
            (int)(BAR_WIDTH - filled), "", bar->done * 100 / bar->steps, doing);
    fflush(stderr);
}

void progress_advance(progress *bar, size_t steps) {
    bar->done += steps;
}

void progress_end(progress *bar) {
    if (bar->shown)
        fputs("\r\033[K", stderr);
    bar->shown = false;
}
