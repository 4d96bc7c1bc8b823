// One source of a loop, compiled for three instruction sets, one of which is chosen at run time.
//
// The bits do not depend on the choice: all code is IEEE + - * / sqrt fma, without contraction.
// Speed does: without FMA instructions std::fma is a library call.
#pragma once

#include "ddla/views.hpp"

namespace ddla::host_backend {

enum class isa { baseline, avx2, avx512 };

/// The widest set that this processor has, or what choose_isa() asked for.
isa current_isa();
/// For tests and measurements.  Returns false, and changes nothing, if the processor lacks it.
bool choose_isa(isa wanted);

// Under AddressSanitizer there is the baseline only: with checks at every access, functions that
// have everything inlined would take ten minutes and more to compile.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
template <class F>
[[gnu::target("arch=x86-64-v4,prefer-vector-width=512"), gnu::flatten]] void
in_avx512(const F& f, index_t begin, index_t end)
{
    f(begin, end);
}
template <class F>
[[gnu::target("arch=x86-64-v3"), gnu::flatten]] void in_avx2(const F& f, index_t begin, index_t end)
{
    f(begin, end);
}
#endif

/// f(begin, end), everything that it calls inlined and compiled for the current set; where others
/// are, plain(begin, end) for the baseline: code of the same bits that is short, since there each
/// fma is a call anyway.
template <class F, class Plain>
void in_current_isa(const F& f, [[maybe_unused]] const Plain& plain, index_t begin, index_t end)
{
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
    switch (current_isa()) {
    case isa::avx512:
        return in_avx512(f, begin, end);
    case isa::avx2:
        return in_avx2(f, begin, end);
    case isa::baseline:
        return plain(begin, end);
    }
#endif
    f(begin, end);
}
template <class F>
void in_current_isa(const F& f, index_t begin, index_t end)
{
    in_current_isa(f, f, begin, end);
}

/// The same of a loop without vectors, to which only the instructions of fma matter: compiled for
/// two sets.
template <class F>
void in_isa_with_fma(const F& f, index_t begin, index_t end)
{
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
    if (current_isa() != isa::baseline) return in_avx2(f, begin, end);
#endif
    f(begin, end);
}

}  // namespace ddla::host_backend
