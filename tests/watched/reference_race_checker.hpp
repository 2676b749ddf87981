// The order of accesses in a launch, computed the slow way: for each access, all accesses that lie before it, by the
// rules of hip/host/watched/orders.hpp. The watched device keeps fewer accesses, and must report the same races.
#ifndef WAVEFOLD_TESTS_REFERENCE_RACE_CHECKER_HPP
#define WAVEFOLD_TESTS_REFERENCE_RACE_CHECKER_HPP

#include <algorithm>
#include <bitset>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

enum class access_kind { load, store, update, update_in_order, read_word, write_word, fence };
constexpr bool is_plain(access_kind kind) {
    return kind == access_kind::load || kind == access_kind::store;
}
constexpr bool is_read(access_kind kind) {
    return kind == access_kind::load || kind == access_kind::read_word;
}

class reference_race_checker {
  public:
    explicit reference_race_checker(bool wave_barriers_order) : wave_barriers_order_(wave_barriers_order) {}

    void begins_tile(unsigned tile, unsigned lanes) {
        tile_ = tile;
        lanes_.assign(lanes, {});
    }
    void passes_barrier(unsigned lanes, bool is_of_tile) {
        accesses known, fences;
        for (unsigned i = 0; i < lanes; i++) {
            known |= lanes_[i].knows;
            fences |= lanes_[i].fences;
        }
        for (unsigned i = 0; i < lanes; i++)
            if (is_of_tile || wave_barriers_order_)
                lanes_[i].knows = known;
            else
                lanes_[i].has_read |= fences;
    }
    void fence(unsigned number) {
        lane &self = lanes_[number];
        for (size_t i = 0; i < all_.size(); i++)
            if (self.has_read[i])
                self.knows |= all_[i].before;
        self.fences.set(all_.size());
        append(number, access_kind::fence, 0);
    }
    void add(unsigned number, access_kind kind, unsigned word) {
        lane &self = lanes_[number];
        if (kind == access_kind::update_in_order)
            fence(number);
        const bool is_update = kind == access_kind::update || kind == access_kind::update_in_order;
        if (is_update || kind == access_kind::read_word)
            self.has_read |= published_[word];
        if (kind == access_kind::write_word)
            published_[word] = self.fences;
        else if (is_update)
            published_[word] |= self.fences;
        if (kind == access_kind::update_in_order)
            fence(number);
        append(number, kind, word);
    }

    // Of the last access: its number, the accesses with which it races, and whether the word had been updated before.
    unsigned last() const { return unsigned(all_.size()) - 1; }
    std::vector<unsigned> races() const {
        const entry &now = all_.back();
        std::vector<unsigned> found;
        const entry *update = nullptr;
        for (unsigned i = 0; i < last(); i++)
            if (all_[i].word == now.word && is_writing(all_[i]))
                update = &all_[i];
        const bool resets = now.kind == access_kind::store && update != nullptr &&
                            update->kind != access_kind::write_word && update->tile == now.tile &&
                            update->lane == now.lane;
        for (unsigned i = 0; i < last(); i++) {
            const entry &each = all_[i];
            if (each.kind != access_kind::fence && each.word == now.word && !now.before[i] &&
                !(is_read(each.kind) && is_read(now.kind)) && (is_plain(each.kind) || is_plain(now.kind)) &&
                !(resets && is_writing(each)))
                found.push_back(i);
        }
        return found;
    }
    bool is_contended() const {
        return std::any_of(all_.begin(), all_.end() - 1,
                           [&](const entry &each) { return each.word == all_.back().word && is_writing(each); });
    }
    // The watched device keeps two reads and two updates of a word, and may miss races with others (docs/emulator.md).
    bool has_many() const {
        std::set<std::tuple<unsigned, unsigned, access_kind>> reads;
        std::set<std::tuple<unsigned, unsigned>> updates;
        for (const entry &each : all_) {
            if (each.word == all_.back().word && is_read(each.kind))
                reads.insert({each.tile, each.lane, each.kind});
            if (each.word == all_.back().word && is_writing(each))
                updates.insert({each.tile, each.lane});
        }
        return reads.size() > 2 || updates.size() > 2;
    }
    // The access in the words of findings.
    std::string name_of(unsigned number) const {
        const entry &named = all_[number];
        return ", which tile " + std::to_string(named.tile) + ", lane " + std::to_string(named.lane) +
               (is_read(named.kind)                ? " has read"
                : named.kind == access_kind::store ? " has written"
                                                   : " has updated") +
               " (accesses:" + std::to_string(number) + ") in the same launch, with nothing that orders them";
    }

  private:
    static constexpr size_t most = 128;
    using accesses = std::bitset<most>;
    struct lane {
        accesses knows, fences;
        accesses has_read; // fences: the lane knows the accesses before them from its own next fence on
    };
    struct entry {
        unsigned tile, lane, word;
        access_kind kind;
        accesses before; // with itself
    };

    static bool is_writing(const entry &each) {
        return each.kind != access_kind::fence && !is_plain(each.kind) && !is_read(each.kind);
    }
    void append(unsigned number, access_kind kind, unsigned word) {
        lanes_[number].knows.set(all_.size());
        all_.push_back({tile_, number, word, kind, lanes_[number].knows});
    }

    bool wave_barriers_order_;
    unsigned tile_ = 0;
    std::vector<lane> lanes_;
    std::vector<entry> all_;
    std::map<unsigned, accesses> published_; // by word: the fences before its writes
};

#endif
