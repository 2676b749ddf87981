// The accesses to a cell of tile memory that the host device keeps, to find races.
//
// Two accesses by different lanes, one of them a write, are a race unless a barrier orders them: one of the tile, or
// for lanes of one wave one of the wave. Epochs count both and only grow, so accesses of earlier tiles are always
// ordered, and no shadow needs clearing.
#ifndef WAVEFOLD_HOST_EMULATOR_SHADOW_HPP
#define WAVEFOLD_HOST_EMULATOR_SHADOW_HPP

#include <cstdint>
#include <initializer_list>
#include <utility>

namespace wf::host {

constexpr uint16_t several = UINT16_MAX; // stands for the lanes of several atomic updates
constexpr uint8_t several_waves = UINT8_MAX;

// 16 bytes. Epochs of a wave are compared only within one epoch of the tile, where 32 bits suffice.
struct access {
    uint64_t epoch = 0; // of the tile; 0: never
    uint32_t wave_epoch = 0;
    uint16_t lane = 0;
    uint8_t wave = 0;
    bool is_update = false; // atomic updates do not race with each other

    access() = default;
    access(uint64_t in, uint64_t in_wave, unsigned by, unsigned of)
        : epoch(in), wave_epoch(static_cast<uint32_t>(in_wave)), lane(static_cast<uint16_t>(by)),
          wave(static_cast<uint8_t>(of)) {}

    bool races_with(const access &later) const {
        if (epoch != later.epoch || lane == later.lane || (is_update && later.is_update))
            return false;
        return wave != later.wave || wave_epoch == later.wave_epoch;
    }
};

class alignas(64) shadow_cell { // one cache line
  public:
    // Each returns the earlier access that the new one races with; its epoch is 0 if there is none.
    access read(const access &now) {
        remember_reader(now);
        return writer_.races_with(now) ? writer_ : access();
    }

    // A read that races with no update.
    access guess(access now) {
        now.is_update = true;
        return read(now);
    }

    access write(const access &now) {
        const access last = std::exchange(writer_, now);
        if (last.races_with(now))
            return last;
        // same_wave_ and other_wave_ read in the epoch of reader_, or before.
        if (reader_.epoch == now.epoch)
            for (const access &earlier : {reader_, same_wave_, other_wave_})
                if (earlier.races_with(now))
                    return earlier;
        return access();
    }

    // One access stands for all updates that a later one may race with.
    access update(access now) {
        const access last = writer_;
        now.is_update = true;
        const access raced = write(now);
        if (last.epoch != now.epoch)
            return raced;
        if (!last.is_update) { // keep the store as a read, too: unlike an update, it races with updates
            if (reader_.epoch != now.epoch || reader_.wave_epoch <= last.wave_epoch)
                remember_reader(last);
        } else if (last.wave != now.wave) {
            writer_.lane = several;
            writer_.wave = several_waves;
        } else if (last.wave_epoch == now.wave_epoch && last.lane != now.lane) {
            writer_.lane = several;
        }
        return raced;
    }

    void forget_readers() { reader_ = same_wave_ = other_wave_ = {}; }

    bool written_since(uint64_t epoch) const { return writer_.epoch >= epoch; }

  private:
    // Three readers suffice to find every conflict with the next writer. If it is in another wave than reader_, reader_
    // conflicts. If it is in the same wave, same_wave_ is a second lane of that wave, and other_wave_ stands for all
    // other waves.
    void remember_reader(const access &now) {
        if (reader_.epoch == now.epoch) {
            if (reader_.wave != now.wave)
                other_wave_ = reader_;
            else if (reader_.lane != now.lane)
                same_wave_ = reader_;
        }
        reader_ = now;
    }

    access writer_, reader_, same_wave_, other_wave_;
};

} // namespace wf::host
#endif
