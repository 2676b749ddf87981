/* A program that defines these functions has them called by every library; those of the C library stand behind. */
#define _GNU_SOURCE
#include "checked_locks.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST = 64 };
static _Atomic(const void *) there[MOST];
static _Atomic unsigned long wrong;
static _Thread_local const void *mine[MOST];

static bool change(const void *from, const void *to) {
    for (size_t i = 0; i < MOST; i++) {
        const void *found = from;
        if (atomic_compare_exchange_strong(&there[i], &found, to))
            return true;
    }
    return false;
}

static bool is_there(const void *object) {
    for (size_t i = 0; i < MOST; i++)
        if (there[i] == object)
            return true;
    return false;
}

static bool change_mine(const void *from, const void *to) {
    for (size_t i = 0; i < MOST; i++)
        if (mine[i] == from) {
            mine[i] = to;
            return true;
        }
    return false;
}

static void expect(bool is_so) {
    wrong += !is_so;
}

unsigned long wrong_locks(void) {
    return wrong;
}

long locks_there(void) {
    long count = 0;
    for (size_t i = 0; i < MOST; i++)
        count += there[i] != NULL;
    return count;
}

long locks_held(void) {
    long count = 0;
    for (size_t i = 0; i < MOST; i++)
        count += mine[i] != NULL;
    return count;
}

#define REAL(name)                                                                                                     \
    static __typeof__(&name) real = NULL;                                                                              \
    if (real == NULL)                                                                                                  \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
    REAL(pthread_mutex_init);
    expect(change(NULL, mutex));
    return real(mutex, attributes);
}

int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    REAL(pthread_mutex_destroy);
    expect(change(mutex, NULL));
    return real(mutex);
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    REAL(pthread_mutex_lock);
    expect(is_there(mutex));
    const int status = real(mutex);
    expect(change_mine(NULL, mutex));
    return status;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    REAL(pthread_mutex_unlock);
    expect(change_mine(mutex, NULL));
    return real(mutex);
}

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
    REAL(pthread_cond_init);
    expect(change(NULL, condition));
    return real(condition, attributes);
}

int pthread_cond_destroy(pthread_cond_t *condition) {
    REAL(pthread_cond_destroy);
    expect(change(condition, NULL));
    return real(condition);
}

int pthread_cond_signal(pthread_cond_t *condition) {
    REAL(pthread_cond_signal);
    expect(is_there(condition));
    return real(condition);
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    REAL(pthread_cond_wait);
    bool holds = false;
    for (size_t i = 0; i < MOST; i++)
        holds = holds || mine[i] == mutex;
    expect(is_there(condition) && holds);
    return real(condition, mutex);
}
