// From a dd_real to decimal digits.
#pragma once

#include "ddla/dd_real.hpp"

#include <cstdint>
#include <string>

namespace ddla::text {

/// d.ddd * 10^exponent; no leading zeros, except that zero is "0".
struct decimal_digits {
    std::string digits;
    std::int64_t exponent = 0;
};

// Of |x|, for finite x.

/// The fewest digits that read back as x, of these the nearest to x.
decimal_digits shortest_digits(dd_real x);

/// `count` >= 1 digits of |x + low|, rounded from the exact value, ties to even; low is what x
/// leaves of a number, or any pair: the sum may be far smaller than both.
decimal_digits significant_digits_of(dd_real x, std::int64_t count, dd_real low = {0, 0});

/// x + low < 0, exactly.
bool is_negative(dd_real x, dd_real low);

/// All digits down to 10^-places.
decimal_digits fixed_digits_of(dd_real x, std::int64_t places);

/// x + low with the fewest digits from 64 on that read back with the same bits, without zeros at
/// the end.
std::string text_in_four_words(dd_real x, dd_real low);

/// The pair whose high word is the double nearest to the sum.  Arithmetic yields no other.
dd_real normalized(dd_real x);

}  // namespace ddla::text
