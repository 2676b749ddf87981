// What is known of device memory: which words somebody wrote, and who of the launch touched them last, to find accesses
// of two lanes that nothing orders (orders.hpp). Two that are atomic need no order.
//
// Of a word one store is remembered, two updates, and two reads: the last ones, in place of what lies before them, else
// of different tiles or lanes; of each which of the word's bytes, since two lanes may write different ones.
#ifndef WAVEFOLD_HOST_WATCHED_DEVICE_SHADOW_HPP
#define WAVEFOLD_HOST_WATCHED_DEVICE_SHADOW_HPP

#include "../emulator/watch.hpp"
#include "orders.hpp"
#include "replaceable_reads.hpp"
#include "sites.hpp"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace wf::host::watch {

class device_shadow {
  public:
    // Memory that the device gave out, of which nobody has written anything; and its end.
    void allocated(const void *memory, size_t bytes);
    void released(const void *memory);
    // The host reads it while kernels run; released() ends that, too.
    void shared(const void *memory, size_t bytes) { shared_[number_of(memory)] = number_of(memory) + bytes; }
    // The host has written these bytes, or cleared them.
    void written(const void *memory, size_t bytes);
    // The first word there that nobody has written, or null.
    const void *first_unwritten(const void *memory, size_t bytes);
    void let_wave_barriers_order() { orders_.let_wave_barriers_order(); }

    void begins_launch(unsigned lanes_of_tile);
    void begins_tile(unsigned tile);
    void passes_tile_barrier();
    void passes_wave_barrier(unsigned first_lane, unsigned lanes);

    // Who does something, and where that stands in the source.
    struct actor {
        unsigned lane;
        site at;
    };
    // Each returns what is wrong, or ""; of what was done last, at which address that is, and whether it updated a word
    // that had been updated in this launch before.
    std::string did(actor who, access what, const void *address, size_t bytes);
    const void *wrong_at() const { return wrong_at_; }
    bool is_contended() const { return is_contended_; }

    void fence(unsigned lane);
    void system_fence(unsigned lane);
    std::string word_read(actor who, const void *address);
    std::string word_written(actor who, const void *address);
    std::string update_in_order(actor who, const void *address, size_t bytes);
    std::string replaceable_read(actor who, const void *address, size_t bytes);
    // A word that tells the host that what the kernel wrote for it is there.
    std::string host_told(unsigned lane);
    std::string ends(unsigned lane) const { return replaceable_.ends(lane, sites_); }

  private:
    // Who did something to a word; time 0: nobody in this launch.
    struct doer {
        uint32_t tile, time;
        uint32_t lane : 10, site : 16, bytes : 4;
        uint32_t is_whole : 1, counts : 1; // a word of tile_status.hpp; an atomic update

        moment when() const { return {tile, lane, time}; }
    };
    struct word {                               // a line of the cache
        uint32_t launch : 31, is_undefined : 1; // of which launch the rest tells
        doer stored, updated, also_updated, read, also_read;
    };
    // What is done to it: access, or a word of tile_status.hpp is read or written whole.
    enum class touch { load, store, update, whole_load, whole_store };
    static constexpr size_t word_bytes = 4, page_words = 1024;
    struct page {
        word words[page_words];
    };

    static uintptr_t number_of(const void *address) { return reinterpret_cast<uintptr_t>(address); }
    static constexpr uint32_t launches = UINT32_MAX >> 1, lanes_told = (1u << 10) - 1; // are told apart

    static word fresh(uint32_t launch, bool is_undefined);
    word &at(uintptr_t number);
    bool is_shared(uintptr_t address) const;
    std::string touched(actor who, touch what, const void *address, size_t bytes);
    bool is_apart(const doer &other, unsigned lane) const;
    const doer *race_of(touch what, const word &cell, const doer &now) const;
    static void put(doer &in, doer now);
    void remember(touch what, word &cell, const doer &now);
    void remember_reader(word &cell, const doer &now) const;
    void remember_update(word &cell, const doer &now) const;
    std::string name_of(const doer &other, const word &cell) const;

    orders orders_;
    sites sites_;
    replaceable_reads replaceable_;
    std::unordered_map<uintptr_t, std::unique_ptr<page>> pages_; // of which somebody has asked
    std::unordered_set<uintptr_t> unwritten_;                    // of others: those of which no word was written
    uintptr_t last_number_ = 0;
    page *last_page_ = nullptr;
    std::map<uintptr_t, size_t> allocations_;
    std::map<uintptr_t, uintptr_t> shared_; // first byte, end
    std::map<uintptr_t, doer> for_host_;    // what this launch stored there
    moment told_host_;
    uint32_t launch_ = 0, lanes_ = 0;
    const void *wrong_at_ = nullptr;
    bool is_contended_ = false;
};

} // namespace wf::host::watch
#endif
