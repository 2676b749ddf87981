#include "shuffles.hpp"

namespace wf::host {

// width: of the shuffle, if it is too wide; else 0.
void shuffles::report_source(const scheduler &lanes, unsigned source, unsigned width, const char *file, int line) {
    const lane &self = lanes.running();
    const std::string wave = std::to_string(lanes.wave_width()) + " lanes";
    const bool is_in_wave = source / lanes.wave_width() == self.wave;
    report_.add("lane " + std::to_string(self.number) + " reads lane " + std::to_string(source) + " by a shuffle" +
                (width != 0   ? " over " + std::to_string(width) + " lanes, in a wave of " + wave
                 : is_in_wave ? ", which its tile of " + std::to_string(lanes.tile_size()) + " threads does not have"
                              : ", which is not in its wave of " + wave) +
                " (" + line_of_source(file, line) + ")");
}

void shuffles::report_loop(unsigned number, bool goes_on, unsigned other, const char *file, int line) {
    report_.add("lane " + std::to_string(number) + (goes_on ? " goes on in" : " leaves") + " a loop, and lane " +
                std::to_string(other) + " of its wave does not (" + line_of_source(file, line) + ")");
}

} // namespace wf::host
