/* The widths of waves that a file is judged by. */
#ifndef WAVEFOLD_CLI_TRY_JUDGED_WAVES_H
#define WAVEFOLD_CLI_TRY_JUDGED_WAVES_H

#include "trial.h"

typedef enum wave_choice { WAVES_OF_FILE, WAVES_32, WAVES_64, WAVES_BOTH } wave_choice;

typedef struct judged_waves {
    bool is_judged[TRIAL_WIDTHS];
    bool is_cuda; /* judged at 32 because the file is CUDA's: the other width gets a sentence */
} judged_waves;

/* Waves have 32 lanes on every GPU that runs CUDA, and 32 or 64 on those that run HIP. */
judged_waves judged_waves_of(const kernel_file *file, wave_choice choice);

#endif
