/* Whether locks are used as POSIX says: none before it is made or after it is destroyed, none given back by a thread
 * that does not hold it, nothing left when all is done. glibc would not complain. */
#ifndef WAVEFOLD_TESTS_CHECKED_LOCKS_H
#define WAVEFOLD_TESTS_CHECKED_LOCKS_H

/* How often that was not so. */
unsigned long wrong_locks(void);
/* How many locks and conditions are there, and how many locks the calling thread holds. */
long locks_there(void);
long locks_held(void);

#endif
