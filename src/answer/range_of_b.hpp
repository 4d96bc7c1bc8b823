// A power of two for b, so that x has room above and below while it is computed.
//
// x of 2^k b is 2^k x, bit for bit, as long as nothing overflows or underflows: where b or x are
// near the ends of the range of doubles, or components of x are tiny beside others, that is what k
// is for.
#pragma once

#include "answer.hpp"
#include "refine/rounding.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::api {

/// Where the largest entry of b is while x is computed: at least there; where it is; and there, if
/// x has overflowed before.
constexpr int exponent_of_b = 300, lower_exponent_of_b = -200;

/// The exponent of the lowest bit that x may have, at least.
inline int lowest_bit(double x)
{
    return std::max(std::ilogb(x) - 52, -1074);
}

/// k such that the largest magnitude in 2^k b is about 2^wanted; more where bits of b would be
/// lost.
inline int power_for(vec<const dd_real> b, int wanted)
{
    double largest = 0;
    int lowest = 1023;
    for (int w = 0; w < 2; ++w)
        for (index_t i = 0; i < b.size; ++i)
            if (const double m = std::fabs(b.word(w)[i]); m > 0) {
                largest = std::max(largest, m);
                lowest = std::min(lowest, lowest_bit(m));
            }
    if (largest == 0) return 0;
    return std::max(wanted - std::ilogb(largest), std::min(0, -1074 - lowest));
}

/// What refinement works on: b and x times 2^power.
class scaled_right_hand_side {
public:
    scaled_right_hand_side(vector<dd_real>& b, int least)
        : b_(b), power_(std::max(0, power_for(std::as_const(b).view(), least)))
    {
        refine::multiply_by_power(refine::solution_view(b.view()), power_);
    }
    scaled_right_hand_side(const scaled_right_hand_side&) = delete;
    scaled_right_hand_side& operator=(const scaled_right_hand_side&) = delete;

    int power() const { return power_; }
    /// Multiplies b by less: by nothing, then so that it is small.  False if it is small already.
    bool move_down()
    {
        const int by = power_ > 0
                           ? -power_
                           : std::min(0, power_for(std::as_const(b_).view(), lower_exponent_of_b));
        if (by == 0) return false;
        refine::multiply_by_power(refine::solution_view(b_.view()), by);
        power_ += by;
        return true;
    }
    /// A guess times 2^power; 0 where that overflows.
    void take_in(refine::solution_view guess) const
    {
        refine::multiply_by_power(guess, power_);
        if (refine::first_overflow(guess, {0, guess.size()}, 0) < 0) return;
        for (index_t i = 0; i < guess.size(); ++i) guess.set_zero(i);
    }
    /// x from 2^power x.
    void give_back(refine::solution_view x) const { refine::multiply_by_power(x, -power_); }

private:
    vector<dd_real>& b_;
    int power_;
};

/// find(-power), and again with a smaller b as long as x overflows while it is computed.  `again`
/// makes the guess anew.
template <class Find, class Again>
refine::answer find_in_range(scaled_right_hand_side& b, const Find& find, const Again& again)
{
    refine::answer found = find(-b.power());
    while (found.overflowed_inside && b.move_down()) {
        again();
        found = find(-b.power());
    }
    return found;
}

}  // namespace ddla::api
