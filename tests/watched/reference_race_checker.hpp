// What happens before what in a launch, told the slow way: of every deed all that lie before it, by the rules of
// hip/host/watched/orders.hpp. The watched device, which remembers less, must tell the same races.
#ifndef WAVEFOLD_TESTS_REFERENCE_RACE_CHECKER_HPP
#define WAVEFOLD_TESTS_REFERENCE_RACE_CHECKER_HPP

#include <algorithm>
#include <bitset>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

enum class deed { load, store, update, update_in_order, read_word, write_word, fence };
constexpr bool is_plain(deed what) {
    return what == deed::load || what == deed::store;
}
constexpr bool is_read(deed what) {
    return what == deed::load || what == deed::read_word;
}

class reference_race_checker {
  public:
    explicit reference_race_checker(bool wave_barriers_order) : wave_barriers_order_(wave_barriers_order) {}

    void begins_tile(unsigned tile, unsigned lanes) {
        tile_ = tile;
        lanes_.assign(lanes, {});
    }
    void passes_barrier(unsigned lanes, bool is_of_tile) {
        deeds known, fences;
        for (unsigned i = 0; i < lanes; i++) {
            known |= lanes_[i].knows;
            fences |= lanes_[i].fences;
        }
        for (unsigned i = 0; i < lanes; i++)
            if (is_of_tile || wave_barriers_order_)
                lanes_[i].knows = known;
            else
                lanes_[i].told |= fences;
    }
    void fence(unsigned number) {
        lane &self = lanes_[number];
        for (size_t i = 0; i < all_.size(); i++)
            if (self.told[i])
                self.knows |= all_[i].before;
        self.fences.set(all_.size());
        add(number, deed::fence, 0);
    }
    void did(unsigned number, deed what, unsigned word) {
        lane &self = lanes_[number];
        if (what == deed::update_in_order)
            fence(number);
        const bool is_update = what == deed::update || what == deed::update_in_order;
        if (is_update || what == deed::read_word)
            self.told |= tells_[word];
        if (what == deed::write_word)
            tells_[word] = self.fences;
        else if (is_update)
            tells_[word] |= self.fences;
        if (what == deed::update_in_order)
            fence(number);
        add(number, what, word);
    }

    // Of the last deed: its number, the deeds that it races with, and whether others had updated the word before.
    unsigned last() const { return unsigned(all_.size()) - 1; }
    std::vector<unsigned> races() const {
        const entry &now = all_.back();
        std::vector<unsigned> found;
        const entry *counted = nullptr;
        for (unsigned i = 0; i < last(); i++)
            if (all_[i].word == now.word && is_writing(all_[i]))
                counted = &all_[i];
        const bool puts_back = now.what == deed::store && counted != nullptr && counted->what != deed::write_word &&
                               counted->tile == now.tile && counted->lane == now.lane;
        for (unsigned i = 0; i < last(); i++) {
            const entry &each = all_[i];
            if (each.what != deed::fence && each.word == now.word && !now.before[i] &&
                !(is_read(each.what) && is_read(now.what)) && (is_plain(each.what) || is_plain(now.what)) &&
                !(puts_back && is_writing(each)))
                found.push_back(i);
        }
        return found;
    }
    bool is_contended() const {
        return std::any_of(all_.begin(), all_.end() - 1,
                           [&](const entry &each) { return each.word == all_.back().word && is_writing(each); });
    }
    // Of reads of the word, and of updates, two are remembered, and others may not speak for more (docs/emulator.md).
    bool has_many() const {
        std::set<std::tuple<unsigned, unsigned, deed>> reads;
        std::set<std::tuple<unsigned, unsigned>> updates;
        for (const entry &each : all_) {
            if (each.word == all_.back().word && is_read(each.what))
                reads.insert({each.tile, each.lane, each.what});
            if (each.word == all_.back().word && is_writing(each))
                updates.insert({each.tile, each.lane});
        }
        return reads.size() > 2 || updates.size() > 2;
    }
    // As findings name it.
    std::string name_of(unsigned number) const {
        const entry &named = all_[number];
        return ", which tile " + std::to_string(named.tile) + ", lane " + std::to_string(named.lane) +
               (is_read(named.what)         ? " has read"
                : named.what == deed::store ? " has written"
                                            : " has updated") +
               " (deeds:" + std::to_string(number) + ") in the same launch, with nothing that orders them";
    }

  private:
    static constexpr size_t most = 128;
    using deeds = std::bitset<most>;
    struct lane {
        deeds knows, fences;
        deeds told; // fences: what lies before them is known behind the next one of its own
    };
    struct entry {
        unsigned tile, lane, word;
        deed what;
        deeds before; // itself, too
    };

    static bool is_writing(const entry &each) {
        return each.what != deed::fence && !is_plain(each.what) && !is_read(each.what);
    }
    void add(unsigned number, deed what, unsigned word) {
        lanes_[number].knows.set(all_.size());
        all_.push_back({tile_, number, word, what, lanes_[number].knows});
    }

    bool wave_barriers_order_;
    unsigned tile_ = 0;
    std::vector<lane> lanes_;
    std::vector<entry> all_;
    std::map<unsigned, deeds> tells_; // by word: the fences before what wrote it
};

#endif
