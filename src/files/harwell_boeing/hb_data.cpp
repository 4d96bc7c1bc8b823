#include "hb_data.hpp"

#include "files/market/assemble.hpp"
#include "files/market/matrix_room.hpp"
#include "files/market/real_form.hpp"
#include "number_lines.hpp"

#include <algorithm>
#include <atomic>
#include <string>

namespace ddla::text {
namespace {

/// The number that stands in the file: of a complex one, its parts are two.
template <class V>
struct parts_of {
    using type = V;
    static constexpr index_t count = 1;
};
template <class V>
struct parts_of<complex_number<V>> {
    using type = V;
    static constexpr index_t count = 2;
};

template <scalar V>
V one()
{
    if constexpr (is_complex<V>)
        return {part_of<V>(1), part_of<V>(0)};
    else
        return V(1);
}

template <scalar V>
std::vector<V> parse_values(const number_lines& lines, sharing how)
{
    if constexpr (is_complex<V>) {
        const auto parts = parse_reals<part_of<V>>(lines, how);
        std::vector<V> values;
        values.reserve(parts.size() / 2);
        for (std::size_t k = 0; k + 1 < parts.size(); k += 2)
            values.push_back({parts[k], parts[k + 1]});
        return values;
    } else {
        return parse_reals<V>(lines, how);
    }
}

/// Sections of a text, one behind the other.
class sections {
public:
    sections(const char* position, const char* last, sharing how)
        : at_(position), last_(last), how_(how)
    {
    }

    number_lines next(const fortran_format& format, const char* what, index_t count)
    {
        if (count == 0) skip_empty_line();
        number_lines lines = lines_from(at_, last_, format, what, count, how_);
        at_ = lines.end();
        return lines;
    }
    /// Numbers of the type V.
    template <class V>
    number_lines next_values(const fortran_format& format, const char* what, index_t count)
    {
        return next(format, what, count * parts_of<V>::count);
    }
    const char* at() const { return at_; }
    void expect_end() const
    {
        for (const char* p = at_; p != last_; ++p)
            if (!is_blank(*p) && *p != '\n')
                fail(p, quote(word_at(p, last_)) + " follows what the header declares");
    }

private:
    /// Which Fortran writes for no numbers.
    void skip_empty_line()
    {
        const char* const p = skip_blanks(at_, last_);
        if (p != last_ && *p == '\n') at_ = p + 1;
    }

    const char* at_;
    const char* last_;
    sharing how_;
};

/// Where each column begins among the entries, from 0, and their number.
std::vector<index_t> parse_pointers(const number_lines& lines, index_t entries, sharing how)
{
    std::vector<index_t> begin = parse_integers<index_t>(lines, entries + 1, how);
    const auto complain = [&](const std::string& cause) { fail(lines.begin.front(), cause); };
    if (begin.front() != 1)
        complain("the first pointer is " + std::to_string(begin.front()) + ", not 1");
    for (std::size_t j = 1; j < begin.size(); ++j)
        if (begin[j] < begin[j - 1])
            complain("pointer " + std::to_string(j + 1) + " is " + std::to_string(begin[j]) +
                     ", below the one before it");
    if (begin.back() != entries + 1)
        complain("the last pointer is " + std::to_string(begin.back()) + ", not " +
                 std::to_string(entries + 1) + " for " + std::to_string(entries) + " entries");
    for (index_t& one : begin) --one;
    return begin;
}

/// The line of entry k, by its index.
const char* line_of_entry(const number_lines& indices, index_t k)
{
    const index_t line = k / indices.in_line();
    const auto piece = static_cast<std::size_t>(line / indices.lines_a_piece);
    const char* p = indices.begin[piece];
    for (index_t i = line % indices.lines_a_piece; i > 0; --i) p = line_end(p, indices.end()) + 1;
    return p;
}

std::string place_of(index_t i, index_t j)
{
    return "entry (" + std::to_string(i + 1) + ", " + std::to_string(j + 1) + ")";
}

/// Entries of columns, in pieces.
template <scalar V>
struct column_entries {
    const header& shape;
    const number_lines& lines;
    const std::vector<index_t>& begin;
    const std::vector<column_t>& row;  ///< from 1
    const std::vector<V>& value;       ///< empty: all are 1
    index_t in_piece = index_t{1} << 15;

