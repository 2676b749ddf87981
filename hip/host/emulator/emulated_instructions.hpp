// instructions.hpp on the host device.
#ifndef WAVEFOLD_HOST_EMULATOR_EMULATED_INSTRUCTIONS_HPP
#define WAVEFOLD_HOST_EMULATOR_EMULATED_INSTRUCTIONS_HPP

namespace wf {

inline float f16_to_f32(uint16_t bits) {
    // The exponent's bias grows from 15 to 127 by a multiplication, which also makes subnormals normal; infinities and
    // NaN then have the exponent 143, which must become 255.
    const uint32_t magnitude = uint32_t(bits & 0x7fffu) << 13;
    float scaled;
    memcpy(&scaled, &magnitude, sizeof scaled);
    scaled *= 0x1p112f;
    uint32_t wide;
    memcpy(&wide, &scaled, sizeof wide);
    if (magnitude >= 0x0f800000u)
        wide |= 0x7f800000u;
    wide |= uint32_t(bits & 0x8000u) << 16;
    memcpy(&scaled, &wide, sizeof scaled);
    return scaled;
}

template <class Byte>
int32_t add_bytes(uint32_t bytes, int32_t total) {
    return add_each_byte<Byte>(bytes, total);
}

template <class T>
void hide_origin(T &) {}

} // namespace wf

#endif
