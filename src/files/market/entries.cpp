#include "entries.hpp"

#include "complex_value.hpp"
#include "entry_line.hpp"
#include "files/raw_array.hpp"
#include "pieces.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <vector>

namespace ddla::text {
namespace {

/// The result of parsing a piece.
struct piece_result {
    index_t count = 0;
    loss_counter losses = {};
    std::optional<malformed> problem;
    const char* below_diagonal = nullptr;  ///< the first entry strictly there
    const char* above_diagonal = nullptr;
};

template <scalar V>
void check_triangle(const header& about, const placed_entry<V>& entry, const char* position,
                    piece_result& result)
{
    const column_t i = entry.row, j = entry.column;
    if (i > j && result.below_diagonal == nullptr) result.below_diagonal = position;
    if (i < j && result.above_diagonal == nullptr) result.above_diagonal = position;
    if (i == j && about.symmetry == symmetry::skew_symmetric && !is_zero(entry.value))
        fail(position, "a skew-symmetric matrix has zeros on its diagonal, but entry (" +
                           std::to_string(i + 1) + ", " + std::to_string(i + 1) + ") is not zero");
    if constexpr (is_complex<V>)
        if (i == j && about.symmetry == symmetry::hermitian && !is_real(entry.value))
            fail_hermitian(position, i);
}

template <scalar V, layout L, field F>
void parse_piece(characters text, const header& about, placed_entry<V>* to, piece_result& result)
{
    const bool triangle = about.symmetry != symmetry::general;
    const char* p = text.first;
    index_t k = 0;
    loss_counter losses = result.losses;
    try {
        for (; (p = next_entry(p, text.last)) != text.last; ++k) {
            const char* first = p;
            if constexpr (L == layout::coordinate) {
                const index_t i = parse_index(p, text.last, "row", about.rows);
                const index_t j = parse_index(p, text.last, "column", about.columns);
                to[k].row = static_cast<column_t>(i - 1);
                to[k].column = static_cast<column_t>(j - 1);
            }
            if constexpr (L == layout::indexed) {
                to[k].row = static_cast<column_t>(parse_index(p, text.last, "row", about.rows) - 1);
                to[k].column = 0;
            }
            if constexpr (F == field::complex)
                to[k].value = parse_complex<part_of<V>>(p, text.last, losses);
            else
                to[k].value = parse_value<V, F>(p, text.last, losses);
            p = expect_line_end(p, text.last);
            if constexpr (L == layout::coordinate)
                if (triangle) check_triangle(about, to[k], first, result);
        }
    } catch (malformed& problem) {
        result.problem = std::move(problem);
    }
    result.losses = losses;
    result.count = k;
}

template <scalar V>
using piece_parser = void (*)(characters, const header&, placed_entry<V>*, piece_result&);

template <scalar V>
piece_parser<V> parser_of_real(const header& about)
{
    if (about.layout == layout::array)
        return about.field == field::integer ? parse_piece<V, layout::array, field::integer>
                                             : parse_piece<V, layout::array, field::real>;
    if (about.layout == layout::indexed)
        return about.field == field::integer ? parse_piece<V, layout::indexed, field::integer>
                                             : parse_piece<V, layout::indexed, field::real>;
    switch (about.field) {
    case field::integer:
        return parse_piece<V, layout::coordinate, field::integer>;
    case field::pattern:
        return parse_piece<V, layout::coordinate, field::pattern>;
    case field::real:
    case field::complex:
        break;
    }
    return parse_piece<V, layout::coordinate, field::real>;
}

template <scalar V>
piece_parser<V> parser_for(const header& about)
{
    if constexpr (is_complex<V>) {
        if (about.layout == layout::indexed) return parse_piece<V, layout::indexed, field::complex>;
        return about.layout == layout::array ? parse_piece<V, layout::array, field::complex>
                                             : parse_piece<V, layout::coordinate, field::complex>;
    } else {
        return parser_of_real<V>(about);
    }
}

/// No entry has fewer characters: "1 1 1\n", "1 1\n", "1\n".
std::int64_t fewest_characters(const header& about)
{
    if (about.layout == layout::array) return 2;
    if (about.layout == layout::indexed) return 4;
    return about.field == field::pattern ? 4 : 6;
}

/// What the file should hold: a triangle of symmetric arrays, without the diagonal of skew ones.
std::string expectation(const header& about)
{
    const std::string count = std::to_string(about.entries);
    if (about.layout != layout::array) return "the size line declares " + count;
    const std::string shape =
        " array of " + std::to_string(about.rows) + " x " + std::to_string(about.columns) + " has ";
    switch (about.symmetry) {
    case symmetry::symmetric:
        return "a symmetric" + shape + count + ", the diagonal and below";
    case symmetry::hermitian:
        return "a hermitian" + shape + count + ", the diagonal and below";
    case symmetry::skew_symmetric:
        return "a skew-symmetric" + shape + count + ", those below the diagonal";
    case symmetry::general:
        break;
    }
    return "an" + shape + count;
}

/// Reports the first problem of the file: a malformed line, or an entry too many.
void check_pieces(characters data, const header& about, sharing how,
                  const std::vector<piece_result>& results)
{
    const char* thing = about.layout == layout::array ? "value" : "entry";
    const char* things = about.layout == layout::array ? "values" : "entries";
    index_t found = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (found + results[i].count > about.entries) {
            const characters text = piece(data, how.piece_bytes, i);
            const char* p = next_entry(text.first, text.last);
            for (index_t k = found; k < about.entries; ++k)
                p = next_entry(line_end(p, text.last), text.last);
            fail(p, "one " + std::string(thing) + " too many: " + expectation(about));
        }
        if (results[i].problem) throw *results[i].problem;
        found += results[i].count;
    }
    if (found < about.entries)
        fail(data.last - 1, "the file ends after " + std::to_string(found) + " " +
                                (found == 1 ? thing : things) + ": " + expectation(about));
}

/// A symmetric file holds one triangle.  With entries in both, a reader that mirrors them would
/// double the matrix, and one that does not would lose half of it.
void check_one_triangle(characters text, const std::vector<piece_result>& results)
{
    const char* below = nullptr;
    const char* above = nullptr;
    for (const piece_result& result : results) {
        if (below == nullptr) below = result.below_diagonal;
        if (above == nullptr) above = result.above_diagonal;
    }
    if (below == nullptr || above == nullptr) return;
    const bool above_is_second = below < above;
    const char* first = std::min(below, above);
    fail(std::max(below, above),
         std::string("this entry lies ") + (above_is_second ? "above" : "below") +
             " the diagonal and that of line " +
             std::to_string(std::count(text.first, first, '\n') + 1) +
             (above_is_second ? " below" : " above") +
             " it: a symmetric, skew-symmetric or hermitian file holds one triangle");
}

/// Memory for the entries of a piece, reused for the next one.
template <scalar V>
class scratch {
public:
    placed_entry<V>* room(std::int64_t count)
    {
        if (count > capacity_) {
            capacity_ = 0;  // also if there is no memory for more
            entries_.reset();
            entries_ = make_raw_array<placed_entry<V>>(static_cast<std::size_t>(count));
            capacity_ = count;
        }
        return entries_.get();
    }

private:
    raw_array<placed_entry<V>> entries_;
    std::int64_t capacity_ = 0;
};

}  // namespace

