// Matrices from arrays and files, and what they are.
#include "arrays.hpp"
#include "structs.hpp"

using namespace ddla;
using namespace ddla::c;

namespace {

ddla_coordinates default_coordinates()
{
    ddla_coordinates entries = {};
    entries.index_bits = 32;
    return entries;
}

/// row_begin from 0; throws input_error before any entry is read that row_begin does not have.
std::vector<index_t> row_offsets_of(const ddla_csr& from)
{
    if (from.rows > csr_matrix<double>::max_dimension)
        throw input_error("a matrix of " + std::to_string(from.rows) +
                          " rows is too large: they are numbered with 32 bits");
    std::vector<index_t> row_begin(static_cast<std::size_t>(from.rows) + 1);
    for (std::size_t i = 0; i < row_begin.size(); ++i)
        row_begin[i] =
            from_base(index_at(from.row_begin, from.row_begin_bits, static_cast<std::int64_t>(i)),
                      from.index_base);
    if (from.index_base == 0 && row_begin.front() == 1 && row_begin.back() == from.nonzeros + 1)
        throw input_error(
            "index_base is 0, but row_begin counts from 1: index_base must be 1 (0 and 1 are "
            "allowed)");
    if (row_begin.back() != from.nonzeros)
        throw input_error("row_begin ends with " +
                          std::to_string(row_begin.back() + from.index_base) + " from index_base " +
                          std::to_string(from.index_base) + ", nonzeros is " +
                          std::to_string(from.nonzeros));
    for (std::size_t i = 0; i + 1 < row_begin.size(); ++i)
        if (row_begin[i] > row_begin[i + 1])
            throw input_error("row offsets fall from " +
                              std::to_string(row_begin[i] + from.index_base) + " to " +
                              std::to_string(row_begin[i + 1] + from.index_base) + " at row " +
                              std::to_string(static_cast<index_t>(i) + from.index_base));
    return row_begin;
}

/// Throws input_error unless the matrix has the column of entry k, both told as the caller counts.
void check_column(column_t j, std::int64_t k, const ddla_csr& from)
{
    const std::int64_t base = from.index_base;
    if (j >= from.columns)
        throw input_error("column " + std::to_string(j + base) + " of entry " +
                          std::to_string(k + base) + " is not in " + std::to_string(base) +
                          " ... " + std::to_string(from.columns - 1 + base));
}

/// Of each `parts` numbers the one with the number `part`.
template <scalar V>
csr_matrix<V> copied(const ddla_csr& from, std::int64_t part = 0, std::int64_t parts = 1)
{
    std::vector<index_t> row_begin = row_offsets_of(from);
    std::vector<column_t> column(static_cast<std::size_t>(from.nonzeros));
    vector<V> value(from.nonzeros);
    for (std::int64_t k = 0; k < from.nonzeros; ++k) {
        const column_t j =
            column_number(index_at(from.column, from.column_bits, k), from.index_base);
        check_column(j, k, from);
        column[static_cast<std::size_t>(k)] = j;
        value.set(k, value_at<V>(from, parts * k + part));
    }
    return {from.rows, from.columns, std::move(row_begin), std::move(column), std::move(value)};
}

/// The values as words at their place.
template <scalar V>
vec<const V> values_of(const ddla_csr& from)
{
    if constexpr (words_of<V> == 1)
        return {from.hi, from.nonzeros};
    else
        return {from.hi, from.lo, from.nonzeros};
}

row_offsets offsets_of(const ddla_csr& from)
{
    if (from.row_begin_bits == 32)
        return row_offsets(static_cast<const std::int32_t*>(from.row_begin));
    return row_offsets(static_cast<const index_t*>(from.row_begin));
}

template <scalar V>
csr<V> viewed(const ddla_csr& from)
{
    if (from.index_base != 0)
        throw misuse("index_base of a borrowed matrix must be 0, not " +
                     std::to_string(from.index_base));
    if (from.pairs || from.column_bits != 32)
        throw misuse("a borrowed matrix has values as words and columns of 32 bits");
    csr<V> a;
    a.rows = from.rows;
    a.columns = from.columns;
    a.row_begin = offsets_of(from);
    a.column = static_cast<const column_t*>(from.column);
    a.value = values_of<V>(from);
    return a;
}

template <scalar V>
csr_matrix<V> assembled(const ddla_coordinates& from)
{
    coordinates<V> entries;
    entries.rows = from.rows;
    entries.columns = from.columns;
    for (std::int64_t k = 0; k < from.nonzeros; ++k)
        entries.add(from_base(index_at(from.row, from.index_bits, k), from.index_base),
                    from_base(index_at(from.column, from.index_bits, k), from.index_base),
                    value_at<V>(from, k));
    return csr_matrix<V>(entries);
}

template <scalar V>
ddla_matrix* placed(csr_matrix<V> a, ddla_place at)
{
    const place to = place_of(at);
    return to.is_host() ? new_matrix(std::move(a)) : new_matrix(a.to(to));
}

}  // namespace