    std::size_t pieces() const
    {
        return static_cast<std::size_t>((shape.entries + in_piece - 1) / in_piece);
    }
    std::vector<placed_entry<V>> of(std::size_t piece) const
    {
        const index_t first = static_cast<index_t>(piece) * in_piece;
        const index_t last = std::min(shape.entries, first + in_piece);
        auto j = std::upper_bound(begin.begin(), begin.end(), first) - begin.begin() - 1;
        std::vector<placed_entry<V>> entries;
        entries.reserve(static_cast<std::size_t>(last - first));
        for (index_t k = first; k < last; ++k) {
            while (begin[static_cast<std::size_t>(j) + 1] <= k) ++j;
            const auto at = static_cast<std::size_t>(k);
            const placed_entry<V> entry{row[at] - 1, static_cast<column_t>(j),
                                        value.empty() ? one<V>() : value[at]};
            check(entry, k);
            entries.push_back(entry);
        }
        return entries;
    }
    /// What the symmetry of the file forbids on the diagonal.
    void check(const placed_entry<V>& entry, index_t k) const
    {
        if (entry.row != entry.column) return;
        if (shape.symmetry == symmetry::skew_symmetric && !is_zero(entry.value))
            fail(line_of_entry(lines, k),
                 "a skew-symmetric matrix has zeros on its diagonal, but " +
                     place_of(entry.row, entry.column) + " is not zero");
        if constexpr (is_complex<V>)
            if (shape.symmetry == symmetry::hermitian && !is_real(entry.value))
                fail_hermitian(line_of_entry(lines, k), entry.row);
    }
    /// A symmetric file holds one triangle.
    void check_one_triangle() const
    {
        if (shape.symmetry == symmetry::general) return;
        index_t below = -1, above = -1;
        for (std::size_t j = 0; j + 1 < begin.size() && (below < 0 || above < 0); ++j)
            for (index_t k = begin[j]; k < begin[j + 1]; ++k) {
                const auto i = static_cast<std::size_t>(row[static_cast<std::size_t>(k)] - 1);
                if (i > j && below < 0) below = k;
                if (i < j && above < 0) above = k;
            }
        if (below < 0 || above < 0) return;
        fail(line_of_entry(lines, std::max(below, above)),
             "row index " + std::to_string(std::max(below, above) + 1) + " lies " +
                 (below < above ? "above" : "below") + " the diagonal, and row index " +
                 std::to_string(std::min(below, above) + 1) +
                 " on its other side: a symmetric, "
                 "skew-symmetric or Hermitian file holds one triangle");
    }
};

/// Entries of the type V as rows of T, of complex ones the real form.
template <scalar T, scalar V>
csr_matrix<T> assembled(const column_entries<V>& all, sharing how)
{
    header form = all.shape;
    if constexpr (is_complex<V>) form = real_form_of(all.shape);
    all.check_one_triangle();
    entry_buckets<T> buckets(form, all.pieces(), how.workers());
    for_each_piece(how.threads, all.pieces(), [&](int worker, std::size_t piece) {
        const std::vector<placed_entry<V>> entries = all.of(piece);
        if constexpr (is_complex<V>)
            buckets.add(
                worker, piece,
                in_real_form<T>(std::span<const placed_entry<V>>(entries), all.shape.symmetry));
        else
            buckets.add(worker, piece, entries);
    });
    return assemble(form, buckets, how);
}

/// Where the sections of a matrix end is where its right-hand sides begin.
template <class V>
void pass_matrix(sections& all, const hb_header& about)
{
    const header& shape = about.shape;
    all.next(about.pointers, "pointer", shape.columns + 1);
    all.next(about.indices, "row index", shape.entries);
    if (shape.field != field::pattern) all.next_values<V>(about.values, "value", shape.entries);
}

/// V is the type of the numbers in the file, T that of their parts.
template <scalar T, scalar V>
csr_matrix<T> matrix_of(characters text, const hb_header& about, sharing how)
{
    const header& shape = about.shape;
    sections all(shape.data, text.last, how);
    const number_lines pointers = all.next(about.pointers, "pointer", shape.columns + 1);
    const number_lines indices = all.next(about.indices, "row index", shape.entries);
    const auto begin = parse_pointers(pointers, shape.entries, how);
    const auto row = parse_integers<column_t>(indices, shape.rows, how);
    std::vector<V> value;
    if (shape.field != field::pattern)
        value = parse_values<V>(all.next_values<V>(about.values, "value", shape.entries), how);
    if (about.sides.count == 0) all.expect_end();
    return assembled<T>(column_entries<V>{shape, indices, begin, row, value}, how);
}

/// The arrays of the file beside what A takes.
template <scalar V>
void require_room_of_matrix(characters text, const hb_header& about, sharing how)
{
    const header& shape = about.shape;
    const double complex = shape.field == field::complex ? 2 : 1;
    const double entries = static_cast<double>(std::min<index_t>(shape.entries, text.size()));
    require_room(shape, how, sizes_of(shape) + " and " + std::to_string(shape.entries) + " entries",
                 static_cast<double>(shape.rows) * complex * sizeof(index_t) +
                     entries * (sizeof(column_t) + complex * (sizeof(V) + bytes_of_entry<V>)));
}

}  // namespace

template <scalar V>
csr_matrix<V> hb_matrix(characters text, const hb_header& about, sharing how)
{
    require_room_of_matrix<V>(text, about, how);
    if (about.shape.field == field::complex)
        return matrix_of<V, complex_number<V>>(text, about, how);
    return matrix_of<V, V>(text, about, how);
}

namespace {

template <class V>
void require_room_of_columns(const header& shape, sharing how, index_t rows, index_t columns)
{
    require_room(shape, how,
                 std::to_string(columns) + " columns of " + std::to_string(rows) + " numbers",
                 2.0 * static_cast<double>(rows) * static_cast<double>(columns) * sizeof(V));
}

template <scalar V>
number_columns<V> cut(const std::vector<V>& values, index_t rows, index_t columns)
{
    number_columns<V> result;
    for (index_t j = 0; j < columns; ++j) {
        const auto begin = values.begin() + j * rows;
        result.emplace_back(begin, begin + rows);
    }
    return result;
}

/// Full columns: one behind the other, or, as some programs write them, each from a new line on.
template <scalar V>
class full_columns {
public:
    full_columns(index_t rows, index_t columns, const fortran_format& format, bool each_on_new_line)
        : rows_(rows), columns_(columns), format_(format), each_(each_on_new_line)
    {
    }
    void pass(sections& all, const char* what) const { take(all, what); }
    number_columns<V> parse(sections& all, const char* what, sharing how) const
    {
        number_columns<V> result;
        for (const number_lines& lines : take(all, what))
            for (auto& column : cut(parse_values<V>(lines, how), rows_, each_ ? 1 : columns_))
                result.push_back(std::move(column));
        return result;
    }

private:
    std::vector<number_lines> take(sections& all, const char* what) const
    {
        std::vector<number_lines> blocks;
        for (index_t j = 0; j < (each_ ? columns_ : 1); ++j)
            blocks.push_back(all.next_values<V>(format_, what, each_ ? rows_ : rows_ * columns_));
        return blocks;
    }

