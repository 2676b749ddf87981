// line_copies.hpp on the host device. Cells hold 0xff bytes until their thread has waited, so that a kernel which reads
// them too early gets a wrong result.
#ifndef WAVEFOLD_HOST_EMULATOR_EMULATED_LINE_COPIES_HPP
#define WAVEFOLD_HOST_EMULATOR_EMULATED_LINE_COPIES_HPP

namespace wf {

template <class T, unsigned Count, unsigned Threads>
class line_copies {
  public:
    static constexpr unsigned bytes = Count * Threads * unsigned(sizeof(line<T>));

    line_copies(const tiled_index &tidx, unsigned first) : cells_(tidx), first_(first + tidx.local) {}
    void start(unsigned k, const array_view<const T> &view, size_t i, size_t ahead) {
        coming_[k] = view.load_line(i, ahead);
        is_coming_[k] = true;
        line<T> not_there;
        std::memset(&not_there, 0xff, sizeof not_there);
        cells_[first_ + k * Threads] = not_there;
    }
    void wait() {
        for (unsigned k = 0; k < Count; k++)
            if (std::exchange(is_coming_[k], false))
                cells_[first_ + k * Threads] = coming_[k];
    }
    line<T> operator[](unsigned k) const { return cells_[first_ + k * Threads]; }

  private:
    tile_static<line<T>> cells_;
    unsigned first_;
    line<T> coming_[Count] = {};
    bool is_coming_[Count] = {};
};

} // namespace wf

#endif
