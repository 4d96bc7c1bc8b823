#include "matrix_market_read.hpp"

#include "array_values.hpp"
#include "assemble.hpp"
#include "ddla/blas.hpp"
#include "entries.hpp"
#include "entry_line.hpp"
#include "files/decimal/decimal_read.hpp"
#include "matrix_room.hpp"
#include "pieces.hpp"
#include "real_form.hpp"

#include <algorithm>
#include <atomic>

namespace ddla::text {
namespace {

/// Calls set(i, value) for the values of an array file, column by column.
template <scalar T, class Set>
void for_each_value(const array_values<T>& values, const Set& set)
{
    index_t i = 0;
    for (const std::vector<T>& piece : values)
        for (const T& value : piece) set(i++, value);
}

/// Passes on the entries of a file of either layout.
template <scalar V>
void parse_places(characters text, const header& about, sharing how, const piece_sink<V>& sink)
{
    if (about.layout == layout::coordinate) return parse_entries<V>(text, about, how, sink);
    const array_values<V> values = parse_array<V>(text, about, how);
    if constexpr (is_complex<V>) check_hermitian(text, about, values);
    give_places(about, values, how, sink);
}

}  // namespace

template <scalar V>
csr_matrix<V> market_matrix(characters text, const header& about, sharing how)
{
    if (about.is_vector) fail(text.first, "object 'vector' is not supported: a matrix is wanted");
    text.last = lis_sections(text, about).matrix.last;
    const bool complex = about.field == field::complex;
    const header form = complex ? real_form_of(about) : about;
    require_room_for_matrix<V>(text, about, how);
    entry_buckets<V> buckets(form, piece_count(text, about, how), how.workers());
    if (complex)
        parse_places<complex_number<V>>(
            text, about, how, [&](int worker, std::size_t piece, const auto& entries) {
                buckets.add(worker, piece, in_real_form(entries, about.symmetry));
            });
    else
        parse_places<V>(text, about, how, [&](int worker, std::size_t piece, const auto& entries) {
            buckets.add(worker, piece, entries);
        });
    return assemble(form, buckets, how);
}

namespace {

template <scalar T>
std::vector<vector<T>> zeros(const header& about, sharing how, index_t rows, index_t columns)
{
    require_room(about, how, sizes_of(about),
                 static_cast<double>(columns) *
                     (static_cast<double>(rows) * sizeof(T) + sizeof(vector<T>)));
    return std::vector<vector<T>>(static_cast<std::size_t>(columns), vector<T>(rows));
}

/// The columns of a matrix with their zeros.
template <scalar T>
std::vector<vector<T>> expanded(const header& about, sharing how, const csr_matrix<T>& a)
{
    auto x = zeros<T>(about, how, a.rows(), a.columns());
    const csr<T> view = a.view();
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t k = view.row_begin[i]; k < view.row_begin[i + 1]; ++k)
            x[static_cast<std::size_t>(view.column[k])].set(i, view.value.get(k));
    return x;
}

/// The columns of an array file.
template <scalar T>
std::vector<vector<T>> array_columns(characters text, const header& about, sharing how)
{
    auto x = zeros<T>(about, how, about.rows, about.columns);
    for_each_value(parse_array<T>(text, about, how), [&](index_t i, const T& value) {
        x[static_cast<std::size_t>(i / about.rows)].set(i % about.rows, value);
    });
    return x;
}

/// The real forms of the columns of a complex one.
template <scalar T>
std::vector<vector<T>> complex_array_columns(characters text, const header& about, sharing how)
{
    auto x = zeros<T>(about, how, 2 * about.rows, about.columns);
    const auto values = parse_array<complex_number<T>>(text, about, how);
    for_each_value(values, [&](index_t i, const complex_number<T>& value) {
        vector<T>& column = x[static_cast<std::size_t>(i / about.rows)];
        column.set(2 * (i % about.rows), value.real);
        column.set(2 * (i % about.rows) + 1, value.imag);
    });
    return x;
}

}  // namespace

template <scalar T>
std::vector<vector<T>> market_columns(characters text, const header& about, sharing how)
{
    const bool complex = about.field == field::complex;
    if (about.layout == layout::array && about.symmetry == symmetry::general)
        return complex ? complex_array_columns<T>(text, about, how)
                       : array_columns<T>(text, about, how);
    auto x = expanded(about, how, market_matrix<T>(text, about, how));
    if (!complex) return x;
    // Column j of the complex matrix is column 2 j of the real form.
    for (std::size_t j = 0; 2 * j < x.size(); ++j) std::swap(x[j], x[2 * j]);
    x.resize(x.size() / 2);
    return x;
}

