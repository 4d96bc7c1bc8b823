// What a matrix looks like: one pass over its rows, and one that compares it with its transpose.
#include "ddla/matrix_info.hpp"

#include "ddla/fp_mode.hpp"

#include <algorithm>
#include <cmath>

namespace ddla {
namespace {

// Sums of magnitudes in double-double, so that "dominant" does not hang on a rounding error.
dd_real magnitude(double x)
{
    return std::abs(x);
}
dd_real magnitude(dd_real x)
{
    return abs(x);
}

bool is_finite(double x)
{
    return std::isfinite(x);
}
bool is_finite(dd_real x)
{
    return std::isfinite(x.hi) && std::isfinite(x.lo);
}

double leading(double x)
{
    return x;
}
double leading(dd_real x)
{
    return x.hi;
}

/// The bin that holds `length`: 0, 1, 2, 3-4, 5-8, …
row_length_bin bin_of(index_t length)
{
    if (length <= 1) return {length, length, 0};
    index_t to = 2;
    while (to < length) to *= 2;
    return {to / 2 + 1, to, 0};
}

/// All bins between the shortest and the longest row.
std::vector<row_length_bin> bins_between(index_t shortest, index_t longest)
{
    std::vector<row_length_bin> bins{bin_of(shortest)};
    while (bins.back().to < longest) bins.push_back(bin_of(bins.back().to + 1));
    return bins;
}

template <scalar V>
void measure_row_lengths(const csr<V>& a, matrix_info& info)
{
    if (a.rows == 0) return;
    info.mean_row = static_cast<double>(a.nonzeros()) / static_cast<double>(a.rows);
    info.shortest_row = info.longest_row = a.row_length(0);
    for (index_t i = 1; i < a.rows; ++i) {
        info.shortest_row = std::min(info.shortest_row, a.row_length(i));
        info.longest_row = std::max(info.longest_row, a.row_length(i));
    }
    info.row_lengths = bins_between(info.shortest_row, info.longest_row);
    for (index_t i = 0; i < a.rows; ++i) {
        const index_t length = a.row_length(i);
        const auto bin = std::find_if(info.row_lengths.begin(), info.row_lengths.end(),
                                      [&](const row_length_bin& b) { return length <= b.to; });
        ++bin->rows;
    }
    if (info.shortest_row == 0) info.empty_rows = info.row_lengths.front().rows;
}

/// Signs and dominance of row i's diagonal.  Rows below a wide matrix's square part have none.
template <scalar V>
void measure_diagonal(const csr<V>& a, index_t i, matrix_info& info)
{
    V diagonal = 0;
    dd_real others = 0;
    for (index_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k)
        if (a.column[k] == i)
            diagonal = diagonal + a.value.get(k);
        else
            others = others + magnitude(a.value.get(k));
    if (i < a.columns) {
        if (leading(diagonal) == 0) ++info.missing_diagonal;
        if (leading(diagonal) < 0) ++info.negative_diagonal;
    }
    if (magnitude(diagonal) >= others) ++info.dominant_rows;
}

template <scalar V>
void measure_values(const csr<V>& a, matrix_info& info)
{
    double smallest = HUGE_VAL, largest = 0;
    for (index_t k = 0; k < a.nonzeros(); ++k) {
        const V value = a.value.get(k);
        const double size = std::abs(leading(value));
        if (!is_finite(value)) info.finite = false;
        if (size == 0) {
            ++info.explicit_zeros;
            continue;
        }
        smallest = std::min(smallest, size);  // NaN leaves both as they are
        largest = std::max(largest, size);
    }
    info.smallest_magnitude = smallest <= largest ? smallest : 0;
    info.largest_magnitude = largest;
}

template <scalar V>
void measure_bandwidth(const csr<V>& a, index_t i, matrix_info& info)
{
    for (index_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k) {
        info.lower_bandwidth = std::max(info.lower_bandwidth, i - a.column[k]);
        info.upper_bandwidth = std::max(info.upper_bandwidth, a.column[k] - i);
    }
}

/// What is left of a claim of symmetry after comparing rows.
struct symmetry {
    bool pattern = true, values = true, skew = true;
};

/// Compare row i of A with row i of its transpose, both sorted by column; an absent entry is 0.
template <scalar V>
void compare_row(const csr<V>& a, const csr<V>& t, index_t i, symmetry& s)
{
    index_t k = a.row_begin[i], m = t.row_begin[i];
    const index_t k_end = a.row_begin[i + 1], m_end = t.row_begin[i + 1];
    while (k < k_end || m < m_end) {
        const bool in_a = k < k_end && (m == m_end || a.column[k] <= t.column[m]);
        const bool in_t = m < m_end && (k == k_end || t.column[m] <= a.column[k]);
        const V x = in_a ? a.value.get(k++) : V(0);
        const V y = in_t ? t.value.get(m++) : V(0);
        s.pattern = s.pattern && in_a && in_t;
        s.values = s.values && x == y;
        s.skew = s.skew && x == -y;
    }
}

template <scalar V>
symmetry compare(const csr<V>& a, const csr<V>& t)
{
    symmetry s;
    for (index_t i = 0; i < a.rows && (s.pattern || s.values || s.skew); ++i)
        compare_row(a, t, i, s);
    return s;
}

template <scalar V>
bool rows_are_sorted(const csr<V>& a)
{
    for (index_t i = 0; i < a.rows; ++i)
        if (!std::is_sorted(a.column + a.row_begin[i], a.column + a.row_begin[i + 1])) return false;
    return true;
}

template <scalar V>
void measure_symmetry(const csr_matrix<V>& a, matrix_info& info)
{
    const csr_matrix<V> transposed = transpose(a);
    const csr<V> t = transposed.view();
    for (index_t j = 0; j < t.rows; ++j)
        if (t.row_length(j) == 0) ++info.empty_columns;
    if (a.rows() != a.columns()) return;
    const bool sorted = rows_are_sorted(a.view());
    const symmetry s = sorted ? compare(a.view(), t) : compare(transpose(transposed).view(), t);
    info.symmetric_pattern = s.pattern;
    info.symmetric = s.values;
    info.skew_symmetric = s.skew;
}

}  // namespace

template <scalar V>
matrix_info inspect(const csr_matrix<V>& a)
{
    const fp_mode_guard exact;
    if (!a.where().is_host()) return inspect(a.to(host));
    matrix_info info{.rows = a.rows(), .columns = a.columns(), .nonzeros = a.nonzeros()};
    measure_row_lengths(a.view(), info);
    measure_values(a.view(), info);
    for (index_t i = 0; i < a.rows(); ++i) {
        measure_diagonal(a.view(), i, info);
        measure_bandwidth(a.view(), i, info);
    }
    measure_symmetry(a, info);
    return info;
}

#define DDLA_INSTANTIATE(T) template matrix_info inspect(const csr_matrix<T>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
