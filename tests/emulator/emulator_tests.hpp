// What the parts of test_emulator share.
#ifndef WAVEFOLD_TESTS_EMULATOR_TESTS_HPP
#define WAVEFOLD_TESTS_EMULATOR_TESTS_HPP

#include "host/emulator/machine.hpp"
#include "tile.hpp"

using namespace wf;
using host::machine;
using host::order;
using source_view = array_view<const int>;
using sums_view = array_view<int>;

constexpr host::schedule schedules[] = {
    {order::forward, 0}, {order::reverse, 0}, {order::random, 1}, {order::random, 2}};

// resources.cpp
void test_many_threads(void **);
void test_fewer_threads(void **);
void test_system_memory(void **);

// schedules.cpp
void test_schedules(void **);
void test_every_tile_once(void **);

#endif
