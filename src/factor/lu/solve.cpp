// Solves with factors, and null vectors.
#include "factor/scaled_vectors.hpp"
#include "factors_data.hpp"

#include "ddla/error.hpp"

namespace ddla::factor {

namespace {

using detail::factors_data;

/// One side of the factors: how a solve, or one with A^T, goes through them.
struct direction {
    factor_part first, second;
    const std::vector<column_t>&in, &out;
    const std::vector<int>&scale_in, &scale_out;
};

template <scalar F>
direction forward(const factors_data<F>& f)
{
    return {factor_part::lower, factor_part::upper, f.row_of,
            f.column_of,        f.scaling.row,      f.scaling.column};
}
template <scalar F>
direction transposed_way(const factors_data<F>& f)
{
    return {factor_part::upper_transposed,
            factor_part::lower_transposed,
            f.column_of,
            f.row_of,
            f.scaling.column,
            f.scaling.row};
}

/// Systems that go through the factors together.
constexpr index_t most_together = 8;

template <scalar F, scalar T>
void solve_some(const factors_data<F>& f, const direction& way, vec<const T> b, vec<T> x)
{
    using W = wider<T, F>;
    const index_t n = f.about.n;
    std::vector<vector<W>> y;
    std::vector<vec<W>> pivots;
    std::vector<int> common;
    for (index_t first = 0; first < b.size; first += n) {
        common.push_back(common_exponent(b.part(first, n), way.scale_in));
        y.push_back(gathered<W>(b.part(first, n), way.in, way.scale_in, common.back()));
        pivots.push_back(y.back().view().part(0, f.about.rank));
    }
    const auto systems = static_cast<index_t>(y.size());
    solve_in_place(f.part(way.first), pivots.data(), systems);
    solve_in_place(f.part(way.second), pivots.data(), systems);
    for (index_t s = 0; s < systems; ++s)
        scatter<W>(y[as_size(s)].view(), f.about.rank, way.out, way.scale_out, common[as_size(s)],
                   x.part(s * n, n));
}

template <scalar F, scalar T>
void solve_all(const factors_data<F>& f, const direction& way, vec<const T> b, vec<T> x)
{
    require_complete(f.about.end);
    const index_t n = f.about.n;
    if (b.size != x.size || (n == 0 ? b.size != 0 : b.size % n != 0))
        throw input_error("solve: b has " + std::to_string(b.size) + " elements, x " +
                          std::to_string(x.size) + ", and A " + std::to_string(n) + " rows");
    for (index_t first = 0; first < b.size; first += most_together * n) {
        const index_t size = std::min(most_together * n, b.size - first);
        solve_some(f, way, b.part(first, size), x.part(first, size));
    }
}

/// z of (triangle) z = -row, where row has numbers of pivots.
template <scalar W, scalar F>
vector<W> minus_solved(const triangle<F>& t, const sparse_rows<F>& rows, index_t k)
{
    vector<W> z(t.rows());
    for (index_t e = rows.begin[as_size(k)]; e < rows.begin[as_size(k) + 1]; ++e)
        z.view().set(rows.column[as_size(e)], -W(rows.value.get(e)));
    solve_in_place(t, z.view());
    return z;
}

/// 1 in place rank + k, `pivots` before, from the order of pivots to that of A.
template <scalar T, scalar W>
vector<T> null_vector(const vector<W>& pivots, index_t k, const std::vector<column_t>& of,
                      const std::vector<int>& exponent)
{
    const index_t n = static_cast<index_t>(of.size()), rank = pivots.size();
    vector<W> y(n);
    for (index_t i = 0; i < rank; ++i) y.view().set(i, pivots.view().get(i));
    y.view().set(rank + k, W(1));
    int most = INT_MIN;
    for (index_t i = 0; i < n; ++i) {
        const double high = word<0>(y.view().get(i));
        if (high != 0) most = std::max(most, exponent_of(high) + exponent[as_size(of[as_size(i)])]);
    }
    vector<T> x(n);
    scatter<W>(std::as_const(y).view(), n, of, exponent, -most, x.view());
    return x;
}

template <scalar F>
void require_null_vector(const factors_data<F>& f, index_t k)
{
    require_complete(f.about.end);
    const index_t free = f.about.n - f.about.rank;
    if (k < 0 || k >= free)
        throw input_error("null vector " + std::to_string(k) + " of a matrix whose factors leave " +
                          std::to_string(free) + " rows without pivot");
}

}  // namespace

template <scalar F>
template <scalar T>
void factors<F>::solve(vec<const T> b, vec<T> x) const
{
    solve_all(*data_, forward(*data_), b, x);
}

template <scalar F>
template <scalar T>
void factors<F>::solve_transposed(vec<const T> b, vec<T> x) const
{
    solve_all(*data_, transposed_way(*data_), b, x);
}

template <scalar F>
template <scalar T>
uncovered_part factors<F>::uncovered(vec<const T> b) const
{
    using W = wider<T, F>;
    const factors_data<F>& f = *data_;
    require_complete(f.about.end);
    const int common = common_exponent(b, f.scaling.row);
    vector<W> y = gathered<W>(b, f.row_of, f.scaling.row, common);
    solve_in_place(f.lower, y.view().part(0, f.about.rank));
    double largest = 0;
    for (index_t i = 0; i < b.size; ++i)
        largest = std::max(
            largest, std::fabs(std::ldexp(word<0>(b.get(i)), f.scaling.row[as_size(i)] - common)));
    uncovered_part part;
    detail::row_sum<W, F> sum;
    for (index_t k = 0; k < f.rest_of_lower.rows(); ++k) {
        const W left = y.view().get(f.about.rank + k) - sum(f.rest_of_lower, k, y.view());
        const double relative = largest > 0 ? magnitude(left) / largest : 0;
        if (part.row >= 0 && relative <= part.relative) continue;
        part = {relative, f.row_of[as_size(f.about.rank + k)]};
    }
    return part;
}

template <scalar F>
template <scalar T>
vector<T> factors<F>::right_null_vector(index_t k) const
{
    const factors_data<F>& f = *data_;
    require_null_vector(f, k);
    const auto z = minus_solved<wider<T, F>>(f.upper, f.rest_of_upper, k);
    return null_vector<T>(z, k, f.column_of, f.scaling.column);
}

template <scalar F>
template <scalar T>
vector<T> factors<F>::left_null_vector(index_t k) const
{
    const factors_data<F>& f = *data_;
    require_null_vector(f, k);
    const auto z =
        minus_solved<wider<T, F>>(f.part(factor_part::lower_transposed), f.rest_of_lower, k);
    return null_vector<T>(z, k, f.row_of, f.scaling.row);
}

#define DDLA_SOLVES(F, T)                                                                          \
    template void factors<F>::solve(vec<const T>, vec<T>) const;                                   \
    template void factors<F>::solve_transposed(vec<const T>, vec<T>) const;                        \
    template uncovered_part factors<F>::uncovered(vec<const T>) const;                             \
    template vector<T> factors<F>::right_null_vector(index_t) const;                               \
    template vector<T> factors<F>::left_null_vector(index_t) const;
DDLA_SOLVES(double, double)
DDLA_SOLVES(double, dd_real)
DDLA_SOLVES(dd_real, double)
DDLA_SOLVES(dd_real, dd_real)
#undef DDLA_SOLVES

}  // namespace ddla::factor
