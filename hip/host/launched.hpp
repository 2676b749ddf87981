// What a request launches, as the host device reports it: the kernel's name, its arrays, and the words that its tiles
// publish to each other.
#ifndef WAVEFOLD_HOST_LAUNCHED_HPP
#define WAVEFOLD_HOST_LAUNCHED_HPP

#include "backend.h"

#include <vector>

namespace wf::host {

struct launched_array {
    const char *name; // the kernel's
    void *data;       // NULL: the launch has no such array
    size_t bytes, element;
};

struct launched {
    const char *kernel = "";
    wf_type type = WF_TYPE_COUNT; // WF_TYPE_COUNT: it has none
    std::vector<launched_array> arrays;
    std::vector<launched_array> published; // zeros between launches
};

launched describe_launch(wf_algorithm algorithm, const void *request);

} // namespace wf::host
#endif
