// The tests of test_watched in other files than the one with its list, and shared parts.
#ifndef WAVEFOLD_TESTS_WATCHED_TESTS_HPP
#define WAVEFOLD_TESTS_WATCHED_TESTS_HPP

#include "grid.hpp"
#include "host/emulator/machine.hpp"
#include "host/watched/watched.hpp"

#include <csetjmp>
#include <cstdarg>
#include <string>

extern "C" { // cmocka 1.1 leaves print_error() outside its own
#include <cmocka.h>
}

using namespace wf;
using host::order;

namespace watched_tests { // a namespace of its own: gcc warns about names that hide the library's

constexpr unsigned tile = 128, tiles = 4;
constexpr size_t count = size_t(tile) * tiles;

const host::schedule schedules[] = {{order::forward, 0}, {order::reverse, 0}, {order::random, 2}};
const unsigned widths[] = {32, 64};

using source_view = array_view<const int>;
using result_view = array_view<int>;

enum class result_is { unwritten, written };
enum class start { in_order, early };
using planted = void(source_view, result_view, ticket_view, word_view);

} // namespace watched_tests

using namespace watched_tests;

// Runs a kernel, after an earlier one if that is not null, and returns their finding.
std::string finding_of(planted *kernel, unsigned width, host::schedule schedule, result_is state,
                       host::watched &watched, start starts = start::in_order, planted *earlier = nullptr);

// counts.cpp
void test_sites(void **);
void test_counts(void **);
void test_every_count(void **);
void test_places(void **);
void test_steps_of_parted_waves(void **);
void test_counts_of_sizes(void **);

#endif
