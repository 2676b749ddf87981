// A shadow of device memory: which words were written, and the last accesses of the launch to each, to find two
// accesses of different lanes that nothing orders (orders.hpp). Atomic accesses need no order among themselves.
//
// A word keeps one store, two updates and two reads: the last ones. A new access replaces one that lies before it, else
// one of another tile or lane. Each has the bytes of the word that it accessed, since lanes may write different ones.
#ifndef WAVEFOLD_HOST_WATCHED_DEVICE_SHADOW_HPP
#define WAVEFOLD_HOST_WATCHED_DEVICE_SHADOW_HPP

#include "../emulator/watch.hpp"
#include "orders.hpp"
#include "replaceable_reads.hpp"
#include "sites.hpp"

#include <array>
#include <bitset>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace wf::host::watch {

class device_shadow {
  public:
    // Memory that the device allocated, not written yet; and its release.
    void allocated(const void *memory, size_t bytes);
    void released(const void *memory);
    // The host reads this memory while kernels run; released() ends that, too.
    void shared(const void *memory, size_t bytes) { shared_[number_of(memory)] = number_of(memory) + bytes; }
    // The host has written these bytes, or cleared them.
    void written(const void *memory, size_t bytes);
    // These bytes count as never written.
    void unwritten(const void *memory, size_t bytes);
    // The first word there that was never written, or null.
    const void *first_unwritten(const void *memory, size_t bytes) const;
    // Limits the memory of the shadow to so many words with accesses. Beyond, it forgets the accesses to the words that
    // were first accessed longest ago, and may miss their races.
    void keep_at_most(size_t words) { most_pages_ = words / page_words; }
    void let_wave_barriers_order() { orders_.let_wave_barriers_order(); }
    void let_updates_order() { orders_.let_updates_order(); }

    void begins_launch(unsigned lanes_of_tile);
    void begins_tile(unsigned tile);
    void passes_tile_barrier();
    void passes_wave_barrier(unsigned first_lane, uint64_t lanes);

    // The lane that makes an access, and the access's place in the source.
    struct accessor {
        unsigned lane;
        site at;
    };
    // Each returns a finding, or "". Of the last access: the address of its finding, and whether it updated a word that
    // had been updated before in this launch.
    std::string accesses(accessor by, access kind, const void *address, size_t bytes);
    const void *finding_at() const { return finding_at_; }
    bool is_contended() const { return is_contended_; }

    void fence(unsigned lane);
    void system_fence(unsigned lane);
    std::string word_read(accessor by, const void *address);
    std::string word_written(accessor by, const void *address);
    std::string update_in_order(accessor by, const void *address, size_t bytes);
    std::string replaceable_read(accessor by, const void *address, size_t bytes);
    // The last access was a plain load, and its only fault a race with an atomic update.
    bool races_with_update() const { return races_with_update_; }
    // The lane compares and swaps what it has just read by a plain load, which therefore races with no update. Nor do
    // other loads in that place of the source: a loop for the maximum ends there if the value is great enough.
    void excuse_load(unsigned lane, const void *address, size_t bytes);
    // The lane writes a word by which the host learns that the kernel's results are there.
    std::string notifies_host(unsigned lane);
    std::string ends(unsigned lane) const { return replaceable_.ends(lane, sites_); }

  private:
    // An access to a word; time 0: none in this launch.
    struct past_access {
        uint32_t tile, time;
        uint32_t lane : 10, site : 16, bytes : 4;
        uint32_t is_whole : 1, counts : 1; // a word of tile_status.hpp; an atomic update

        moment when() const { return {tile, lane, time}; }
    };
    struct word {                               // one cache line
        uint32_t launch : 31, is_undefined : 1; // launch: that of the accesses
        past_access stored, updated, also_updated, read, also_read;
    };
    // The kinds of access, and whole reads and writes of words of tile_status.hpp.
    enum class word_access { load, store, update, whole_load, whole_store };
    static constexpr size_t word_bytes = 4, page_words = 1024;
    struct page {
        word words[page_words];
    };
    struct plain_load {
        const void *address;
        unsigned lane;
        uint32_t site;
    };

    static uintptr_t number_of(const void *address) { return reinterpret_cast<uintptr_t>(address); }
    static constexpr uint32_t launch_mask = UINT32_MAX >> 1, lane_mask = (1u << 10) - 1; // of the fields above

    static word fresh(uint32_t launch, bool is_undefined);
    word &at(uintptr_t number);
    page *make_page(uintptr_t number);
    void compact(uintptr_t number);
    void compact_all();
    void set_undefined(uintptr_t first, uintptr_t end, bool is_undefined);
    uintptr_t first_undefined(uintptr_t first, uintptr_t end) const;
    bool is_shared(uintptr_t address) const;
    std::string check(accessor by, word_access kind, const void *address, size_t bytes);
    bool is_guess(const past_access &access) const { return guesses_.count(access.site) != 0; }
    bool is_unordered(const past_access &other, unsigned lane) const;
    const past_access *race_of(word_access kind, const word &cell, const past_access &now) const;
    static void replace(past_access &old, past_access now);
    void keep(word_access kind, word &cell, const past_access &now);
    void keep_read(word &cell, const past_access &now) const;
    void keep_update(word &cell, const past_access &now) const;
    std::string name_of(const past_access &other, const word &cell) const;

    orders orders_;
    sites sites_;
    replaceable_reads replaceable_;
    std::unordered_set<uint32_t> guesses_; // sites of loads that excuse_load() has excused
    std::array<plain_load, 16> last_loads_{};
    size_t next_load_ = 0;
    std::unordered_map<uintptr_t, std::unique_ptr<page>> pages_; // those with an access
    std::deque<uintptr_t> oldest_;                               // their numbers, in the order of their first accesses
    size_t most_pages_ = SIZE_MAX;
    std::unordered_set<uintptr_t> unwritten_;                          // of the others, those without a written word
    std::unordered_map<uintptr_t, std::bitset<page_words>> undefined_; // and those with some: the others of their words
    uintptr_t last_number_ = 0;
    page *last_page_ = nullptr;
    std::map<uintptr_t, size_t> allocations_;
    std::map<uintptr_t, uintptr_t> shared_;     // first byte, end
    std::map<uintptr_t, past_access> for_host_; // this launch's stores there
    moment host_notified_;
    uint32_t launch_ = 0, lanes_ = 0;
    const void *finding_at_ = nullptr;
    bool is_contended_ = false, races_with_update_ = false;
};

} // namespace wf::host::watch
#endif
