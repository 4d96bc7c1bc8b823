// Matrices: from scipy's arrays, from and to files, products.
#include "matrices.hpp"

#include "interruptible_work.hpp"

#include "ddla/complex.hpp"

namespace ddla::python {
namespace {

template <class I>
using indices = nb::ndarray<const I, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <scalar V>
matrix matrix_of(csr_matrix<V> a)
{
    return {std::make_shared<const csr_matrix<V>>(std::move(a))};
}

/// Whether each row has ascending columns, none twice.
bool is_sorted(const std::vector<index_t>& begin, const std::vector<column_t>& column)
{
    for (std::size_t i = 0; i + 1 < begin.size(); ++i)
        for (index_t k = begin[i] + 1; k < begin[i + 1]; ++k)
            if (column[k - 1] >= column[k]) return false;
    return true;
}

/// Offsets as csr_matrix checks them, but early enough to sort by them.
void require_ascending(const std::vector<index_t>& begin, index_t rows, index_t entries)
{
    bool right =
        static_cast<index_t>(begin.size()) == rows + 1 && begin[0] == 0 && begin.back() == entries;
    for (std::size_t i = 1; right && i < begin.size(); ++i) right = begin[i - 1] <= begin[i];
    if (!right)
        throw input_error("A.indptr must have rows + 1 = " + std::to_string(rows + 1) +
                          " ascending offsets from 0 to " + std::to_string(entries));
}

/// Rows or columns, of `size` that A has; sizes that no matrix has are refused later.
template <class I>
std::vector<column_t> narrow(const indices<I>& given, const char* what, index_t size)
{
    constexpr index_t most = csr_matrix<double>::max_dimension;
    const index_t limit = size < 0 || size > most ? most : size;
    std::vector<column_t> column(given.shape(0));
    for (std::size_t k = 0; k < column.size(); ++k) {
        const I j = given.data()[k];
        if (j < 0 || j >= limit)
            throw input_error(std::string(what) + " " + std::to_string(j) + " of entry " +
                              std::to_string(k) + " is not in 0 ... " + std::to_string(limit - 1));
        column[k] = static_cast<column_t>(j);
    }
    return column;
}

template <scalar V>
std::vector<V> values_of(const vector<V>& x)
{
    return {x.begin(), x.end()};
}

template <scalar V, class I>
matrix from_rows(index_t rows, index_t columns, const indices<I>& row_begin,
                 const indices<I>& column_of, const words_in& words)
{
    vector<V> value = vector_of<V>(words);
    std::vector<index_t> begin(row_begin.data(), row_begin.data() + row_begin.shape(0));
    std::vector<column_t> column = narrow(column_of, "column", columns);
    const interruptible_work released;
    return matrix_of_rows<V>(rows, columns, std::move(begin), std::move(column), std::move(value));
}

template <scalar V, class I>
matrix from_coordinates(index_t rows, index_t columns, const indices<I>& row,
                        const indices<I>& column, const words_in& words)
{
    coordinates<V> all{rows, columns, narrow(row, "row", rows), narrow(column, "column", columns),
                       values_of(vector_of<V>(words))};
    const interruptible_work released;
    return matrix_of(csr_matrix<V>(all));
}

template <class I>
void bind_makers(nb::module_& m)
{
    m.def("from_rows",
          [](index_t rows, index_t columns, indices<I> begin, indices<I> column, words_in value) {
              return is_dd(value) ? from_rows<dd_real>(rows, columns, begin, column, value)
                                  : from_rows<double>(rows, columns, begin, column, value);
          });
    m.def("from_coordinates",
          [](index_t rows, index_t columns, indices<I> row, indices<I> column, words_in value) {
              return is_dd(value) ? from_coordinates<dd_real>(rows, columns, row, column, value)
                                  : from_coordinates<double>(rows, columns, row, column, value);
          });
}

/// The matrix, or the real form of a complex one; whether it is one; and how many values became 0
/// or keep fewer digits because they are small.
nb::tuple read_matrix_file(const nb::bytes& file, const std::string& precision,
                           std::size_t memory_limit)
{
    const std::string path = path_of(file);
    std::pair<matrix, bool> found;
    read_losses lost;
    {
        const interruptible_work released;
        found = in_precision(precision, [&]<scalar V>() {
            auto a = read_any_matrix<V>(path, 0, &lost, memory_limit);
            return std::pair(matrix_of(std::move(a.numbers)), a.is_complex);
        });
    }
    return nb::make_tuple(found.first, found.second, lost.underflowed, lost.subnormal);
}

/// Of real + i imag; in double-double if one part is.
matrix form_of(const matrix& real, const matrix& imag)
{
    const interruptible_work released;
    return std::visit(
        []<scalar V, scalar W>(const std::shared_ptr<const csr_matrix<V>>& re,
                               const std::shared_ptr<const csr_matrix<W>>& im) {
            if constexpr (std::is_same_v<V, W>)
                return matrix_of(real_form(*re, *im));
            else if constexpr (words_of<V> == 1)
                return matrix_of(real_form(widen(*re), *im));
            else
                return matrix_of(real_form(*re, widen(*im)));
        },
        real.rows, imag.rows);
}

matrix form_of_real(const matrix& real)
{
    const interruptible_work released;
    return std::visit([](const auto& m) { return matrix_of(real_form(*m)); }, real.rows);
}

void write_matrix_file(const matrix& a, const nb::bytes& file)
{
    const std::string path = path_of(file);
    const interruptible_work released;
    std::visit([&](const auto& m) { write_matrix(path, *m); }, a.rows);
}

template <scalar T>
words_out product(const matrix& a, const words_in& words, bool transposed)
{
    const vector<T> x = vector_of<T>(words);
    vector<T> y;
    {
        const interruptible_work released;
        with_rows<T>(a, [&](const auto& m) {
            y = vector<T>(transposed ? m.columns() : m.rows());
            if (transposed)
                spmv_transposed<T>(T(1), m, x, T(0), y);
            else
                spmv<T>(T(1), m, x, T(0), y);
        });
    }
    return words_of_vector(y);
}

/// row_begin, columns, values; copies.
nb::tuple arrays_of(const matrix& a)
{
    return std::visit(
        [](const auto& m) {
            const auto view = m->view();
            const auto n = static_cast<std::size_t>(view.rows) + 1;
            auto* const begin = new index_t[n];
            std::copy_n(view.row_begin.wide(), n, begin);
            const auto entries = static_cast<std::size_t>(view.nonzeros());
            auto* const column = new column_t[entries + 1];
            std::copy_n(view.column, entries, column);
            const nb::capsule begin_owner(
                begin, [](void* p) noexcept { delete[] static_cast<index_t*>(p); });
            const nb::capsule column_owner(
                column, [](void* p) noexcept { delete[] static_cast<column_t*>(p); });
            return nb::make_tuple(
                nb::ndarray<nb::numpy, index_t, nb::ndim<1>>(begin, {n}, begin_owner),
                nb::ndarray<nb::numpy, column_t, nb::ndim<1>>(column, {entries}, column_owner),
                words_of_view(view.value));
        },
        a.rows);
}

matrix transposed(const matrix& a)
{
    const interruptible_work released;
    return std::visit([](const auto& m) { return matrix_of(transpose(*m)); }, a.rows);
}

}  // namespace

template <scalar V>
matrix matrix_of_rows(index_t rows, index_t columns, std::vector<index_t> begin,
                      std::vector<column_t> column, vector<V> value)
{
    require_ascending(begin, rows, value.size());
    if (column.size() != static_cast<std::size_t>(value.size()))
        throw input_error("A has " + std::to_string(column.size()) + " indices and " +
                          std::to_string(value.size()) + " values");
    if (is_sorted(begin, column))
        return matrix_of(
            csr_matrix<V>(rows, columns, std::move(begin), std::move(column), std::move(value)));
    std::vector<column_t> row(column.size());
    for (index_t i = 0; i < rows; ++i)
        std::fill(row.begin() + begin[i], row.begin() + begin[i + 1], static_cast<column_t>(i));
    return matrix_of(csr_matrix<V>(
        coordinates<V>{rows, columns, std::move(row), std::move(column), values_of(value)}));
}
template matrix matrix_of_rows(index_t, index_t, std::vector<index_t>, std::vector<column_t>,
                               vector<double>);
template matrix matrix_of_rows(index_t, index_t, std::vector<index_t>, std::vector<column_t>,
                               vector<dd_real>);

void bind_matrices(nb::module_& m)
{
    nb::class_<matrix>(m, "matrix")
        .def_prop_ro("rows",
                     [](const matrix& a) {
                         return std::visit([](const auto& r) { return r->rows(); }, a.rows);
                     })
        .def_prop_ro("columns",
                     [](const matrix& a) {
                         return std::visit([](const auto& r) { return r->columns(); }, a.rows);
                     })
        .def_prop_ro("nonzeros",
                     [](const matrix& a) {
                         return std::visit([](const auto& r) { return r->nonzeros(); }, a.rows);
                     })
        .def_prop_ro("is_dd", [](const matrix& a) { return a.rows.index() == 1; })
        .def("arrays", arrays_of)
        .def("transposed", transposed)
        .def("product", [](const matrix& a, words_in x, bool transposed) {
            return is_dd(x) ? product<dd_real>(a, x, transposed)
                            : product<double>(a, x, transposed);
        });
    bind_makers<std::int32_t>(m);
    bind_makers<std::int64_t>(m);
    m.def("read_matrix", read_matrix_file);
    m.def("real_form", form_of);
    m.def("real_form", form_of_real);
    m.def("write_matrix", write_matrix_file);
}

}  // namespace ddla::python
