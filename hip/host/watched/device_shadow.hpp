// What is known of device memory: which words somebody wrote, and which tile of the launch touched them last, with what
// orders tiles.
//
// Tiles are ordered by what they tell each other: a tile's fence, and a word that it writes afterwards, come before
// what another tile does that has read the word and then passed a fence (C++11's fences); an update in order is both.
// Kept as vector clocks, of tiles that know of others (Flanagan and Freund 2009, "FastTrack"). A tile is taken as one
// thread: whether its own barriers order its lanes before such a fence is not seen. Of several readers of a word one is
// remembered.
#ifndef WAVEFOLD_HOST_WATCHED_DEVICE_SHADOW_HPP
#define WAVEFOLD_HOST_WATCHED_DEVICE_SHADOW_HPP

#include "../emulator/watch.hpp"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

namespace wf::host::watch {

class device_shadow {
  public:
    // Memory that the device gave out, of which nobody has written anything; and its end.
    void allocated(const void *memory, size_t bytes);
    void released(const void *memory);
    // The host has written these bytes, or cleared them.
    void written(const void *memory, size_t bytes);

    void begins_launch();
    void begins_tile(unsigned tile);

    // Each returns what is wrong, or ""; of what was done last, at which address that is, and whether it updated a word
    // that had been updated in this launch before.
    std::string did(access what, const void *address, size_t bytes);
    const void *wrong_at() const { return wrong_at_; }
    bool is_contended() const { return is_contended_; }

    void fence();
    std::string word_read(const void *address);
    std::string word_written(const void *address);
    std::string update_in_order(const void *address, size_t bytes);

  private:
    using clock = std::map<unsigned, unsigned>; // of each tile that is known of: up to which of its fences

    // Who did something to a word last: a tile, and between which of its fences. time 0: nobody in this launch.
    struct doer {
        uint32_t tile = 0, time = 0;
    };
    struct word {
        uint32_t launch = 0; // of which the rest tells
        bool is_undefined = false;
        doer stored, updated, read;
    };
    // What is done to it: access, or a word of tile_status.hpp is read whole.
    enum class touch { load, store, update, whole_load };
    static constexpr size_t word_bytes = 4, page_words = 1024;
    struct page {
        word words[page_words];
    };

    word &at(uintptr_t number);
    std::string touched(touch what, const void *address, size_t bytes);
    bool is_apart(const doer &other) const;
    std::string check(touch what, word &cell);

    std::unordered_map<uintptr_t, std::unique_ptr<page>> pages_;
    uintptr_t last_number_ = 0;
    page *last_page_ = nullptr;
    std::map<uintptr_t, size_t> allocations_;
    uint32_t launch_ = 0;
    uint32_t tile_ = 0, time_ = 1;
    clock known_, to_be_known_, told_; // by this tile; at its next fence; to others, as of its last fence
    bool has_told_ = false;
    std::unordered_map<uintptr_t, clock> of_words_; // what who reads the word learns
    const void *wrong_at_ = nullptr;
    bool is_contended_ = false;
};

} // namespace wf::host::watch
#endif
