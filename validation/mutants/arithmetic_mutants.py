"""Faults of arithmetic and of the summation rule.  Their tests need no more than headers."""
from mutant import Mutant

EFT, DD, MATH = "include/ddla/eft.hpp", "include/ddla/dd_real.hpp", "include/ddla/dd_math.hpp"
CONVERSIONS, SUMMATION = "include/ddla/dd_conversions.hpp", "include/ddla/summation.hpp"
QD = "arithmetic_properties arithmetic_versus_mpfr arithmetic_versus_qd_ieee_add"
RULE = "test_summation"

MUTANTS = [
    Mutant("two_sum: the error of a is dropped", EFT,
           "return {s, (a - (s - bb)) + (b - bb)};", "return {s, b - bb};", QD),
    Mutant("two_diff: the parts of the error are swapped", EFT,
           "return {s, (a - (s - bb)) - (b + bb)};", "return {s, (b + bb) - (a - (s - bb))};", QD),
    Mutant("fast_two_sum: operands of a difference swapped", EFT,
           "return {s, b - (s - a)};", "return {s, (s - a) - b};", QD),
    Mutant("two_prod: no error", EFT, "return {p, ::fma(a, b, -p)};", "return {p, 0.0};", QD),
    Mutant("two_prod of constants: the last product is dropped", EFT,
           # Half an expression, so that it is built by itself: the compiler computes constants, and
           # it always does so without a fault that is chosen at run time.
           "a1 * b2 + a2 * b1) + a2 * b2};", "a1 * b2 + a2 * b1)};", "arithmetic_properties"),
    Mutant("dd + dd: not renormalised", DD,
           "detail::renormalized(v.value, v.error + t.error)", "dd_real(v.value, v.error + t.error)",
           QD,
           "const exact t = two_sum(x.lo, y.lo);\n"
           "    const exact v = fast_two_sum(s.value, s.error + t.value);\n"
           "    return detail::renormalized(v.value, v.error + t.error);"),
    Mutant("dd + dd: the error of the low words is dropped", DD,
           "two_sum(x.lo, y.lo)", "exact{x.lo + y.lo, 0.0}", QD),
    Mutant("dd - dd: the low words are swapped", DD,
           "two_diff(x.lo, y.lo)", "two_diff(y.lo, x.lo)", QD),
    Mutant("d - dd: the low word is added", DD, "s.error - y.lo", "s.error + y.lo", QD),
    Mutant("dd dd: a cross product is dropped", DD,
           "p.error + (x.hi * y.lo + x.lo * y.hi)", "p.error + x.hi * y.lo", QD),
    Mutant("dd dd: a cross product is contracted", DD,
           "p.error + (x.hi * y.lo + x.lo * y.hi)",
           "p.error + __builtin_fma(x.hi, y.lo, x.lo * y.hi)", QD),
    Mutant("dd d: the product is contracted", DD,
           "p.error + x.lo * b", "__builtin_fma(x.lo, b, p.error)", QD),
    Mutant("dd / dd: the third word is dropped", DD,
           "return detail::renormalized(q1, q2) + q3;", "return detail::renormalized(q1, q2);", QD),
    Mutant("dd / dd: the correction is of the first remainder", DD,
           "r1 - q2 * y", "r1 - q1 * y", QD),
    Mutant("dd / d: the error of the product is dropped", DD,
           "(s.value + ((s.error + x.lo) - p.error)) / b;", "(s.value + (s.error + x.lo)) / b;", QD),
    Mutant("dd < dd: equal numbers are less", DD,
           "(x.hi == y.hi && x.lo < y.lo)", "(x.hi == y.hi && x.lo <= y.lo)", QD),
    Mutant("sqr: the square of the low word is dropped", MATH,
           "(p.error + 2.0 * x.hi * x.lo) + x.lo * x.lo", "p.error + 2.0 * x.hi * x.lo", QD),
    Mutant("sqrt: Newton's step is twice too long", MATH,
           "residual * (r * 0.5)", "residual * r", QD),
    Mutant("sqrt: the low word is forgotten", MATH,
           "d.value + ((d.error + x.lo) - p.error)", "d.value + (d.error - p.error)", QD),
    Mutant("sqrt: the scale of small numbers is not undone", MATH,
           "0x1p-54", "0x1p-53", QD, "mul_pwr2(x, 0x1p108)), 0x1p-54)"),
    Mutant("round: the low word decides no tie", MATH,
           "return tie && x.lo != 0 && (x.lo > 0) != positive ? towards_zero : high;",
           "return high;", QD),
    Mutant("to integer: 2^53 and more go by the high word", MATH,
           "static_cast<I>(half + static_cast<I>(static_cast<std::int64_t>(x.lo)) + half)",
           "static_cast<I>(half + half)", "arithmetic_conversions"),
    Mutant("from 64-bit integer: not renormalised", CONVERSIONS,
           "*this = detail::renormalized(upper, lower);", "hi = upper, lo = lower;",
           "arithmetic_conversions"),
    Mutant("to float: the sign of the number is ignored", CONVERSIONS,
           "(x.lo > 0) == (x.hi > 0);", "x.lo > 0;", "arithmetic_conversions"),
    Mutant("fold: neighbours instead of halves", SUMMATION,
           "for (int h = tile_size / 2; h > 0; h /= 2)\n"
           "        for (int i = 0; i + h < n && i < h; ++i) term[i] = term[i] + term[i + h];",
           "for (int h = 1; h < n; h *= 2)\n"
           "        for (int i = 0; i + h < n; i += 2 * h) term[i] = term[i] + term[i + h];", RULE),
    Mutant("fold: begins at a quarter", SUMMATION, "tile_size / 2", "tile_size / 4", RULE),
    Mutant("fold: an odd term is lost", SUMMATION,
           "i + h < n && i < h", "i + h + 1 < n && i < h", RULE),
    Mutant("tiles: one too many where the last is full", SUMMATION,
           "return (n + tile_size - 1) / tile_size;", "return n / tile_size + 1;", RULE),
    Mutant("running sum: tiles of 255", SUMMATION,
           "filled_[level] == tile_size && level + 1 < levels",
           "filled_[level] == tile_size - 1 && level + 1 < levels", RULE),
    Mutant("running sum: a single last term is lost", SUMMATION,
           "if (filled_[level] > 0) carry(level);", "if (filled_[level] > 1) carry(level);", RULE),
    Mutant("several sums: the last one is not added", SUMMATION,
           "for (int k = 0; k < K; ++k) a.value[k] = a.value[k] + b.value[k];",
           "for (int k = 0; k < K - 1; ++k) a.value[k] = a.value[k] + b.value[k];", RULE),
]
