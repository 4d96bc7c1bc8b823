// Numbers as decimal text: correctly rounded in both directions.
//
//     ddla::dd_real x = ddla::parse_dd("0.1");
//     std::string s = ddla::to_string(x);      // "0.1"
//     std::string t = ddla::to_string(x, 20);  // "1.0000000000000000000e-01"
//
// With <ddla/format.hpp> also std::format("{:.32e}", x) and fmt::format("{:.32e}", x).
#pragma once

#include "dd_real.hpp"

#include <charconv>
#include <iosfwd>
#include <string>
#include <string_view>

namespace ddla {

/// The fewest digits that read back with the same bits: "0.1",
/// "3.14159265358979323846264338327950". Fixed or scientific, whichever is shorter, as
/// std::to_chars does for double.  A low word of -0 reads back as +0; a pair that no operation
/// yields (high word not nearest to the sum) reads back as the pair of the same sum.
std::string to_string(dd_real x);

/// `digits` significant decimal digits in scientific notation, rounded from the exact value, ties
/// to even.  Throws input_error if digits < 1.
std::string to_string(dd_real x, int digits);

/// The same of x + low, where low is what x leaves of a number.
std::string to_string(dd_real x, dd_real low, int digits);

/// The dd_real nearest to the decimal number at the start of [first, last): the high word is the
/// double nearest to it, the low word the double nearest to the rest, ties to even, and the pair is
/// normalised (hi is the sum rounded to even).  Accepts what
/// std::from_chars accepts for double, with any number of digits; same errors (invalid_argument;
/// result_out_of_range, here with the value set to ±Inf or ±0).
std::from_chars_result from_chars(const char* first, const char* last, dd_real& value);

/// The whole of `text` as a number; throws input_error if it is not one, or is out of range.
dd_real parse_dd(std::string_view text);

enum class notation {
    shortest,    ///< as to_string(x); precision is ignored
    general,     ///< as %g: scientific for small and large exponents
    scientific,  ///< as %e
    fixed,       ///< as %f
};

/// How to lay out a number; the meaning of each member is that of printf and std::format.
struct number_style {
    ddla::notation notation = notation::shortest;
    int precision = 6;
    bool show_point = false;  ///< '#': keep the point and, in general notation, trailing zeros
    bool uppercase = false;
    char plus = '\0';  ///< '+' or ' ' before numbers without a minus sign
};

std::string to_string(dd_real x, const number_style& style);

/// As for double: precision(), width(), fill(), and the flags scientific, fixed, showpos,
/// showpoint, uppercase, left, right, internal.  std::hexfloat is taken as std::scientific.
std::ostream& operator<<(std::ostream& out, dd_real x);

/// Skips white space and reads the longest run of characters that can be part of a number.  Sets
/// failbit, and x to 0 if they are not a number, to ±Inf or ±0 if it is out of range.
std::istream& operator>>(std::istream& in, dd_real& x);

}  // namespace ddla
