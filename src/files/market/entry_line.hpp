// The words of one line with an entry.  Inline: this is where reading spends its time.
#pragma once

#include "complex_value.hpp"
#include "ddla/read_losses.hpp"
#include "files/decimal/decimal_read.hpp"
#include "header.hpp"

#include <algorithm>

namespace ddla::text {

inline bool ends_word(const char* p, const char* last)
{
    return p == last || *p == '\n' || is_blank(*p);
}

/// The first character of the next line that is neither blank nor a comment, or `last`.
inline const char* next_entry(const char* p, const char* last)
{
    if (p != last && is_digit(*p)) return p;  // mostly
    for (;; ++p) {
        p = skip_blanks(p, last);
        if (p != last && *p == '%') p = line_end(p, last);
        if (p == last || *p != '\n') return p;
    }
}

[[noreturn, gnu::cold, gnu::noinline]] inline void fail_index(const char* p, const char* last,
                                                              const char* what, index_t limit)
{
    const std::string_view word = word_at(p, last);
    const std::string index = std::string(what) + " index";
    if (word.empty()) fail(p, "the line ends before the " + index);
    const bool negative = word.front() == '-' && word.size() > 1;
    const std::string_view digits = word.substr(negative ? 1 : 0);
    if (!std::all_of(digits.begin(), digits.end(), is_digit))
        fail(p, index + " " + quote(word) + " is not an integer");
    fail(p, index + " " + quote(word) + " is not in 1 ... " + std::to_string(limit));
}

/// An index from 1 to limit; p moves past it.
[[gnu::always_inline]] inline index_t parse_index(const char*& p, const char* last,
                                                  const char* what, index_t limit)
{
    p = skip_blanks(p, last);
    std::uint64_t value = 0;
    const char* end = scan_digits(p, last, value);
    if (end - p > short_digits || value - 1 >= static_cast<std::uint64_t>(limit) ||
        !ends_word(end, last)) [[unlikely]]
        fail_index(p, last, what, limit);
    p = end;
    return static_cast<index_t>(value);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void fail_value(const char* p, const char* last,
                                                              const char* wanted)
{
    const std::string_view word = word_at(p, last);
    if (word.empty()) fail(p, "the line ends before the value");
    fail(p, "value " + quote(word) + " is not " + wanted);
}

template <scalar V>
[[gnu::always_inline]] inline rounded<V> nearest(const scanned_number& number)
{
    if constexpr (words_of<V> == 1)
        return nearest_double(number);
    else if constexpr (words_of<V> == 4)
        return nearest_four_words(number);
    else
        return nearest_dd(number);
}

/// What the values of a piece of the text have lost so far.
struct loss_counter {
    read_losses lost = {};
    bool counts_rounded = false;  ///< takes about 50 ns for each value of more than 15 digits
};

template <scalar V>
[[gnu::cold, gnu::noinline]] void count_loss(const rounded<V>& result, loss_counter& losses)
{
    if (result.in_range)
        ++losses.lost.subnormal;
    else
        ++losses.lost.underflowed;
}

/// "1.5-2" has no one meaning.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail_number(const char* first, const char* last,
                                                               const char* end)
{
    const bool has_sign = end != nullptr && end != last && (*end == '-' || *end == '+');
    fail_value(first, last,
               has_sign ? "one number: an exponent without a letter needs a point before it and up "
                          "to three digits, as in 1.5-100"
                        : "a finite number");
}

/// A number; p moves past it.  An entry of a pattern is 1.
template <scalar V, field F>
[[gnu::always_inline]] inline V parse_value(const char*& p, const char* last, loss_counter& losses)
{
    if constexpr (F == field::pattern) return V(1);
    const char* first = skip_blanks(p, last);
    const bool plus = last - first > 1 && *first == '+' && first[1] != '-';
    const scanned_number number =
        scan_number(first + (plus ? 1 : 0), last, exponent_letter::e_or_d);
    if (number.end == nullptr || !ends_word(number.end, last)) [[unlikely]]
        fail_number(first, last, number.end);
    if (F == field::integer && !number.is_integer) [[unlikely]]
        fail_value(first, last, "an integer");
    const rounded<V> result = nearest<V>(number);
    // A number that is too small rounds to zero, which is counted; one that is too large is an
    // error.
    if (!result.in_range && !(result.value == V(0))) [[unlikely]]
        fail_value(first, last, "within the range of double");
    if (!result.in_range || result.short_word != 0) [[unlikely]]
        count_loss(result, losses);
    if constexpr (words_of<V> == 1)
        if (losses.counts_rounded && has_more_digits(number)) ++losses.lost.rounded;
    p = number.end;
    return result.value;
}

/// Its real and its imaginary part.
template <scalar V>
complex_number<V> parse_complex(const char*& p, const char* last, loss_counter& losses)
{
    const V real = parse_value<V, field::real>(p, last, losses);
    const char* next = skip_blanks(p, last);
    if (next == last || *next == '\n') [[unlikely]]
        fail(p, "the line ends before the imaginary part of the value");
    return {real, parse_value<V, field::real>(p, last, losses)};
}

inline const char* expect_line_end(const char* p, const char* last)
{
    if (p != last && *p == '\n') return p + 1;  // mostly
    p = skip_blanks(p, last);
    if (p == last) return p;
    if (*p != '\n') [[unlikely]]
        fail(p, quote(word_at(p, last)) + " follows the last word of the line");
    return p + 1;
}

}  // namespace ddla::text
