#include "watched.hpp"

#include "../emulator/findings.hpp"
#include "../emulator/machine.hpp"

#include <bitset>
#include <mutex>
#include <optional>

namespace wf::host {

namespace {
std::mutex sessions;
watched *device_of_session = nullptr;
site last_site; // of the last access
bool has_site = false;
unsigned vain_polls = 0;
bool waits_in_vain = false;           // a lane of this launch
bool is_early = false;                // this launch starts before earlier ones end
std::bitset<largest_tile> has_waited; // for earlier launches: lanes of this tile
struct suspected_load {
    std::string finding;
    site at;
    const void *address;
    unsigned lane;
};
// A load of the lane that runs, which a compare and swap of the same address may excuse. Other loads may come between
// the two; a store or an update may depend on the value.
std::optional<suspected_load> suspect;
bool skips_meetings = false;
std::string (*name_of_cell)(size_t cell) = nullptr;
} // namespace

// The parts of the session's device that the functions of watch.hpp use.
struct watching {
    static watch::counts &counts() { return *device_of_session->counts_; }
    static watch::device_shadow &memory() { return device_of_session->memory_; }
    static const watched::named *array_of(const void *address) { return device_of_session->array_of(address); }

    // An element of a named array; of other memory, the address in units of the access.
    struct place {
        std::string array;
        size_t element;
        uint64_t index;
    };
    static place place_of(const void *address, size_t bytes) {
        const watched::named *const array = array_of(address);
        const auto at = reinterpret_cast<uintptr_t>(address);
        return array != nullptr ? place{array->array, array->element, (at - array->first) / array->element}
                                : place{"memory", bytes, at / bytes};
    }
};

watched::session::session(watched &device) {
    sessions.lock();
    device_of_session = &device;
    has_site = false;
}

watched::session::~session() {
    device_of_session = nullptr;
    sessions.unlock();
}

void watched::skip_meetings(bool are_skipped) {
    skips_meetings = are_skipped;
}

void watched::name(const char *array, const void *data, size_t bytes, size_t element) {
    const auto first = reinterpret_cast<uintptr_t>(data);
    if (data != nullptr && bytes != 0)
        names_.push_back({array, first, first + bytes, element});
}

const watched::named *watched::array_of(const void *address) const {
    const auto at = reinterpret_cast<uintptr_t>(address);
    for (const named &each : names_)
        if (each.first <= at && at < each.end)
            return &each;
    return look_up_ != nullptr && look_up_(address, found_) ? &found_ : nullptr;
}

namespace watch {

namespace {

unsigned lane() {
    return where_am_i().lane;
}

const char *verb(access kind) {
    return kind == access::load ? " read" : kind == access::store ? " wrote" : " updated";
}

} // namespace

void stands(site at) {
    last_site = at;
    has_site = true;
}

std::string place() {
    if (!has_site)
        return "";
    return " (" + name_of(last_site) + ")";
}

std::string array_name(const void *address) {
    const auto *const array = device_of_session != nullptr ? watching::array_of(address) : nullptr;
    return array != nullptr ? std::string("'").append(array->array).append("', ") : "";
}

std::string cell_name(size_t cell) {
    return name_of_cell != nullptr ? name_of_cell(cell) : "cell " + std::to_string(cell);
}

void name_cells_by(std::string (*name)(size_t cell)) {
    name_of_cell = name;
}

static void must_have_waited(const char *verb, const char *object = "") {
    if (is_early && !has_waited[lane()])
        report_of_lane(std::string(verb) + object +
                       " before it has waited for earlier kernels (wait_for_earlier_kernels())" + place());
}

// Lanes run from one meeting to the next, so the lane of the suspected load still runs.
static void report_suspect() {
    if (!suspect)
        return;
    const suspected_load load = *suspect;
    suspect.reset();
    const site now = last_site;
    stands(load.at);
    report_of_lane(load.finding);
    stands(now);
}

// Reports the finding about an access, if there is one. Counts the access, and adds events if the counts keep them.
static void record(access kind, const void *address, size_t bytes, const std::string &finding) {
    const unsigned self = lane();
    const bool is_contended = kind == access::update && watching::memory().is_contended();
    if (kind != access::load || !finding.empty() || (suspect && suspect->lane != self))
        report_suspect();
    if (!finding.empty()) {
        const auto at = watching::place_of(watching::memory().finding_at(), bytes);
        suspect = {verb(kind) + (" element " + std::to_string(at.index)) + " of '" + at.array + "'" + finding,
                   last_site, address, self};
        if (!watching::memory().races_with_update())
            report_suspect();
    }
    must_have_waited(verb(kind), " memory");
    const access_site here = {last_site, kind, false, uint32_t(bytes)};
    watching::counts().accesses(self, here, reinterpret_cast<uintptr_t>(address));
    if (is_contended)
        watching::counts().collides();
    if (!watching::counts().keeps_events())
        return;
    const auto first = watching::place_of(address, bytes);
    const size_t element = first.element < bytes ? first.element : bytes;
    for (size_t k = 0; k < bytes / element; k++)
        watching::counts().add_event(self, name_of(here), first.array, first.index + k,
                                     static_cast<const char *>(address) + k * element, uint32_t(element));
}

static device_shadow::accessor self() {
    return {lane(), last_site};
}

void device(access kind, const void *address, size_t bytes) {
    record(kind, address, bytes, watching::memory().accesses(self(), kind, address, bytes));
}

void compares(const void *address, size_t bytes) {
    if (suspect && suspect->address == address && suspect->lane == lane())
        suspect.reset();
    watching::memory().excuse_load(lane(), address, bytes);
}

void replaceable_read(const void *address, size_t bytes) {
    record(access::load, address, bytes, watching::memory().replaceable_read(self(), address, bytes));
}

void tile(access kind, const void *memory, size_t byte, size_t bytes) {
    const unsigned self = lane();
    const access_site here = {last_site, kind, true, uint32_t(bytes)};
    if (kind != access::load)
        report_suspect();
    watching::counts().accesses(self, here, byte);
    if (watching::counts().keeps_events())
        watching::counts().add_event(self, name_of(here), "", byte / bytes, static_cast<const char *>(memory) + byte,
                                     uint32_t(bytes));
}

void fence() {
    watching::memory().fence(lane());
}

void system_fence() {
    watching::memory().system_fence(lane());
}

void word_for_host() {
    must_have_waited(" notified the host");
    const std::string finding = watching::memory().notifies_host(lane());
    if (!finding.empty())
        report_of_lane(finding);
}

void word_read(const void *address) {
    record(access::load, address, sizeof(uint64_t), watching::memory().word_read(self(), address));
}

void word_written(const void *address) {
    vain_polls = 0;
    record(access::store, address, sizeof(uint64_t), watching::memory().word_written(self(), address));
}

void update_in_order(const void *address, size_t bytes) {
    record(access::update, address, bytes, watching::memory().update_in_order(self(), address, bytes));
}

// Tiles run one after the other here, so a word that a tile waits for is there already, or never will be.
bool waits() {
    constexpr unsigned most_polls = 100000;
    if (++vain_polls < most_polls)
        return true;
    report_of_lane(" waits for a tile that has not begun: it may never run while this one does (deadlock)");
    waits_in_vain = true;
    return false;
}

bool gave_up() {
    return waits_in_vain;
}

void waits_for_earlier() {
    has_waited.set(lane());
}

void begins(const launch_shape &shape) {
    is_early = shape.starts_early;
    vain_polls = 0;
    waits_in_vain = false;
    suspect.reset();
    watching::memory().begins_launch(shape.tile_size);
    watching::counts().begins(shape);
}

void begins_tile(unsigned tile) {
    has_waited.reset();
    vain_polls = 0;
    watching::memory().begins_tile(tile);
    watching::counts().begins_tile(tile);
}

void meets(meeting kind, const void *value, size_t bytes, unsigned from) {
    if (skips_meetings)
        return;
    report_suspect();
    if (kind == meeting::shuffle && watching::counts().keeps_events())
        watching::counts().add_event(lane(), "shuffle", "", from, value, uint32_t(bytes));
    watching::counts().meets(lane(), kind);
    if (kind != meeting::end)
        return;
    must_have_waited(" ended");
    const std::string finding = watching::memory().ends(lane());
    if (!finding.empty())
        report_of_lane(finding);
}

void passes_tile_barrier() {
    watching::memory().passes_tile_barrier();
}

void passes_wave_barrier(unsigned first_lane, unsigned lanes) {
    passes_barrier_of_part(first_lane, lanes < 64 ? (uint64_t(1) << lanes) - 1 : ~uint64_t(0));
}

void meets_in_part(meeting kind, bool is_first) {
    if (skips_meetings)
        return;
    watching::counts().meets_in_part(lane(), kind, is_first);
}

void passes_barrier_of_part(unsigned first_lane, uint64_t lanes) {
    watching::memory().passes_wave_barrier(first_lane, lanes);
}

void ends_tile() {
    watching::counts().ends_tile();
}

} // namespace watch
} // namespace wf::host