    index_t rows_, columns_;
    const fortran_format& format_;
    bool each_;
};

/// Sparse columns with their zeros.
template <scalar V>
number_columns<V> parse_sparse(sections& all, const fortran_format& pointers,
                               const fortran_format& indices, const fortran_format& values,
                               index_t rows, index_t columns, index_t entries, sharing how)
{
    const auto begin = parse_pointers(all.next(pointers, "pointer", columns + 1), entries, how);
    const number_lines lines = all.next(indices, "row index", entries);
    const auto row = parse_integers<column_t>(lines, rows, how);
    const auto value = parse_values<V>(all.next_values<V>(values, "value", entries), how);
    number_columns<V> result(static_cast<std::size_t>(columns),
                             std::vector<V>(static_cast<std::size_t>(rows), V{}));
    for (std::size_t j = 0; j < result.size(); ++j) {
        std::vector<bool> seen(static_cast<std::size_t>(rows));
        for (index_t k = begin[j]; k < begin[j + 1]; ++k) {
            const auto at = static_cast<std::size_t>(k);
            const auto i = static_cast<std::size_t>(row[at] - 1);
            if (seen[i])
                fail(line_of_entry(lines, k), "row " + std::to_string(i + 1) +
                                                  " stands twice in right-hand side " +
                                                  std::to_string(j + 1));
            seen[i] = true;
            result[j][i] = value[at];
        }
    }
    return result;
}

/// Whether the first column of so many numbers ends within a line that has no more of them.
template <class V>
bool ends_a_line(characters text, index_t rows, const fortran_format& format)
{
    const auto per_line = static_cast<index_t>(format.fields.size());
    const index_t numbers = rows * parts_of<V>::count;
    if (numbers % per_line == 0) return false;  // both ways are one
    for (index_t line = numbers / per_line; line > 0; --line) {
        text.first = line_end(text.first, text.last);
        if (text.first == text.last) return false;
        ++text.first;
    }
    const auto at = static_cast<std::size_t>(numbers % per_line);
    const char* const end = line_end(text.first, text.last);
    const char* const p =
        text.first + std::min<std::int64_t>(format.fields[at].offset, end - text.first);
    return skip_blanks(p, end) == end;
}

/// Whether each full column begins a line.
template <scalar V>
bool begins_new_lines(const hb_header& about, characters text)
{
    const hb_sides& s = about.sides;
    return !s.sparse && s.count > 1 && ends_a_line<V>(text, about.shape.rows, s.format);
}

void require_part(const hb_header& about, vector_part part)
{
    const hb_sides& s = about.sides;
    const bool has = part == vector_part::right_hand_side ? s.count > 0
                     : part == vector_part::guess         ? s.has_guess
                                                          : s.has_solution;
    const char* what = part == vector_part::right_hand_side ? "right-hand side"
                       : part == vector_part::guess         ? "first guess"
                                                            : "solution";
    if (s.count == 0 || !has)
        fail(about.shape.sizes, std::string("the file holds a matrix without a ") + what);
}

/// Full columns of one kind, which stand in this order.
struct full_block {
    vector_part part;
    bool is_there;
    index_t rows;
    const char* what;
};

}  // namespace

template <scalar V>
number_columns<V> hb_columns(characters text, const hb_header& about, sharing how, vector_part part)
{
    require_part(about, part);
    const hb_sides& s = about.sides;
    const index_t rows = about.shape.rows, columns = about.shape.columns;
    require_room_of_columns<V>(about.shape, how, std::max(rows, columns), s.count);
    sections all(about.shape.data, text.last, how);
    pass_matrix<V>(all, about);
    const bool each = begins_new_lines<V>(about, {all.at(), text.last});
    number_columns<V> found;
    if (s.sparse)
        found = parse_sparse<V>(all, about.pointers, about.indices, s.format, rows, s.count,
                                s.entries, part == vector_part::right_hand_side ? how : sharing{});
    const full_block blocks[] = {
        {vector_part::right_hand_side, !s.sparse, rows, "value of the right-hand sides"},
        {vector_part::guess, s.has_guess, columns, "value of the guesses"},
        {vector_part::solution, s.has_solution, columns, "value of the solutions"}};
    for (const full_block& block : blocks) {
        if (!block.is_there) continue;
        const full_columns<V> full(block.rows, s.count, s.format, each);
        if (block.part == part)
            found = full.parse(all, block.what, how);
        else
            full.pass(all, block.what);
    }
    all.expect_end();
    return found;
}

template <scalar V>
number_columns<V> rb_columns(characters text, const rb_vectors_header& about, sharing how)
{
    header shape;
    shape.sizes = about.kind;
    require_room_of_columns<V>(shape, how, about.rows, about.columns);
    sections all(about.data, text.last, how);
    const number_columns<V> result =
        about.sparse ? parse_sparse<V>(all, about.pointers, about.indices, about.values, about.rows,
                                       about.columns, about.entries, how)
                     : full_columns<V>(about.rows, about.columns, about.values, false)
                           .parse(all, "value", how);
    all.expect_end();
    return result;
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template number_columns<T> hb_columns(characters, const hb_header&, sharing, vector_part);     \
    template number_columns<T> rb_columns(characters, const rb_vectors_header&, sharing);
#define DDLA_INSTANTIATE_BOTH(T)                                                                   \
    DDLA_INSTANTIATE(T)                                                                            \
    DDLA_INSTANTIATE(complex_number<T>)
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE_BOTH)
DDLA_INSTANTIATE_BOTH(four_words)
#undef DDLA_INSTANTIATE_BOTH
#undef DDLA_INSTANTIATE
#define DDLA_INSTANTIATE(T) template csr_matrix<T> hb_matrix(characters, const hb_header&, sharing);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::text
