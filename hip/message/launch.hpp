// Launches that write and read messages between ranks.
#ifndef WAVEFOLD_MESSAGE_LAUNCH_HPP
#define WAVEFOLD_MESSAGE_LAUNCH_HPP

#include "message/request.h"

#include "message.hip"

namespace wf {

template <void (*Narrow)(wf_message_part), void (*Wide)(wf_message_part), class Queue>
void launch_message(const wf_message_request &what, Queue queue) {
    const wf_launch_head &head = what.head;
    launch_on(queue, head.wave_width == narrow_wave ? Narrow : Wide, head.tiles, head.tile_size,
              WF_STATE_WORDS * sizeof(int64_t), *what.part);
}

template <class Queue>
using message_launcher = void (*)(const wf_message_request &, Queue);

template <class Queue>
message_launcher<Queue> find_launcher(const wf_message_request &what) {
    return what.reads != 0 ? &launch_message<message_read<narrow_wave>, message_read<wide_wave>, Queue>
                           : &launch_message<message_write<narrow_wave>, message_write<wide_wave>, Queue>;
}

} // namespace wf
#endif
