#include "host_access.hpp"

#include "../../emulator/findings.hpp"
#include "../stop.hpp"
#include "host_findings.hpp"

#include <algorithm>

namespace wf::tried {

namespace {

using host::watch::access;

uint32_t epoch = 1; // of launches: ends when the host waits

std::string element_at(const device_array &array, const void *address) {
    return "element " + std::to_string(array.offset(address) / ptrdiff_t(array.element)) + " of '" + array.name + "'";
}

std::string describe(const std::string &verb, const void *address) {
    const device_array *const array = array_of(address);
    if (array == nullptr)
        return "host code " + verb + " memory of the device where no array is";
    if (array->is_released)
        return "host code " + verb + " " + element_at(*array, address) + ", memory of the device that was freed";
    return "host code " + verb + " " + element_at(*array, address) +
           ", which is memory of the device: copy it with cudaMemcpy, and use the copy";
}

const char *verb(access what) {
    return what == access::load ? "reads" : "writes";
}

} // namespace

void note_kernel_access(device_array &array, access what) {
    (what == access::load ? array.read_in : array.written_in) = epoch;
}

void wait_for_kernels() {
    epoch++;
}

void touch_by_host(access what, const void *address, size_t bytes, const void *returns_to) {
    if (bytes == 0 || !array_addresses.holds(address))
        return;
    if (is_device_memory(address))
        stop(named_by_vendor(describe(verb(what), address)) + place_of_host(returns_to));
    const device_array *const array = array_of(address);
    if (array == nullptr || !array->holds(address))
        return;
    if (array->is_released)
        report_of_host("host code " + std::string(verb(what)) + " " + element_at(*array, address) + ", which was freed",
                       returns_to);
    else if (array->written_in == epoch || (what != access::load && array->read_in == epoch))
        report_of_host("host code " + std::string(verb(what)) + " " + element_at(*array, address) +
                           " while a kernel may still access it: call cudaDeviceSynchronize() before",
                       returns_to);
}

// Of code without instrumentation, such as the C library's.
static std::string describe_fault(const void *address) {
    return is_device_memory(address) ? named_by_vendor(describe("accesses", address)) : "";
}
[[maybe_unused]] static const bool describes_faults = describe_faults_by(describe_fault);

} // namespace wf::tried
