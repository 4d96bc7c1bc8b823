// Matrices on a device: rows of the caller, checked once; products, solves.
#include "device.hpp"
#include "options.hpp"
#include "reports.hpp"

#include "ddla/summation.hpp"

namespace ddla::python {
namespace {

/// f(first, numbers) for blocks of an array at a place, in order.
template <class I, class F>
void for_each_block(const I* there, index_t n, place where, const F& f)
{
    constexpr index_t most = index_t{1} << 20;  // 8 MB at most: small beside the transfer's time
    std::vector<I> here(static_cast<std::size_t>(std::min(n, most)));
    for (index_t first = 0; first < n; first += most) {
        const auto count = static_cast<std::size_t>(std::min(most, n - first));
        copy_bytes(here.data(), host, there + first, where, count * sizeof(I));
        f(first, std::span<const I>(here.data(), count));
    }
}

/// What the offsets say of the rows.
struct row_lengths {
    index_t longest = 0, tiles = 0;
    std::vector<index_t> row = {}, first_tile = {};  ///< as in long_row_list
};

template <class I>
row_lengths look_at_offsets(const I* begin, index_t rows, index_t entries, place where)
{
    row_lengths found;
    index_t before = 0;
    for_each_block(begin, rows + 1, where, [&](index_t first, std::span<const I> offsets) {
        for (std::size_t k = 0; k < offsets.size(); ++k) {
            const index_t i = first + static_cast<index_t>(k), end = offsets[k];
            if (end < before || end > entries || (i == 0 && end != 0) ||
                (i == rows && end != entries))
                throw input_error("A.indptr must have rows + 1 = " + std::to_string(rows + 1) +
                                  " ascending offsets from 0 to " + std::to_string(entries) +
                                  "; number " + std::to_string(i) + " is " + std::to_string(end));
            const index_t length = end - before;
            before = end;
            found.longest = std::max(found.longest, length);
            if (length <= tile_size) continue;
            found.row.push_back(i - 1);
            found.first_tile.push_back(found.tiles);
            found.tiles += tiles(length);
        }
    });
    found.first_tile.push_back(found.tiles);
    return found;
}

void require_columns(const column_t* column, index_t entries, index_t columns, place where)
{
    for_each_block(column, entries, where, [&](index_t first, std::span<const column_t> numbers) {
        for (std::size_t k = 0; k < numbers.size(); ++k)
            if (numbers[k] < 0 || numbers[k] >= columns)
                throw input_error("entry " + std::to_string(first + static_cast<index_t>(k)) +
                                  " of A.indices is " + std::to_string(numbers[k]) +
                                  ", which is not within 0 to " + std::to_string(columns - 1));
    });
}

/// The rows as the device reads them, and what keeps them alive.
struct placed_rows {
    buffer long_rows;
    device_words value;
    std::shared_ptr<const void> arrays;
};

template <scalar V>
device_matrix matrix_there(index_t rows, index_t columns, row_offsets begin, const column_t* column,
                           const row_lengths& lengths, std::shared_ptr<placed_rows> memory)
{
    const device_words& value = memory->value;
    csr<V> a;
    a.rows = rows;
    a.columns = columns;
    a.row_begin = begin;
    a.column = column;
    a.value = device_operand<V>(value).view();
    a.longest_row = lengths.longest;
    const auto count = static_cast<index_t>(lengths.row.size());
    if (count > 0) {
        std::vector<index_t> list = lengths.row;
        list.insert(list.end(), lengths.first_tile.begin(), lengths.first_tile.end());
        memory->long_rows = buffer(list.size() * sizeof(index_t), value.at);
        copy_bytes(memory->long_rows.data(), value.at, list.data(), host,
                   memory->long_rows.bytes());
        const auto* const row = static_cast<const index_t*>(memory->long_rows.data());
        a.long_rows = {count, lengths.tiles, row, row + count};
    }
    return {a, value.at, std::move(memory)};
}

template <class I>
device_matrix rows_there(index_t rows, index_t columns, std::uintptr_t offsets,
                         std::uintptr_t column_of, const device_words& value, nb::object owner)
{
    auto memory = std::make_shared<placed_rows>();
    memory->value = value;
    memory->arrays = kept(std::move(owner));
    const auto* const begin = reinterpret_cast<const I*>(offsets);
    const auto* const column = reinterpret_cast<const column_t*>(column_of);
    const nb::gil_scoped_release released;
    stream_at(value.at).wait();  // for whoever makes the arrays
    const row_lengths lengths = look_at_offsets(begin, rows, value.size, value.at);
    require_columns(column, value.size, columns, value.at);
    return value.is_dd()
               ? matrix_there<dd_real>(rows, columns, begin, column, lengths, std::move(memory))
               : matrix_there<double>(rows, columns, begin, column, lengths, std::move(memory));
}

/// A copy at the device of a matrix of the host.
device_matrix device_matrix_of(const matrix& a, int device_index)
{
    const nb::gil_scoped_release released;
    return std::visit(
        [&]<scalar V>(const std::shared_ptr<const csr_matrix<V>>& m) -> device_matrix {
            auto there = std::make_shared<csr_matrix<V>>(m->to(device(device_index)));
            return {there->view(), there->where(), there};
        },
        a.rows);
}

template <class I>
std::vector<I> numbers_here(const I* there, index_t n, place where)
{
    std::vector<I> here(static_cast<std::size_t>(n));
    copy_bytes(here.data(), host, there, where, here.size() * sizeof(I));
    return here;
}

/// A copy at the host of a matrix at a device; made as from_rows makes it.
matrix host_matrix_of(const device_matrix& a)
{
    const nb::gil_scoped_release released;
    stream_at(a.at).wait();
    return std::visit(
        [&]<scalar V>(const csr<V>& rows) {
            std::vector<index_t> begin;
            if (rows.row_begin.is_wide()) {
                begin = numbers_here(rows.row_begin.wide(), rows.rows + 1, a.at);
            } else {
                const auto narrow = numbers_here(rows.row_begin.narrow(), rows.rows + 1, a.at);
                begin.assign(narrow.begin(), narrow.end());
            }
            vector<V> value(rows.nonzeros());
            for (int k = 0; k < words_of<V>; ++k)
                copy_bytes(value.word(k).data(), host, rows.value.word(k), a.at,
                           value.word(k).size_bytes());
            return matrix_of_rows<V>(rows.rows, rows.columns, std::move(begin),
                                     numbers_here(rows.column, rows.nonzeros(), a.at),
                                     std::move(value));
        },
        a.rows);
}

template <scalar T>
device_words product(const device_matrix& a, const device_words& words)
{
    const nb::gil_scoped_release released;
    const device_operand<T> x(words);
    return with_device_rows<T>(a, [&](const auto& rows) {
        vector<T> y(rows.rows, a.at);
        stream& on = stream_at(a.at);
        spmv(on, T(1), rows, x.view(), T(0), y.view());
        on.wait();
        return words_there(std::move(y));
    });
}

/// Returned are x, None, history, report, as the solves of the host return them.
template <scalar T>
nb::tuple solve_there(const device_matrix& a, const device_words& b_words,
                      const device_words* guess, const solve_options& o)
{
    vector<T> x;
    reported_matrix about;
    solve_report report;
    {
        const nb::gil_scoped_release released;
        stream& on = stream_at(a.at);
        const device_operand<T> b(b_words);
        with_device_rows<T>(a, [&](const auto& rows) {
            about = {rows.rows, rows.columns, rows.nonzeros()};
            x = vector<T>(rows.columns, a.at);
            if (guess) {
                const device_operand<T> first(*guess);
                copy(on, first.view(), x.view());
                on.wait();  // its zeros may go now
            }
            report = solve(on, rows, b.view(), x.view(), o);
        });
    }
    const auto [history, text] =
        reported_parts<T>(about, std::move(report), o, std::string(to_string(o.precond)));
    return nb::make_tuple(words_there(std::move(x)), nb::none(), history, text);
}

template <class Get>
auto of_rows(const Get& get)
{
    return [get](const device_matrix& a) {
        return std::visit([&](const auto& rows) { return get(rows); }, a.rows);
    };
}

}  // namespace

void bind_device_matrices(nb::module_& m)
{
    nb::class_<device_matrix>(m, "device_matrix")
        .def_prop_ro("rows", of_rows([](const auto& r) { return r.rows; }))
        .def_prop_ro("columns", of_rows([](const auto& r) { return r.columns; }))
        .def_prop_ro("nonzeros", of_rows([](const auto& r) { return r.nonzeros(); }))
        .def_prop_ro("is_dd", [](const device_matrix& a) { return a.rows.index() == 1; })
        .def_prop_ro("device", [](const device_matrix& a) { return a.at.device_index; })
        .def_prop_ro("pointers", of_rows([](const auto& r) {
                         return nb::make_tuple(reinterpret_cast<std::uintptr_t>(r.row_begin.data()),
                                               reinterpret_cast<std::uintptr_t>(r.column),
                                               reinterpret_cast<std::uintptr_t>(r.value.word(0)));
                     }))
        .def("to_host", host_matrix_of)
        .def("product", [](const device_matrix& a, const device_words& x) {
            return x.is_dd() ? product<dd_real>(a, x) : product<double>(a, x);
        });
    m.def("rows_there_32", rows_there<std::int32_t>);
    m.def("rows_there_64", rows_there<index_t>);
    m.def("matrix_there", device_matrix_of);
    m.def(
        "solve_there",
        [](const device_matrix& a, const device_words& b, const device_words* guess,
           const std::string& precision, const nb::dict& options) {
            const solve_options o = solve_options_of(options);
            return in_precision(precision,
                                [&]<scalar T>() { return solve_there<T>(a, b, guess, o); });
        },
        nb::arg("a"), nb::arg("b"), nb::arg("guess").none(), nb::arg("precision"),
        nb::arg("options"));
}

}  // namespace ddla::python
