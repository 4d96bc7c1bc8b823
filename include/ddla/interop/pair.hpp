// dd_pair: a double-double as others hold it in arrays, {hi, lo} side by side, aligned to 16 bytes.
//
// NVIDIA's cuda::fp64mp2 (<cuda/fpmp>) and the double-doubles of cuDSS have this layout:
//
//     // theirs: the address of n numbers at the place of x, where x has n
//     ddla::interleave(x, std::span(reinterpret_cast<ddla::dd_pair*>(theirs), n));
#pragma once

#include "../dd_real.hpp"

namespace ddla {

struct alignas(16) dd_pair {
    double hi;
    double lo;

    dd_pair() = default;
    DDLA_HD constexpr dd_pair(dd_real x) : hi(x.hi), lo(x.lo) {}
    /// The words as they are: that lo is at most half an ulp of hi is the caller's part.
    DDLA_HD constexpr operator dd_real() const { return {hi, lo}; }
};

}  // namespace ddla
