#include "host_memory.h"

#include <inttypes.h>
#include <stdio.h>

/* MemAvailable of /proc/meminfo, which counts what the kernel can free: proc_meminfo(5). */
uint64_t memory_of_host(void) {
    char line[128];
    uint64_t kibibytes = UINT64_MAX / 1024; /* unknown: no limit to check */
    FILE *file = fopen("/proc/meminfo", "r");
    if (file == NULL)
        return UINT64_MAX;
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "MemAvailable: %" SCNu64 " kB", &kibibytes) == 1)
            break;
    fclose(file);
    return kibibytes * 1024;
}