extern "C" {

ddla_status ddla_csr_init(ddla_csr* arrays, size_t size)
{
    return init(default_csr(), arrays, size);
}

ddla_status ddla_coordinates_init(ddla_coordinates* entries, size_t size)
{
    return init(default_coordinates(), entries, size);
}

ddla_status ddla_matrix_create(const ddla_csr* arrays, ddla_place at, ddla_matrix** a)
{
    return guarded([&] {
        auto& to = required_handle(a, "a");
        const ddla_csr from = checked_csr(arrays, "arrays");
        in_precision(precision_of_values(from),
                     [&]<scalar V>() { to = placed(copied<V>(from), at); });
    });
}

ddla_status ddla_matrix_create_complex(const ddla_csr* arrays, ddla_place at, ddla_matrix** form)
{
    return guarded([&] {
        auto& to = required_handle(form, "form");
        const ddla_csr from = checked_csr(arrays, "arrays");
        in_precision(precision_of_values(from), [&]<scalar V>() {
            to = placed(real_form(copied<V>(from, 0, 2), copied<V>(from, 1, 2)), at);
        });
    });
}

ddla_status ddla_matrix_borrow(const ddla_csr* arrays, ddla_place at, ddla_matrix** a)
{
    return guarded([&] {
        auto& to = required_handle(a, "a");
        const ddla_csr from = checked_csr(arrays, "arrays");
        in_precision(precision_of_values(from), [&]<scalar V>() {
            to = new ddla_matrix{viewed<V>(from), place_of(at)};
        });
    });
}

ddla_status ddla_matrix_assemble(const ddla_coordinates* entries, ddla_place at, ddla_matrix** a)
{
    return guarded([&] {
        auto& to = required_handle(a, "a");
        const ddla_coordinates from =
            given(&required(entries, "entries"), default_coordinates(), "entries");
        check_values(from);
        check_bits(from.index_bits, "index_bits");
        required_array(from.row, from.nonzeros, "row");
        required_array(from.column, from.nonzeros, "column");
        in_precision(precision_of_values(from),
                     [&]<scalar V>() { to = placed(assembled<V>(from), at); });
    });
}

ddla_status ddla_matrix_read(const char* file, ddla_precision values, ddla_matrix** a)
{
    return guarded([&] {
        auto& to = required_handle(a, "a");
        in_precision(values, [&]<scalar V>() {
            to = new_matrix(read_matrix<V>(&required(file, "file"), 0, &last_read()));
        });
    });
}

ddla_status ddla_matrix_write(const ddla_matrix* a, const char* file, const char* comment)
{
    return guarded([&] {
        with_matrix(a, "a", [&](const auto& m) {
            write_matrix(&required(file, "file"), m.to(host), comment ? comment : "");
        });
    });
}

ddla_status ddla_matrix_copy_to(const ddla_matrix* a, ddla_place at, ddla_matrix** copy)
{
    return guarded([&] {
        auto& to = required_handle(copy, "copy");
        with_matrix(a, "a", [&](const auto& m) { to = new_matrix(m.to(place_of(at))); });
    });
}

ddla_status ddla_matrix_transpose(const ddla_matrix* a, ddla_matrix** transposed)
{
    return guarded([&] {
        auto& to = required_handle(transposed, "transposed");
        with_matrix(a, "a", [&](const auto& m) { to = new_matrix(transpose(m)); });
    });
}

ddla_status ddla_matrix_widen(const ddla_matrix* a, ddla_matrix** in_dd)
{
    return guarded([&] {
        auto& to = required_handle(in_dd, "in_dd");
        with_matrix(a, "a", [&]<scalar V>(const csr_matrix<V>& m) {
            if constexpr (std::is_same_v<V, double>)
                to = new_matrix(widen(m.to(host)).to(m.where()));
            else
                to = new_matrix(m);
        });
    });
}

void ddla_matrix_destroy(ddla_matrix* a)
{
    delete a;
}

ddla_status ddla_matrix_shape(const ddla_matrix* a, int64_t* rows, int64_t* columns,
                              int64_t* nonzeros)
{
    return guarded([&] {
        with_matrix(a, "a", [&](const auto& m) {
            auto &r = required(rows, "rows"), &c = required(columns, "columns");
            required(nonzeros, "nonzeros") = m.nonzeros();
            r = m.rows();
            c = m.columns();
        });
    });
}

ddla_status ddla_matrix_precision(const ddla_matrix* a, ddla_precision* values)
{
    return guarded([&] {
        with_matrix(a, "a", [&]<scalar V>(const csr_matrix<V>&) {
            required(values, "values") = precision_of<V>;
        });
    });
}

ddla_status ddla_matrix_place(const ddla_matrix* a, ddla_place* at)
{
    return guarded([&] { required(at, "at") = required(a, "a").where.device_index; });
}

ddla_status ddla_matrix_diagonal(const ddla_matrix* a, ddla_vector** diagonal)
{
    return guarded([&] {
        auto& to = required_handle(diagonal, "diagonal");
        with_matrix(a, "a", [&](const auto& m) {
            to = new_vector(ddla::diagonal(m.to(host)).to(m.where()));
        });
    });
}
}
