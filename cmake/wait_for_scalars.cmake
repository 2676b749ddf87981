# cmake -D in=FROM.s -D out=TO.s -P wait_for_scalars.cmake
#
# Adds to assembly for gfx12 the waits that clang 19 leaves out. Where a vector instruction has read a scalar register,
# and the register is written again, what reads it next may get what was there before, unless it waits (LLVM: "VALU read
# SGPR hazard", looked after since clang 20; Mesa: VALUReadSGPRHazard). Here a wait stands behind each such write. More
# than are needed, as nobody looks which registers vector instructions have read.
file(READ ${in} code)
if(code MATCHES "\ts_wait_alu ") # the compiler's own
    file(WRITE ${out} "${code}")
    return()
endif()
if(code MATCHES "\ts_getpc_")
    message(FATAL_ERROR "${in} counts bytes from an instruction on: no wait can be put between")
endif()

# Lines of instructions whose operands begin so get a wait behind them.
function(wf_wait_behind instructions operands wait)
    string(REGEX REPLACE "(\n\t${instructions} ${operands}[^\n]*)" "\\1\n\ts_wait_alu ${wait}" code "${code}")
    set(code "${code}" PARENT_SCOPE)
endfunction()

# Registers: s5, s[4:5]; vcc, vcc_lo. Waits: 0xfffe for what a scalar instruction has written, for what a vector
# instruction has 0xfffd in vcc, else 0xf1ff. A carry is the second operand of what it comes from.
wf_wait_behind("s_[a-z0-9_]+" "(s[[0-9]|vcc)" 0xfffe)
wf_wait_behind("v_[a-z0-9_]+" "s[[0-9]" 0xf1ff)
wf_wait_behind("v_[a-z0-9_]+" "vcc" 0xfffd)
wf_wait_behind("v_[a-z0-9_]*(_co_|div_scale_)[a-z0-9_]+" "v[^,\n]+, s[[0-9]" 0xf1ff)
wf_wait_behind("v_[a-z0-9_]*(_co_|div_scale_)[a-z0-9_]+" "v[^,\n]+, vcc" 0xfffd)

# None behind what only reads them, nor between loads, which are to follow each other.
string(REGEX REPLACE "(\n\ts_(cmp|bitcmp|load|buffer_load)[^\n]*)\n\ts_wait_alu 0xfffe" "\\1" code "${code}")
file(WRITE ${out} "${code}")
