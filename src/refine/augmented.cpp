// The augmented system of least squares.
#include "augmented.hpp"

#include "storage/transposed.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ddla::refine {
namespace {

/// The power of two at or below the smallest of the largest magnitudes in rows of m; 1 if all are
/// zero.
template <scalar V>
double alpha_of(const csr<V>& m)
{
    double smallest = HUGE_VAL;
    for (index_t i = 0; i < m.rows; ++i) {
        double largest = 0;
        for (index_t e = m.row_begin[i]; e < m.row_begin[i + 1]; ++e)
            largest = std::max(largest, std::fabs(m.value.word(0)[e]));
        if (largest > 0) smallest = std::min(smallest, largest);
    }
    if (smallest == HUGE_VAL) return 1;
    return std::ldexp(1.0, std::clamp(std::ilogb(smallest), -900, 900));
}

/// Appends rows to a matrix.
template <scalar V>
struct row_writer {
    std::vector<index_t> begin{0};
    std::vector<column_t> column;
    std::vector<V> value;

    void add(index_t j, V v)
    {
        column.push_back(static_cast<column_t>(j));
        value.push_back(v);
    }
    /// Row i of m, its columns further right.
    void add_row(const csr<V>& m, index_t i, index_t right)
    {
        for (index_t e = m.row_begin[i]; e < m.row_begin[i + 1]; ++e)
            add(m.column[e] + right, m.value.get(e));
    }
    void end_row() { begin.push_back(static_cast<index_t>(column.size())); }
    csr_matrix<V> matrix(index_t n)
    {
        vector<V> values(static_cast<index_t>(value.size()));
        for (std::size_t k = 0; k < value.size(); ++k)
            values.view().set(static_cast<index_t>(k), value[k]);
        return {n, n, std::move(begin), std::move(column), std::move(values)};
    }
};

}  // namespace

bool can_augment(index_t rows, index_t columns)
{
    return rows + columns <= csr_matrix<double>::max_dimension;
}

template <scalar V>
augmented_system<V> augmented(const csr<V>& a, vec<const dd_real> b)
{
    const csr_matrix<V> at = transposed(a);
    const bool is_tall = a.rows >= a.columns;
    const csr<V> upper = is_tall ? a : at.view(), lower = is_tall ? at.view() : a;
    const index_t n = upper.rows + lower.rows;
    const double alpha = alpha_of(lower);
    row_writer<V> k;
    for (index_t i = 0; i < upper.rows; ++i) {
        k.add(i, V(alpha));
        k.add_row(upper, i, upper.rows);
        k.end_row();
    }
    for (index_t i = 0; i < lower.rows; ++i) {
        k.add_row(lower, i, 0);
        k.end_row();
    }
    vector<dd_real> right(n);
    const index_t first = is_tall ? 0 : upper.rows;
    for (index_t i = 0; i < b.size; ++i) right.set(first + i, b.get(i));
    const component_range x =
        is_tall ? component_range{upper.rows, n} : component_range{0, upper.rows};
    return {k.matrix(n), std::move(right), x, alpha};
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template augmented_system<V> augmented(const csr<V>&, vec<const dd_real>);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
