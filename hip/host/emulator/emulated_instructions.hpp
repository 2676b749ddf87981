// instructions.hpp on the host device.
#ifndef WAVEFOLD_HOST_EMULATOR_EMULATED_INSTRUCTIONS_HPP
#define WAVEFOLD_HOST_EMULATOR_EMULATED_INSTRUCTIONS_HPP

namespace wf {

inline float f16_to_f32(uint16_t bits) {
    return wf_f16_value(bits);
}

template <class Byte>
int32_t add_bytes(uint32_t bytes, int32_t total) {
    return add_each_byte<Byte>(bytes, total);
}

template <class T>
void hide_origin(T &) {}

} // namespace wf

#endif
