// A module with a dozen devices that fold nothing, so that names of devices can be looked up by the thousand. What a
// schedule's name is, the host backend says.
#include "backend.h"
#include "host/schedule_name.hpp"
#include "reduce/request.h"

#include <cstdio>

namespace {

constexpr uint32_t devices = 12;

const char *message() {
    return "a device of the test";
}
uint32_t device_count() {
    return devices;
}
wf_status device_info(uint32_t ordinal, wf_device_info *info) {
    *info = {};
    std::snprintf(info->id, sizeof info->id, "host:%u", ordinal);
    std::snprintf(info->backend, sizeof info->backend, "host");
    return ordinal < devices ? WF_OK : WF_NO_DEVICE;
}
wf_status open(uint32_t, const char *setting, void **device) {
    wf::host::schedule schedule;
    *device = nullptr;
    return wf::host::parse_schedule(setting, &schedule) ? WF_OK : WF_INVALID_ARGUMENT;
}
void close(void *) {}
wf_status reduce(void *, const wf_reduce_request *, wf_thread_table) {
    return WF_UNSUPPORTED;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const wf_backend *wavefold_backend() {
    static const wf_backend backend = [] {
        wf_backend made = {};
        made.abi = WF_BACKEND_ABI;
        made.name = "host";
        made.message = message;
        made.device_count = device_count;
        made.device_info = device_info;
        made.open = open;
        made.close = close;
        made.reduce = reduce;
        return made;
    }();
    return &backend;
}
