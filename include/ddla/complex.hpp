// Complex systems as real ones of twice the size, and back.
//
//     ddla::coordinates<double> c{.rows = 2 * 2, .columns = 2 * 2};  // of a complex 2 x 2 matrix
//     ddla::add_complex(c, 0, 0, 4.0, 1.0);                          // 4 + i in row 0, column 0
//     ddla::add_complex(c, 1, 1, 2.0, 0.0);
//     const std::vector<std::complex<double>> numbers{{1, 1}, {0, 3}};
//     const auto b = ddla::real_form<ddla::dd_real>(numbers);
//     ddla::vector<ddla::dd_real> x(b.size());
//     ddla::solve(ddla::csr_matrix<double>(c), b, x);
//     const auto [real, imag] = ddla::complex_form(x);
//
// The real form is the K form of Day and Heroux, SIAM J. Sci. Comput. 23(2), 2001, permuted: the
// entry a + i b in row p, column q becomes the block
//
//     a  -b      in rows 2 p, 2 p + 1 and columns 2 q, 2 q + 1,
//     b   a
//
// and component p of a vector becomes its components 2 p (real part) and 2 p + 1 (imaginary part).
// So rows keep their neighbours, and orderings, matchings and incomplete factors see what they
// would see of the complex matrix.  Parts that are zero are not stored.  The transpose of a real
// form is that of the conjugate transpose: a Hermitian matrix has a symmetric one, a positive
// definite one a positive definite one.  2-norms, and the residual of a solve, are those of the
// complex numbers.  A and its real form have the same singular values, the latter each twice, and
// so the same condition number in the 2-norm; with each eigenvalue comes its conjugate.
#pragma once

#include "csr_matrix.hpp"

#include <complex>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace ddla {

/// real + i imag
template <scalar V>
struct complex_number {
    V real, imag;

    friend bool operator==(const complex_number& a, const complex_number& b)
    {
        return a.real == b.real && a.imag == b.imag;
    }
};

/// put(row, column, value) for each entry of the block that stands for z in row i, column j, in the
/// order of its rows.
template <scalar V, class Put>
void put_real_form(index_t i, index_t j, const complex_number<V>& z, const Put& put)
{
    const bool has_real = !(z.real == V(0)), has_imag = !(z.imag == V(0));
    if (has_real) put(2 * i, 2 * j, z.real);
    if (has_imag) put(2 * i, 2 * j + 1, -z.imag);
    if (has_imag) put(2 * i + 1, 2 * j, z.imag);
    if (has_real) put(2 * i + 1, 2 * j + 1, z.real);
}

/// Adds the entry real + i imag in row i, column j of a complex matrix to the entries of its real
/// form, whose rows and columns are twice as many.
template <scalar V>
void add_complex(coordinates<V>& entries, index_t i, index_t j, V real, V imag)
{
    put_real_form(i, j, complex_number<V>{real, imag},
                  [&](index_t row, index_t column, V value) { entries.add(row, column, value); });
}

namespace detail {

inline void require_same(index_t real, index_t imag, const char* what)
{
    if (real != imag)
        throw input_error("the real part has " + std::to_string(real) + " " + what +
                          ", the imaginary part " + std::to_string(imag));
}

inline void require_room_for_real_form(index_t n, const char* what)
{
    constexpr index_t most = csr_matrix<double>::max_dimension / 2;
    if (n > most)
        throw input_error("a complex matrix with " + std::to_string(n) + " " + what + ": at most " +
                          std::to_string(most) + " are possible");
}

/// take(column, a + i b) for the entries of row i in both parts, by ascending columns if the parts
/// have them so.
template <scalar V, class Take>
void each_complex_entry(const csr<V>& real, const csr<V>& imag, index_t i, const Take& take)
{
    index_t k = real.row_begin[i], l = imag.row_begin[i];
    const index_t k_end = real.row_begin[i + 1], l_end = imag.row_begin[i + 1];
    while (k < k_end || l < l_end) {
        const bool both = k < k_end && l < l_end;
        const bool has_real = l == l_end || (both && real.column[k] <= imag.column[l]);
        const bool has_imag = k == k_end || (both && imag.column[l] <= real.column[k]);
        const column_t column = has_real ? real.column[k] : imag.column[l];
        const V a = has_real ? real.value.get(k++) : V(0);
        const V b = has_imag ? imag.value.get(l++) : V(0);
        take(column, complex_number<V>{a, b});
    }
}

}  // namespace detail