index_t most_entries(characters text, const header& about)
{
    return (text.last - about.data) / fewest_characters(about) + 1;
}

std::size_t piece_count(characters text, const header& about, sharing how)
{
    return count_of_pieces({about.data, text.last}, how.piece_bytes);
}

namespace {

/// The entries of all pieces, up to the first problem.
template <scalar V>
std::vector<piece_result> parse_pieces(characters data, const header& about, sharing how,
                                       const piece_sink<V>& sink)
{
    std::vector<piece_result> results(count_of_pieces(data, how.piece_bytes));
    std::vector<scratch<V>> memory(how.workers());
    std::atomic<std::size_t> first_problem = results.size();
    const piece_parser<V> parse = parser_for<V>(about);
    parallel_for(how.threads, results.size(), [&](int worker, std::size_t i) {
        if (i > first_problem) return;
        results[i].losses.counts_rounded = how.counts_rounded;
        const characters part = piece(data, how.piece_bytes, i);
        placed_entry<V>* entries = memory[static_cast<std::size_t>(worker)].room(
            part.size() / fewest_characters(about) + 1);
        parse(part, about, entries, results[i]);
        if (results[i].problem)
            lower_to(first_problem, i);
        else
            sink(worker, i, {entries, static_cast<std::size_t>(results[i].count)});
    });
    return results;
}

}  // namespace

template <scalar V>
void parse_entries(characters text, const header& about, sharing how, const piece_sink<V>& sink)
{
    const characters data{about.data, text.last};
    const std::vector<piece_result> results = parse_pieces(data, about, how, sink);
    check_pieces(data, about, how, results);
    if (about.symmetry != symmetry::general) check_one_triangle(text, results);
    if (how.lost != nullptr)
        for (const piece_result& result : results) *how.lost += result.losses.lost;
}

template <scalar V>
parsed_part parse_part(characters part, const header& about, sharing how, const piece_sink<V>& sink)
{
    parsed_part found;
    for (const piece_result& result : parse_pieces(part, about, how, sink)) {
        found.count += result.count;
        found.lost += result.losses.lost;
        found.is_malformed = found.is_malformed || result.problem.has_value();
        found.has_below = found.has_below || result.below_diagonal != nullptr;
        found.has_above = found.has_above || result.above_diagonal != nullptr;
    }
    return found;
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template parsed_part parse_part(characters, const header&, sharing, const piece_sink<T>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE
#define DDLA_INSTANTIATE(T)                                                                        \
    template void parse_entries(characters, const header&, sharing, const piece_sink<T>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
DDLA_INSTANTIATE(four_words)
DDLA_INSTANTIATE(complex_number<double>)
DDLA_INSTANTIATE(complex_number<dd_real>)
DDLA_INSTANTIATE(complex_number<four_words>)
#undef DDLA_INSTANTIATE

}  // namespace ddla::text
