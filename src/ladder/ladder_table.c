/* The ladder's rows (ladder_map.h) as data. */
#include "ladder_table.h"

const wf_rung wf_ladder[] = {
#define ROW(unused, kernel_of, suffix, family_of, shape, loads_of, group, heeds, touches, seed_of, idea_of, limit_of,  \
            ...)                                                                                                       \
    {.info.name = #kernel_of #suffix,                                                                                  \
     .info.family = #family_of,                                                                                        \
     .info.seed = seed_of,                                                                                             \
     .info.idea = idea_of,                                                                                             \
     .info.limit = limit_of,                                                                                           \
     .info.parameters = heeds,                                                                                         \
     .info.accesses = touches,                                                                                         \
     .kernel = WF_KERNEL_##kernel_of##suffix,                                                                          \
     .kernel_name = #kernel_of #suffix,                                                                                \
     .loads = loads_of,                                                                                                \
     .folds = WF_FOLDS_##group,                                                                                        \
     __VA_ARGS__},
    WF_LADDER(ROW, )
#undef ROW
};

const size_t wf_ladder_length = sizeof wf_ladder / sizeof wf_ladder[0];
