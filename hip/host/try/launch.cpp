#define WF_TRY_LIBRARY
#include "launch.hpp"

#include "memory/device_arrays.hpp"
#include "memory/launched_types.hpp"
#include "memory/tile_arrays.hpp"
#include "memory/touches.hpp"
#include "modes/recognition.hpp"
#include "runtime/last_error.hpp"
#include "stop.hpp"
#include "user_device.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

namespace wf::tried {

namespace {

// Each check takes about 100 ns, and a user waits 2 s for an answer.
constexpr uint64_t most_checked_lanes = uint64_t(1) << 18; // of a launch
constexpr uint64_t least_checks = uint64_t(1) << 18;       // for each launch
uint64_t checks_of_all = uint64_t(1) << 22;                // that are left for all launches

launch_count counted;
launching *now = nullptr;                 // null: no kernel runs
const erased_launch *of_kernel = nullptr; // then

// Of a launch with many lanes some tiles are checked: the first ones, the last ones and one of `every` between.
struct {
    unsigned tiles = 0, every = 1;
    unsigned running = UINT32_MAX; // the tile that runs
    bool has_left_out = false;     // a tile ran without checks
    bool has(unsigned tile) const { return tile % every == 0 || tile < 4 || tile + 4 >= tiles; }
} sampled;

uint64_t product(const dim3 &of) {
    return uint64_t(of.x) * of.y * of.z;
}

std::string text_of(const dim3 &of) {
    return std::to_string(of.x) + (of.y == 1 && of.z == 1 ? "" : " x " + std::to_string(of.y)) +
           (of.z == 1 ? "" : " x " + std::to_string(of.z));
}

// What a GPU refuses; "": nothing.
std::string invalid(const launch_shape &shape) {
    constexpr uint64_t most_wide = (uint64_t(1) << 31) - 1, most_high = 65535, most_tiles = UINT32_MAX;
    const dim3 &grid = shape.grid, &block = shape.block;
    if (product(block) == 0 || product(block) > host::largest_tile || block.z > 64)
        return "blocks of " + text_of(block) + " threads: a block has 1 to 1024, and at most 64 in z";
    if (product(grid) == 0 || grid.x > most_wide || grid.y > most_high || grid.z > most_high)
        return "a grid of " + text_of(grid) + " blocks: it has at least 1, at most 65535 in y and in z";
    if (product(grid) > most_tiles)
        return "a grid of " + text_of(grid) + " blocks: the emulated device has at most 4294967295";
    if (shape.tile_bytes > host::tile_memory_bytes)
        return std::to_string(shape.tile_bytes) + " bytes of shared memory: a block has at most " +
               std::to_string(host::tile_memory_bytes);
    return "";
}

// As long as the process: findings and shapes of launches point to it.
const char *lasting(const char *name) {
    static std::unordered_set<std::string> &names = *new std::unordered_set<std::string>;
    return names.emplace(name).first->c_str();
}

void note_pointers(const erased_launch &what) {
    for (size_t i = 0; i < what.pointer_count; i++) {
        const pointer_argument &pointer = what.pointers[i];
        device_array *const array = array_of(pointer.address);
        if (array == nullptr || !array->holds(pointer.address))
            continue;
        if (pointer.element != 0)
            array->element = pointer.element;
        note_type(array->data, pointer.kind);
        if (array->kind == memory_kind::managed && array->written_end == 0)
            note_filled(array->data, array->bytes);
    }
}

// The tile's memory with the launch's own array.
tile_block block_of(const launch_shape &shape) {
    static const tile_block &all = *new tile_block(find_tile_block(0));
    tile_block block = all;
    block.of_launched = "as many as its launch gives it";
    set_launched_bytes(block, shape.tile_bytes);
    return block;
}

// Of elements that tiles without checks may have written.
void trust_arguments(const erased_launch &what) {
    for (size_t i = 0; i < what.pointer_count; i++) {
        const device_array *const array = array_of(what.pointers[i].address);
        if (array != nullptr && !what.pointers[i].is_constant)
            mark_written(array->data, array->bytes);
    }
}

void run(const erased_launch &what, const tile_block &tile) {
    user_device &device = the_device();
    const auto tiles = unsigned(product(what.shape.grid)), lanes = unsigned(product(what.shape.block));
    const uint64_t all = uint64_t(tiles) * lanes;
    const uint64_t most_checks = std::max(least_checks, checks_of_all / 2);
    sampled = {tiles, unsigned((all + most_checked_lanes - 1) / most_checked_lanes)};
    counted.all++;
    device.machine->name_kernel(lasting(what.kernel));
    present_answer().kernel = what.kernel;
    present_answer().tile_size = lanes;
    present_answer().now.has_finding = false;
    set_launch_shape(what.shape.grid, what.shape.block);
    bool was_sampled = false;
    {
        const host::watched::session session(*device.watched);
        const touching touches(tile, what.arguments, what.argument_bytes);
        limit_checks(most_checks);
        launching launched(*device.machine);
        now = &launched;
        of_kernel = &what;
        device.machine->launch(tiles, lanes, tile.bytes, [&] {
            what.run(what.arguments);
            check_late_load();
        });
        now = nullptr;
        host::watched::skip_meetings(false);
        const uint64_t left = checks_left();
        checks_of_all -= std::min(checks_of_all, most_checks - left);
        was_sampled = sampled.every > 1 || left == 0;
    }
    counted.sampled += was_sampled;
    if (was_sampled)
        trust_arguments(what);
}

} // namespace

void refuse_launch() {
    set_last_error(cudaErrorInvalidConfiguration);
}

void begin_lane() {
    now->begins_lane(__builtin_frame_address(0));
    enter_lane();
    const unsigned tile = host::where_am_i().tile;
    if (tile == sampled.running)
        return;
    sampled.running = tile;
    const bool is_checked = sampled.has(tile) && checks_left() != 0;
    pause_checks(!is_checked);
    if (!is_checked && !std::exchange(sampled.has_left_out, true))
        trust_arguments(*of_kernel); // later tiles may read what this one leaves
    host::watched::skip_meetings(!is_checked);
}

void launch(const erased_launch &what) {
    if (now != nullptr)
        stop("kernel " + present_answer().kernel + " launches kernel " + what.kernel + " (line " +
             std::to_string(what.line) + "): a launch by a kernel (dynamic parallelism) is not supported");
    std::string why = invalid(what.shape);
    const tile_block tile = block_of(what.shape);
    const size_t tile_bytes = static_bytes_of(what.kernel) + what.shape.tile_bytes;
    if (why.empty() && tile_bytes > host::tile_memory_bytes)
        why = std::to_string(tile_bytes) + " bytes of shared memory: a block has at most " +
              std::to_string(host::tile_memory_bytes);
    if (!why.empty()) {
        add_note(present_answer(), std::string("the launch of ") + what.kernel + " (line " + std::to_string(what.line) +
                                       ") is invalid: " + why);
        set_last_error(cudaErrorInvalidConfiguration);
        return;
    }
    note_pointers(what);
    run(what, tile);
}

void allow_checks(uint64_t of_all_launches) {
    checks_of_all = of_all_launches;
}

launch_count launches() {
    return counted;
}

user_device &the_device() {
    static user_device one = {nullptr, nullptr};
    return one;
}

void use_machine(unsigned wave_width, const host::schedule &order) {
    width_of_waves = int(wave_width);
    the_device().watched = &device_in_use();
    the_device().machine = new host::machine(wave_width, order, 1);
    the_device().machine->leave_tile_memory_to_kernels();
    if (wave_width == 32) // as NVIDIA's GPUs since Volta
        the_device().machine->let_returned_lanes_arrive();
}

} // namespace wf::tried
