// Finding a decimal number in text.  Inline, because reading a matrix is mostly this.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace ddla::text {

/// A run of characters [first, last).
struct characters {
    const char* first = nullptr;
    const char* last = nullptr;

    std::int64_t size() const { return last - first; }
};

/// The most digits whose value always fits 64 bits.
inline constexpr int short_digits = 19;

/// (-1)^negative * D * 10^exponent, where D has the digits of `whole`, then of `fraction`.
struct scanned_number {
    const char* end = nullptr;      ///< after the number; null if there is none
    std::uint64_t significand = 0;  ///< D, unless it is long
    std::int64_t exponent = 0;
    characters whole;
    characters fraction;
    bool negative = false;
    bool is_long = false;     ///< D has more than 19 significant digits
    bool is_integer = false;  ///< neither a point nor an exponent was written
};

/// What may start an exponent: C writes 1e5, Fortran 1D5 or 1.0-100.
enum class exponent_letter { e, e_or_d };

inline bool is_digit(char c)
{
    return static_cast<unsigned char>(c - '0') < 10;
}

/// Eight digits, one a byte, the first the lowest, as a number.
inline std::uint64_t join_digits(std::uint64_t v)
{
    v = (v * 10 + (v >> 8)) & 0x00FF00FF00FF00FF;
    v = (v * 100 + (v >> 16)) & 0x0000FFFF0000FFFF;
    return (v * 10000 + (v >> 32)) & 0x00000000FFFFFFFF;
}

inline constexpr std::uint64_t powers_of_ten[] = {1,      10,      100,      1000,     10000,
                                                  100000, 1000000, 10000000, 100000000};

/// Appends the digits at p to `value` (which may wrap around); returns where they end.  Eight at a
/// time.  The number of the last ones, less than eight, is mostly unpredictable, so no branch
/// depends on it.
[[gnu::always_inline]] inline const char* scan_digits(const char* p, const char* last,
                                                      std::uint64_t& value)
{
    constexpr std::uint64_t each = 0x0101010101010101;
    while (std::endian::native == std::endian::little && last - p >= 8) {
        std::uint64_t v;
        std::memcpy(&v, p, 8);
        v ^= 0x30 * each;
        // A byte above 9 gets its top bit; a carry reaches only the following bytes.
        const std::uint64_t others = (v | (v + 0x76 * each)) & (0x80 * each);
        if (others != 0) {
            const int count = std::countr_zero(others) / 8;
            // Leading zeros are shifted in to make eight digits.
            v = (v << (-8 * count & 63)) & -static_cast<std::uint64_t>(count != 0);
            value = value * powers_of_ten[count] + join_digits(v);
            return p + count;
        }
        value = value * 100000000 + join_digits(v);
        p += 8;
    }
    for (; p != last && is_digit(*p); ++p) value = value * 10 + static_cast<unsigned>(*p - '0');
    return p;
}

/// The same where one digit is the most likely: the part before a point.
[[gnu::always_inline]] inline const char* scan_few_digits(const char* p, const char* last,
                                                          std::uint64_t& value)
{
    for (int few = 0; few < 3; ++few, ++p) {
        if (p == last || !is_digit(*p)) return p;
        value = value * 10 + static_cast<unsigned>(*p - '0');
    }
    return scan_digits(p, last, value);
}

/// Reads Fortran's exponent without a letter at the sign p: 1.234-100, .339567+2.  A number without
/// a point has none, and none has more than three digits: there the sign may as well begin another
/// number, and the number ends before it.
[[gnu::cold, gnu::noinline]] inline void scan_bare_exponent(const char* p, const char* last,
                                                            scanned_number& number)
{
    int exponent = 0;
    const char* end = p + 1;
    for (; end != last && is_digit(*end) && end - p <= 3; ++end)
        exponent = exponent * 10 + (*end - '0');
    if (number.is_integer || end == p + 1 || (end != last && is_digit(*end))) return;
    number.exponent += *p == '-' ? -exponent : exponent;
    number.end = end;
}

/// Reads an exponent at p, or leaves the number as it is.
[[gnu::always_inline]] inline void scan_exponent(const char* p, const char* last,
                                                 exponent_letter letter, scanned_number& number)
{
    const char c = static_cast<char>(*p | 0x20);
    const bool in_fortran = letter == exponent_letter::e_or_d;
    if (in_fortran && (c == '-' || c == '+')) [[unlikely]]
        return scan_bare_exponent(p, last, number);
    if (c != 'e' && !(c == 'd' && in_fortran)) return;
    ++p;
    const bool negative = p != last && *p == '-';
    if (p != last && (*p == '-' || *p == '+')) ++p;
    if (p == last || !is_digit(*p)) return;
    std::int64_t exponent = 0;
    for (; p != last && is_digit(*p); ++p)
        if (exponent < 1000000000000) exponent = exponent * 10 + (*p - '0');
    number.exponent += negative ? -exponent : exponent;
    number.is_integer = false;
    number.end = p;
}

inline std::int64_t leading_zeros(characters digits)
{
    const char* p = digits.first;
    while (p != digits.last && *p == '0') ++p;
    return p - digits.first;
}

inline std::int64_t significant_digits(const scanned_number& number)
{
    std::int64_t zeros = leading_zeros(number.whole);
    if (zeros == number.whole.size()) zeros += leading_zeros(number.fraction);
    return number.whole.size() + number.fraction.size() - zeros;
}

/// [-] digits [. digits] [e [+-] digits] at the start of [first, last); no sign +, no white space.
[[gnu::always_inline]] inline scanned_number scan_number(const char* first, const char* last,
                                                         exponent_letter letter)
{
    scanned_number number;
    const char* p = first;
    number.negative = p != last && *p == '-';
    p += number.negative ? 1 : 0;
    number.whole.first = p;
    p = scan_few_digits(p, last, number.significand);
    number.whole.last = p;
    number.is_integer = p == last || *p != '.';
    if (!number.is_integer) ++p;
    number.fraction.first = p;
    if (!number.is_integer) p = scan_digits(p, last, number.significand);
    number.fraction.last = p;
    const std::int64_t digits = number.whole.size() + number.fraction.size();
    if (digits == 0) return number;
    number.exponent = -number.fraction.size();
    number.is_long = digits > short_digits && significant_digits(number) > short_digits;
    number.end = p;
    if (p != last) scan_exponent(p, last, letter, number);
    return number;
}

}  // namespace ddla::text