/// The real form of real + i imag; rows are sorted by column if both parts are.  At the place of
/// `real`, made on the host.  Throws input_error unless both have one shape, or if the form would
/// have more rows or columns than a matrix can.
template <scalar V>
csr_matrix<V> real_form(const csr_matrix<V>& real, const csr_matrix<V>& imag)
{
    detail::require_same(real.rows(), imag.rows(), "rows");
    detail::require_same(real.columns(), imag.columns(), "columns");
    detail::require_room_for_real_form(real.rows(), "rows");
    detail::require_room_for_real_form(real.columns(), "columns");
    if (!real.where().is_host()) return real_form(real.to(host), imag.to(host)).to(real.where());
    if (!imag.where().is_host()) return real_form(real, imag.to(host));
    const csr<V> re = real.view(), im = imag.view();
    std::vector<index_t> begin(static_cast<std::size_t>(2 * real.rows()) + 1);
    const auto each_entry = [&](const auto& put) {
        for (index_t i = 0; i < re.rows; ++i)
            detail::each_complex_entry(re, im, i, [&](column_t j, const complex_number<V>& z) {
                put_real_form(i, index_t{j}, z, put);
            });
    };
    each_entry([&](index_t row, index_t, const V&) { ++begin[static_cast<std::size_t>(row) + 1]; });
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<index_t> next = begin;
    std::vector<column_t> column(static_cast<std::size_t>(begin.back()));
    vector<V> value(begin.back());
    const vec<V> values = value.view();
    each_entry([&](index_t row, index_t j, const V& v) {
        const index_t at = next[static_cast<std::size_t>(row)]++;
        column[static_cast<std::size_t>(at)] = static_cast<column_t>(j);
        values.set(at, v);
    });
    return {2 * re.rows, 2 * re.columns, std::move(begin), std::move(column), std::move(value)};
}

/// The real form of a real matrix, for a system whose other parts are complex.
template <scalar V>
csr_matrix<V> real_form(const csr_matrix<V>& real)
{
    const coordinates<V> nothing{.rows = real.rows(), .columns = real.columns()};
    return real_form(real, csr_matrix<V>(nothing));
}

/// The real form of real + i imag, at the place of `real`.  Throws input_error unless both have one
/// size.
template <scalar T>
vector<T> real_form(const vector<T>& real, const vector<T>& imag)
{
    detail::require_same(real.size(), imag.size(), "components");
    const vector<T> re = real.to(host), im = imag.to(host);
    vector<T> form(2 * re.size());
    for (index_t i = 0; i < re.size(); ++i) {
        form.set(2 * i, re[i]);
        form.set(2 * i + 1, im[i]);
    }
    return form.to(real.where());
}

/// The real form of real numbers.
template <scalar T>
vector<T> real_form(const vector<T>& real)
{
    return real_form(real, vector<T>(real.size()));
}

/// The real form of a range of std::complex<double>, on the host.
template <scalar T, std::ranges::input_range R>
requires std::convertible_to<std::ranges::range_reference_t<R>, std::complex<double>> vector<T>
real_form(R&& numbers)
{
    std::vector<double> parts;
    for (const std::complex<double> z : numbers) {
        parts.push_back(z.real());
        parts.push_back(z.imag());
    }
    return vector<T>(parts);
}

/// real + i imag, at one place.
template <scalar T>
struct complex_vector {
    vector<T> real, imag;
};

/// The complex numbers of a real form, with all their words, at its place.  Throws input_error for
/// an odd size.
template <scalar T>
complex_vector<T> complex_form(const vector<T>& form)
{
    if (form.size() % 2 != 0)
        throw input_error("the real form of complex numbers has an even size, not " +
                          std::to_string(form.size()));
    const vector<T> from = form.to(host);
    complex_vector<T> x{vector<T>(from.size() / 2), vector<T>(from.size() / 2)};
    for (index_t i = 0; i < x.real.size(); ++i) {
        x.real.set(i, from[2 * i]);
        x.imag.set(i, from[2 * i + 1]);
    }
    return {x.real.to(form.where()), x.imag.to(form.where())};
}

}  // namespace ddla
