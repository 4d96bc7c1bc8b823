// Pivots of a symmetric matrix.
#include "symmetric_order.hpp"

#include <numeric>

namespace ddla::factor {

namespace {

/// The diagonal by high words; zeros where there is none.
template <scalar V>
std::vector<double> diagonal_of(const sparse_columns<V>& a)
{
    std::vector<double> d(as_size(a.columns), 0);
    for (index_t j = 0; j < a.columns; ++j)
        for (index_t e = a.begin[as_size(j)]; e < a.begin[as_size(j) + 1]; ++e)
            if (a.row[as_size(e)] == j) d[as_size(j)] = word<0>(a.value.get(e));
    return d;
}

bool has_one_sign(const std::vector<double>& d)
{
    return std::all_of(d.begin(), d.end(), [](double x) { return x > 0; }) ||
           std::all_of(d.begin(), d.end(), [](double x) { return x < 0; });
}

/// Up to five passes, each of which takes half of the largest exponent off every row and column at
/// once.
template <scalar V>
std::vector<int> equilibrate_symmetric(const sparse_columns<V>& a, const chunk_runner& run)
{
    constexpr int passes = 5;
    std::vector<int> s(as_size(a.columns), 0), halves(s.size(), 0);
    const auto find_halves = [&](index_t first, index_t last) {
        for (index_t j = first; j < last; ++j) {
            const index_t begin = a.begin[as_size(j)], end = a.begin[as_size(j) + 1];
            if (begin == end) continue;
            int most = std::numeric_limits<int>::min();
            for (index_t e = begin; e < end; ++e)
                most = std::max(most, exponent_of(word<0>(a.value.get(e))) +
                                          s[as_size(a.row[as_size(e)])]);
            halves[as_size(j)] = (most + s[as_size(j)]) / 2;
        }
    };
    for (int pass = 0; pass < passes; ++pass) {
        run.parts(a.columns, find_halves);
        if (std::all_of(halves.begin(), halves.end(), [](int h) { return h == 0; })) break;
        for (std::size_t i = 0; i < s.size(); ++i) s[i] -= halves[i];
    }
    return s;
}

/// Half of both duals: a_ij is at most 2^-(r_i + c_j), and at most 2^-(r_j + c_i).
std::vector<int> scaling_by_duals(const matching& m)
{
    std::vector<int> s;
    for (std::size_t i = 0; i < m.row_dual.size(); ++i)
        s.push_back(static_cast<int>(-(-(m.row_dual[i] + m.column_dual[i]) >> 25)));
    return s;
}

/// Log2 of the entries that pairs would have, for pairs at odd or at even places of a cycle.
template <scalar V>
std::int64_t log_of(const sparse_columns<V>& a, column_t i, column_t j)
{
    const auto first = a.row.begin() + a.begin[as_size(j)],
               last = a.row.begin() + a.begin[as_size(j) + 1];
    const auto found = std::lower_bound(first, last, i);
    if (found == last || *found != i) return std::numeric_limits<std::int64_t>::min() / 4;
    return log2_fixed(word<0>(a.value.get(found - a.row.begin())));
}

/// A cycle of the matching: pairs of neighbours; of an odd one the row with the largest diagonal,
/// the first of equal ones, is alone.
template <scalar V>
void cut(const sparse_columns<V>& a, const std::vector<int>& s, std::vector<column_t> cycle,
         const std::vector<double>& diagonal, std::vector<std::vector<column_t>>& pivots)
{
    const std::size_t n = cycle.size();
    std::size_t start = 0;
    if (n % 2 == 1) {
        const auto size = [&](std::size_t k) {
            return scaled(std::fabs(diagonal[as_size(cycle[k])]), 2 * s[as_size(cycle[k])]);
        };
        for (std::size_t k = 1; k < n; ++k)
            if (size(k) > size(start)) start = k;
        pivots.push_back({cycle[start]});
        ++start;
    } else {
        std::int64_t even = 0, odd = 0;
        for (std::size_t k = 0; k < n; ++k)
            (k % 2 == 0 ? even : odd) += log_of(a, cycle[k], cycle[(k + 1) % n]);
        start = odd > even ? 1 : 0;
    }
    for (std::size_t k = 0; k + 1 < n; k += 2)
        pivots.push_back({cycle[(start + k) % n], cycle[(start + k + 1) % n]});
}

template <scalar V>
std::vector<std::vector<column_t>> pivots_of(const sparse_columns<V>& a, const matching& m,
                                             const std::vector<int>& s,
                                             const std::vector<double>& diagonal)
{
    std::vector<std::vector<column_t>> pivots;
    std::vector<char> done(as_size(a.columns), 0);
    for (column_t i = 0; i < a.columns; ++i) {
        std::vector<column_t> cycle;
        for (column_t j = i; done[as_size(j)] == 0; j = m.column_of_row[as_size(j)]) {
            done[as_size(j)] = 1;
            cycle.push_back(j);
        }
        if (!cycle.empty()) cut(a, s, std::move(cycle), diagonal, pivots);
    }
    return pivots;
}

elimination_order ordered(const pattern& a, ordering wanted, const order_choice& choice)
{
    return wanted == ordering::automatic ? order_by_counts(a, {}, choice)
                                         : order_columns(a, wanted, {}, choice.run);
}

/// The order of pivots by that of the pattern in which each is one row.
template <scalar V>
std::vector<column_t> order_pivots(const sparse_columns<V>& a,
                                   const std::vector<std::vector<column_t>>& pivots,
                                   ordering wanted, const order_choice& choice)
{
    std::vector<column_t> pivot_of(as_size(a.columns));
    for (std::size_t b = 0; b < pivots.size(); ++b)
        for (const column_t i : pivots[b]) pivot_of[as_size(i)] = static_cast<column_t>(b);
    std::vector<index_t> begin = {0};
    std::vector<column_t> row;
    std::vector<column_t> seen(pivots.size(), -1);
    for (std::size_t b = 0; b < pivots.size(); ++b) {
        const auto first = static_cast<std::ptrdiff_t>(row.size());
        for (const column_t j : pivots[b])
            for (index_t e = a.begin[as_size(j)]; e < a.begin[as_size(j) + 1]; ++e) {
                const column_t c = pivot_of[as_size(a.row[as_size(e)])];
                if (seen[as_size(c)] == static_cast<column_t>(b)) continue;
                seen[as_size(c)] = static_cast<column_t>(b);
                row.push_back(c);
            }
        std::sort(row.begin() + first, row.end());
        begin.push_back(static_cast<index_t>(row.size()));
    }
    const auto n = static_cast<index_t>(pivots.size());
    return ordered({n, n, begin, row}, wanted, choice).column;
}

/// Rows are pivots by themselves.
void order_rows(const pattern& a, ordering wanted, const order_choice& choice,
                symmetric_order& order)
{
    elimination_order by = ordered(a, wanted, choice);
    order.row = std::move(by.column);
    order.counted = std::move(by.counted);
    order.blocks.resize(order.row.size() + 1);
    std::iota(order.blocks.begin(), order.blocks.end(), column_t{0});
}

}  // namespace

template <scalar V>
symmetric_order order_symmetric(const sparse_columns<V>& a, bool scale, bool pair,
                                double most_operations, ordering wanted, const order_choice& choice)
{
    symmetric_order order;
    const std::vector<double> diagonal = diagonal_of(a);
    order.exponent.assign(as_size(a.columns), 0);
    if (!pair || has_one_sign(diagonal)) {
        if (scale) order.exponent = equilibrate_symmetric(a, choice.run);
        order_rows(pattern_of(a), wanted, choice, order);
        return order;
    }
    const matching m = largest_product(a, most_operations);
    order.exists = m.size == a.columns;
    order.has_matching = m.complete;
    order.operations = m.operations;
    if (!order.exists) return order;
    const std::vector<int> by_duals = scaling_by_duals(m);
    if (scale) order.exponent = by_duals;
    const std::vector<std::vector<column_t>> pivots = pivots_of(a, m, by_duals, diagonal);
    if (std::ssize(pivots) == a.columns) {
        order_rows(pattern_of(a), wanted, choice, order);
        return order;
    }
    for (const column_t b : order_pivots(a, pivots, wanted, choice)) {
        order.blocks.push_back(static_cast<column_t>(order.row.size()));
        order.row.insert(order.row.end(), pivots[as_size(b)].begin(), pivots[as_size(b)].end());
    }
    order.blocks.push_back(static_cast<column_t>(order.row.size()));
    return order;
}

graph_of_order graph_of_pivots(const pattern& a, const symmetric_order& order)
{
    const std::size_t n = order.row.size();
    if (order.blocks.size() == n + 1) return {adjacency(a.begin, a.row), {}};
    std::vector<column_t> partner(n, -1), seen(n, -1), row;
    std::vector<char> starts_pair(n, 0);
    for (std::size_t b = 0; b + 1 < order.blocks.size(); ++b) {
        const column_t k = order.blocks[b];
        if (order.blocks[b + 1] == k + 1) continue;
        const column_t i = order.row[as_size(k)], j = order.row[as_size(k) + 1];
        partner[as_size(i)] = j;
        partner[as_size(j)] = i;
        starts_pair[as_size(i)] = 1;
    }
    std::vector<index_t> begin = {0};
    for (std::size_t j = 0; j < n; ++j) {
        const auto add = [&](column_t i) {
            if (seen[as_size(i)] == static_cast<column_t>(j)) return;
            seen[as_size(i)] = static_cast<column_t>(j);
            row.push_back(i);
        };
        const auto add_rows = [&](std::size_t column) {
            for (index_t e = a.begin[column]; e < a.begin[column + 1]; ++e) add(a.row[as_size(e)]);
        };
        add_rows(j);
        if (partner[j] >= 0) {
            add(partner[j]);
            add_rows(as_size(partner[j]));
        }
        begin.push_back(static_cast<index_t>(row.size()));
    }
    return {adjacency(begin, row), std::move(starts_pair)};
}

template symmetric_order order_symmetric(const sparse_columns<double>&, bool, bool, double,
                                         ordering, const order_choice&);
template symmetric_order order_symmetric(const sparse_columns<dd_real>&, bool, bool, double,
                                         ordering, const order_choice&);

}  // namespace ddla::factor
