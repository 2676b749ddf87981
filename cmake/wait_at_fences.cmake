# cmake -D in=FROM.s -D out=TO.s -P wait_at_fences.cmake
#
# Adds to assembly waits that LLVM deletes as needless though they are not, of those that fences have:
#
#   before a barrier, until what the wave stored to tile memory is there: where it is an earlier round of a loop that
#   has stored it (pull request 220357, of September 2026)
#
#   behind an instruction that writes caches back, until that is done: where all of the wave's own stores have ended
#   (178316, of 2026, for gfx90a and gfx942; 135340, of clang 21, for gfx12). Before that, what was stored is not where
#   the host, or another tile, will look for it. None for caches within a tile: who stored has waited for these
#
# Each has one here, beside the compiler's own, too.
file(READ ${in} code)
string(REGEX REPLACE "\n\ts_barrier( *\n)" "\n\ts_waitcnt lgkmcnt(0)\n\ts_barrier\\1" code "${code}")
string(REPLACE "\n\ts_barrier_signal " "\n\ts_wait_dscnt 0x0\n\ts_barrier_signal " code "${code}")
string(REGEX REPLACE "(\n\tbuffer_wbl2[^\n]*)" "\\1\n\ts_waitcnt vmcnt(0)" code "${code}")
string(REGEX REPLACE "(\n\tglobal_wb scope:SCOPE_(DEV|SYS))" "\\1\n\ts_wait_storecnt 0x0" code "${code}")
file(WRITE ${out} "${code}")
