#define _GNU_SOURCE
#include "interruption.h"

#include <signal.h>
#include <stddef.h>

static const int signals[] = {SIGHUP, SIGINT, SIGTERM};
enum { SIGNALS = sizeof signals / sizeof *signals };

static struct sigaction before[SIGNALS];
static volatile sig_atomic_t came; /* 0: none has */

static void note(int signal) {
    came = signal;
}

void interruption_begin(void) {
    const struct sigaction noting = {.sa_handler = note};
    came = 0;
    for (size_t i = 0; i < SIGNALS; i++)
        if (sigaction(signals[i], NULL, &before[i]) == 0 && before[i].sa_handler != SIG_IGN)
            (void)sigaction(signals[i], &noting, NULL);
}

bool interruption_came(void) {
    return came != 0;
}

void interruption_end(void) {
    for (size_t i = 0; i < SIGNALS; i++)
        (void)sigaction(signals[i], &before[i], NULL);
    if (came != 0)
        (void)raise(came);
}
