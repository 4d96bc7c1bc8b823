// Lines of numbers in a Fortran format, parsed in parallel.
#pragma once

#include "files/market/entry_line.hpp"
#include "files/market/pieces.hpp"
#include "fortran_format.hpp"

#include <string>
#include <vector>

namespace ddla::text {

/// The lines that hold `count` numbers.
struct number_lines {
    fortran_format format;
    const char* what;  ///< "pointer", "row index", "value"
    index_t count;
    index_t lines_a_piece;
    std::vector<const char*> begin;  ///< of each piece, then the end of the lines

    index_t in_line() const { return static_cast<index_t>(format.fields.size()); }
    const char* end() const { return begin.back(); }
    std::size_t pieces() const { return begin.size() - 1; }
    /// The number of the first one in a piece.
    index_t first_of(std::size_t piece) const
    {
        return static_cast<index_t>(piece) * lines_a_piece * in_line();
    }
};

/// Throws malformed if the text ends before.
inline number_lines lines_from(const char* p, const char* last, const fortran_format& format,
                               const char* what, index_t count, sharing how)
{
    constexpr std::int64_t usual_line = 81;
    number_lines lines{format, what, count, std::max<index_t>(1, how.piece_bytes / usual_line), {}};
    const index_t all = (count + lines.in_line() - 1) / lines.in_line();
    const char* const first = p;
    for (index_t line = 0; line < all; ++line) {
        if (line % lines.lines_a_piece == 0) lines.begin.push_back(p);
        if (p == last)
            fail(p == first ? p : p - 1, "the file ends before " + std::string(what) + " " +
                                             std::to_string(line * lines.in_line() + 1) + " of " +
                                             std::to_string(count));
        p = line_end(p, last);
        if (p != last) ++p;
    }
    lines.begin.push_back(p);
    if (p - first < count)
        fail(first, "the lines are too short for " + std::to_string(count) + " numbers");
    return lines;
}

/// The field of a line without the blanks around it; fails if nothing stands there.
inline characters field_of(characters line, const format_field& where, const number_lines& lines,
                           index_t ordinal)
{
    const char* const begin = line.first + std::min<std::int64_t>(where.offset, line.size());
    const char* const end = begin + std::min<std::int64_t>(where.width, line.last - begin);
    characters field{skip_blanks(begin, end), end};
    while (field.last != field.first && is_blank(field.last[-1])) --field.last;
    if (field.size() == 0) [[unlikely]]
        fail(begin == line.last && begin != line.first ? begin - 1 : begin,
             std::string(lines.what) + " " + std::to_string(ordinal + 1) + " of " +
                 std::to_string(lines.count) + " is missing: the format is " +
                 quote(lines.format.text));
    return field;
}

/// Behind the numbers of a line nothing may stand: the format would be another one.
inline void expect_end_of_fields(characters line, int column, const number_lines& lines)
{
    const char* p = line.first + std::min<std::int64_t>(column, line.size());
    p = skip_blanks(p, line.last);
    if (p != line.last) [[unlikely]]
        fail(p, quote(word_at(p, line.last)) + " follows the last " + lines.what +
                    " of the line: the format is " + quote(lines.format.text));
}

inline index_t words_in(characters line)
{
    index_t words = 0;
    bool inside = false;
    for (const char* p = line.first; p != line.last; ++p) {
        const bool blank = is_blank(*p);
        words += !blank && !inside ? 1 : 0;
        inside = !blank;
    }
    return words;
}

/// Calls parse(field, ordinal) for `count` numbers of a line.  Where blanks part as many words,
/// these are the numbers: some programs (scipy's hb_write) are off the columns of their own format.
template <class Parse>
void for_each_in_line(characters line, const number_lines& lines, index_t ordinal, index_t count,
                      const Parse& parse)
{
    if (words_in(line) == count) {
        const char* p = line.first;
        for (index_t k = 0; k < count; ++k) {
            p = skip_blanks(p, line.last);
            const std::string_view word = word_at(p, line.last);
            parse(characters{p, p + word.size()}, ordinal + k);
            p += word.size();
        }
        return;
    }
    int column = 0;
    for (index_t k = 0; k < count; ++k) {
        const format_field& where = lines.format.fields[static_cast<std::size_t>(k)];
        parse(field_of(line, where, lines, ordinal + k), ordinal + k);
        column = where.offset + where.width;
    }
    expect_end_of_fields(line, column, lines);
}

/// The same for all numbers of a piece.
template <class Parse>
void for_each_number(const number_lines& lines, std::size_t piece, const Parse& parse)
{
    const char* const last = lines.begin[piece + 1];
    index_t ordinal = lines.first_of(piece);
    for (const char* p = lines.begin[piece]; p != last;) {
        const char* const end = line_end(p, last);
        const index_t count = std::min(lines.in_line(), lines.count - ordinal);
        for_each_in_line({p, end}, lines, ordinal, count, parse);
        ordinal += count;
        p = end == last ? end : end + 1;
    }
}

/// A number without a point, or without an exponent behind a scale factor, is another one for
/// Fortran than for other programs.
[[gnu::cold, gnu::noinline]] inline void check_one_meaning(characters field, bool is_zero,
                                                           const fortran_format& format)
{
    const std::string_view text{field.first, static_cast<std::size_t>(field.size())};
    const bool has_exponent =
        text.find_first_of("eEdD") != text.npos || text.find_first_of("+-", 1) != text.npos;
    const bool has_point = text.find('.') != text.npos;
    if (is_zero || ((has_point || format.decimals == 0) && (has_exponent || format.scale == 0)))
        return;
    const std::string cause =
        has_point
            ? "has no exponent, so that Fortran divides it by 10^" + std::to_string(format.scale)
            : "has no point, so that Fortran puts one before the last " +
                  std::to_string(format.decimals) + " digits";
    fail(field.first, "value " + quote(text) + " has two meanings: it " + cause +
                          " by the format " + quote(format.text) + ", and other programs do not");
}

/// A real number of a file; an integer in a format of integers.
template <scalar V>
V parse_field(characters field, const fortran_format& format, loss_counter& losses)
{
    const char* p = field.first;
    const V value = format.is_integer ? parse_value<V, field::integer>(p, field.last, losses)
                                      : parse_value<V, field::real>(p, field.last, losses);
    p = skip_blanks(p, field.last);
    if (p != field.last)
        fail(p, quote(word_at(p, field.last)) + " follows a value within its field");
    const bool has_point =
        std::memchr(field.first, '.', static_cast<std::size_t>(field.size())) != nullptr;
    if (!has_point || format.scale != 0) [[unlikely]]
        check_one_meaning(field, value == V(0), format);
    return value;
}

/// All numbers in their order; what they lose is counted.
template <scalar V>
std::vector<V> parse_reals(const number_lines& lines, sharing how)
{
    std::vector<V> values(static_cast<std::size_t>(lines.count));
    std::vector<loss_counter> losses(lines.pieces());
    for_each_piece(how.threads, lines.pieces(), [&](int, std::size_t piece) {
        losses[piece].counts_rounded = how.counts_rounded;
        for_each_number(lines, piece, [&](characters field, index_t k) {
            values[static_cast<std::size_t>(k)] =
                parse_field<V>(field, lines.format, losses[piece]);
        });
    });
    if (how.lost != nullptr)
        for (const loss_counter& one : losses) *how.lost += one.lost;
    return values;
}

/// All integers, each from 1 to `most`.
template <class Integer>
std::vector<Integer> parse_integers(const number_lines& lines, index_t most, sharing how)
{
    std::vector<Integer> values(static_cast<std::size_t>(lines.count));
    for_each_piece(how.threads, lines.pieces(), [&](int, std::size_t piece) {
        for_each_number(lines, piece, [&](characters field, index_t k) {
            const std::string_view text{field.first, static_cast<std::size_t>(field.size())};
            std::uint64_t value = 0;
            const char* end = scan_digits(field.first, field.last, value);
            const bool whole = end == field.last;
            if (!whole || text.size() > short_digits || value < 1 ||
                value > static_cast<std::uint64_t>(most)) [[unlikely]]
                fail(field.first, std::string(lines.what) + " " + quote(text) +
                                      (whole ? " is not in 1 ... " + std::to_string(most)
                                             : " is not a positive integer"));
            values[static_cast<std::size_t>(k)] = static_cast<Integer>(value);
        });
    });
    return values;
}

}  // namespace ddla::text