four_word_vector market_four_words(characters text, const header& about, sharing how)
{
    require_column(about.columns, about);
    if (about.layout != layout::array || about.symmetry != symmetry::general)
        fail(about.sizes, "four words of a number are read from general array files only");
    const bool complex = about.field == field::complex;
    const index_t size = about.rows * (complex ? 2 : 1);
    require_room(about, how, sizes_of(about), 2.0 * static_cast<double>(size) * sizeof(dd_real));
    vector<dd_real> x(size), x_low(size);
    const auto set = [&](index_t i, const four_words& value) {
        x.set(i, value.high);
        x_low.set(i, value.low);
    };
    if (complex)
        for_each_value(parse_array<complex_number<four_words>>(text, about, how),
                       [&](index_t i, const complex_number<four_words>& value) {
                           set(2 * i, value.real);
                           set(2 * i + 1, value.imag);
                       });
    else
        for_each_value(parse_array<four_words>(text, about, how), set);
    return {std::move(x), std::move(x_low)};
}

void require_column(index_t columns, const header& about)
{
    if (columns != 1)
        fail(about.sizes, "a matrix of " + std::to_string(about.rows) + " x " +
                              std::to_string(columns) + " is not a vector, which has one column");
}

lis_parts lis_sections(characters text, const header& about)
{
    if (!about.has_b && !about.has_x) return {{about.data, text.last}, {}, {}};
    const auto skip = [&](const char* p, index_t lines) {
        for (; lines > 0 && (p = next_entry(p, text.last)) != text.last; --lines) {
            p = line_end(p, text.last);
            if (p != text.last) ++p;
        }
        return p;
    };
    lis_parts parts;
    const char* p = skip(about.data, about.entries);
    parts.matrix = {about.data, p};
    if (about.has_b) {
        parts.b.first = p;
        p = about.has_x ? skip(p, about.rows) : text.last;
        parts.b.last = p;
    }
    if (about.has_x) parts.x = {p, text.last};
    return parts;
}

namespace {

header header_of_part(header about, characters part)
{
    about.layout = layout::indexed;
    about.symmetry = symmetry::general;
    if (about.field != field::complex) about.field = field::real;
    about.columns = 1;
    about.entries = about.rows;
    about.data = part.first;
    return about;
}

/// Lines of an index and a value; no index comes twice.
template <scalar V>
std::vector<V> indexed_column(characters text, const header& about, sharing how)
{
    require_room(about, how, sizes_of(about), static_cast<double>(about.rows) * (sizeof(V) + 1));
    const auto rows = static_cast<std::size_t>(about.rows);
    std::vector<V> x(rows, V{});
    std::vector<std::atomic<bool>> seen(rows);
    std::atomic<std::size_t> twice = rows;
    parse_entries<V>(text, about, how, [&](int, std::size_t, const auto& entries) {
        for (const placed_entry<V>& entry : entries) {
            const auto i = static_cast<std::size_t>(entry.row);
            if (seen[i].exchange(true))
                lower_to(twice, i);
            else
                x[i] = entry.value;
        }
    });
    if (twice < rows)
        fail(about.sizes,
             "element " + std::to_string(twice + 1) + " of the vector below stands twice");
    return x;
}

}  // namespace

template <scalar V>
number_columns<V> lis_column(characters text, const header& about, sharing how, vector_part part)
{
    if (about.is_vector) return {indexed_column<V>(text, about, how)};
    const lis_parts parts = lis_sections(text, about);
    const bool is_b = part == vector_part::right_hand_side;
    const characters mine = is_b ? parts.b : parts.x;
    if (mine.first == nullptr)
        fail(about.sizes, is_b ? "the file has x but no b" : "the file has b but no x");
    return {indexed_column<V>({text.first, mine.last}, header_of_part(about, mine), how)};
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template csr_matrix<T> market_matrix(characters, const header&, sharing);                      \
    template std::vector<vector<T>> market_columns(characters, const header&, sharing);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE
#define DDLA_INSTANTIATE(T)                                                                        \
    template number_columns<T> lis_column(characters, const header&, sharing, vector_part);        \
    template number_columns<complex_number<T>> lis_column(characters, const header&, sharing,      \
                                                          vector_part);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
DDLA_INSTANTIATE(four_words)
#undef DDLA_INSTANTIATE

}  // namespace ddla::text
