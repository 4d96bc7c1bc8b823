// The mode of the processor that ddla's arithmetic needs: round to nearest, subnormal numbers kept.
//
//     const ddla::fp_mode_guard exact;  // until the end of the block
//     y[0] = x[0] * 3 + ddla::dd_real(1e-300);
//
// Compilers (-ffast-math at linking) and other libraries change the mode for a whole process. Every
// function of ddla's library sets it for its own time, in its threads too; the arithmetic of the
// headers is compiled into the caller's code and runs in the caller's mode.  Cost where the mode is
// right: a few nanoseconds.
//
// Compilers do not know that arithmetic depends on the mode, and may move it out of the block. They
// cannot where operands come from memory that others may write, and results go there, as elements
// of vectors.  For other numbers say where they have to be known:
//
//     double f(double a, double b)
//     {
//         const ddla::fp_mode_guard exact;
//         exact.hold(a), exact.hold(b);
//         double c = a * b;
//         exact.hold(c);
//         return c;
//     }
#pragma once

#include <cfenv>
#include <cstdint>

namespace ddla {

/// Sets the mode of this thread; its end restores the one that was found.
class fp_mode_guard {
public:
#if defined(__x86_64__) || defined(__SSE2__)
    fp_mode_guard() noexcept : found_(__builtin_ia32_stmxcsr())
    {
        if ((found_ & bits) != 0) __builtin_ia32_ldmxcsr(found_ & ~bits);
    }
    ~fp_mode_guard()
    {
        const unsigned now = __builtin_ia32_stmxcsr();  // with the flags raised since
        if (((now ^ found_) & bits) != 0) __builtin_ia32_ldmxcsr((now & ~bits) | (found_ & bits));
    }

private:
    /// FTZ, the rounding, DAZ; flags of exceptions and their masks stay as they are.
    static constexpr unsigned bits = 0x8000 | 0x6000 | 0x0040;
    unsigned found_;
#elif defined(__aarch64__)
    fp_mode_guard() noexcept
    {
        asm volatile("mrs %0, fpcr" : "=r"(found_));
        if ((found_ & bits) != 0) set(found_ & ~bits);
    }
    ~fp_mode_guard()
    {
        std::uint64_t now;
        asm volatile("mrs %0, fpcr" : "=r"(now));
        if (((now ^ found_) & bits) != 0) set((now & ~bits) | (found_ & bits));
    }

private:
    static void set(std::uint64_t mode)
    {
        asm volatile("msr fpcr, %0" : : "r"(mode) : "memory");
    }

    static constexpr std::uint64_t bits = 0x1c00000;  ///< FZ, the rounding
    std::uint64_t found_ = 0;
#else
    fp_mode_guard() noexcept : found_(std::fegetround())
    {
        if (found_ != FE_TONEAREST) std::fesetround(FE_TONEAREST);
    }
    ~fp_mode_guard()
    {
        if (std::fegetround() != found_) std::fesetround(found_);
    }

private:
    int found_;
#endif

public:
    /// What x is made of is computed before, what is made of x behind this.
    template <class T>
    void hold(T& x) const noexcept
    {
        asm volatile("" : "+m"(x) : : "memory");
    }

    fp_mode_guard(const fp_mode_guard&) = delete;
    fp_mode_guard& operator=(const fp_mode_guard&) = delete;
};

}  // namespace ddla
