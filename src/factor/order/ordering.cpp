// AMD and COLAMD of SuiteSparse, in 32 bits where entries fit; the choice by counted operations.
#include "ordering.hpp"
#include "column_counts.hpp"
#include "factor/dissection/nested_dissection.hpp"
#include "graph_orders.hpp"

#include "ddla/error.hpp"

#include <amd.h>
#include <colamd.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <type_traits>

namespace ddla::factor {

namespace {

/// SuiteSparse's functions under one name for both widths of integers.
template <class I>
struct suitesparse;

template <>
struct suitesparse<int> {
    static constexpr auto amd = amd_order;
    static constexpr auto colamd = ::colamd;
    static constexpr auto colamd_length = colamd_recommended;
};
template <>
struct suitesparse<SuiteSparse_long> {
    static constexpr auto amd = amd_l_order;
    static constexpr auto colamd = colamd_l;
    static constexpr auto colamd_length = colamd_l_recommended;
};

template <class I>
std::vector<column_t> amd_of(const pattern& a)
{
    const std::vector<I> begin(a.begin.begin(), a.begin.end());
    std::vector<I> row, order(as_size(a.columns));
    const I* rows = nullptr;
    if constexpr (std::is_same_v<I, column_t>) {
        rows = a.row.data();
    } else {
        row.assign(a.row.begin(), a.row.end());
        rows = row.data();
    }
    constexpr I none = 0;  // AMD refuses a null pointer, also where it would read nothing from it
    const auto status = suitesparse<I>::amd(static_cast<I>(a.columns), begin.data(),
                                            rows ? rows : &none, order.data(), nullptr, nullptr);
    if (status == AMD_OUT_OF_MEMORY) throw std::bad_alloc();
    if (status != AMD_OK && status != AMD_OK_BUT_JUMBLED)
        throw internal_error("AMD refuses a pattern with status " + std::to_string(status));
    return {order.begin(), order.end()};
}

template <class I>
std::vector<column_t> colamd_of(const pattern& a)
{
    const auto rows = static_cast<I>(a.rows), columns = static_cast<I>(a.columns);
    const std::size_t length =
        suitesparse<I>::colamd_length(static_cast<I>(a.row.size()), rows, columns);
    std::vector<I> row(length), begin(a.begin.begin(), a.begin.end());
    std::copy(a.row.begin(), a.row.end(), row.begin());
    std::array<I, COLAMD_STATS> stats{};
    if (suitesparse<I>::colamd(rows, columns, static_cast<I>(length), row.data(), begin.data(),
                               nullptr, stats.data()) == 0)
        throw internal_error("COLAMD refuses a pattern with status " +
                             std::to_string(stats[COLAMD_STATUS]));
    return {begin.begin(), begin.begin() + a.columns};
}

/// 32 bits hold some times the entries, which COLAMD's workspace takes.
bool is_small(const pattern& a)
{
    constexpr index_t most = std::numeric_limits<int>::max() / 8;
    return static_cast<index_t>(a.row.size()) < most && a.columns < most && a.rows < most;
}

std::vector<column_t> amd_of(const pattern& a)
{
    return is_small(a) ? amd_of<int>(a) : amd_of<SuiteSparse_long>(a);
}

std::vector<column_t> colamd_of(const pattern& a)
{
    return is_small(a) ? colamd_of<int>(a) : colamd_of<SuiteSparse_long>(a);
}

std::vector<column_t> counted(index_t n)
{
    std::vector<column_t> order(as_size(n));
    std::iota(order.begin(), order.end(), column_t{0});
    return order;
}

/// Row numbers such that diagonal[j] becomes row j.
std::vector<column_t> renumbered(const pattern& a, const std::vector<column_t>& diagonal)
{
    std::vector<column_t> number(as_size(a.rows)), row(a.row.size());
    for (std::size_t j = 0; j < diagonal.size(); ++j)
        number[as_size(diagonal[j])] = static_cast<column_t>(j);
    for (index_t j = 0; j < a.columns; ++j) {
        count_work(10 * (a.begin[as_size(j) + 1] - a.begin[as_size(j)]));
        for (index_t k = a.begin[as_size(j)]; k < a.begin[as_size(j) + 1]; ++k)
            row[as_size(k)] = number[as_size(a.row[as_size(k)])];
    }
    return row;
}

std::vector<column_t> dissected(const adjacency& graph, const chunk_runner& run)
{
    return count_elimination(graph, nested_dissection(graph).order(run)).order;
}

symmetry_counts count_symmetry(const pattern& a)
{
    // Columns of the transpose, ascending; then both are walked side by side.
    std::vector<index_t> next(as_size(a.rows) + 1, 0);
    for (const column_t i : a.row) ++next[as_size(i) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    const std::vector<index_t> begin = next;
    std::vector<column_t> row(a.row.size());
    for (index_t j = 0; j < a.columns; ++j) {
        count_work(20 * (a.begin[as_size(j) + 1] - a.begin[as_size(j)]));
        for (index_t k = a.begin[as_size(j)]; k < a.begin[as_size(j) + 1]; ++k)
            row[as_size(next[as_size(a.row[as_size(k)])]++)] = static_cast<column_t>(j);
    }
    symmetry_counts counts;
    std::vector<column_t> met(as_size(a.rows), -1);
    for (column_t j = 0; j < a.columns; ++j) {
        count_work(10 * (a.begin[as_size(j) + 1] - a.begin[as_size(j)] + 1));
        for (index_t k = begin[as_size(j)]; k < begin[as_size(j) + 1]; ++k)
            met[as_size(row[as_size(k)])] = j;
        for (index_t k = a.begin[as_size(j)]; k < a.begin[as_size(j) + 1]; ++k) {
            const column_t i = a.row[as_size(k)];
            if (i == j) {
                ++counts.diagonal;
            } else {
                ++counts.off_diagonal;
                counts.matched += met[as_size(i)] == j;
            }
        }
    }
    return counts;
}

}  // namespace

symmetry_counts count_symmetry(const pattern& a, const std::vector<column_t>& preferred)
{
    if (preferred.empty()) return count_symmetry(a);
    const std::vector<column_t> row = renumbered(a, preferred);
    return count_symmetry({a.rows, a.columns, a.begin, row});
}

bool suits_amd(const symmetry_counts& c, index_t columns, bool is_matched)
{
    const index_t share = is_matched ? 4 : 2;
    return share * c.matched >= c.off_diagonal && 10 * c.diagonal >= 9 * columns;
}

elimination_order order_columns(const pattern& a, ordering wanted,
                                const std::vector<column_t>& diagonal, const chunk_runner& run)
{
    const std::vector<column_t> row =
        diagonal.empty() ? std::vector<column_t>{} : renumbered(a, diagonal);
    const pattern on_diagonal{a.rows, a.columns, a.begin, diagonal.empty() ? a.row : row};
    if (a.columns == 0) return {wanted, {}, {}};
    switch (wanted) {
    case ordering::amd:
        return {wanted, amd_of(on_diagonal), diagonal.empty() ? counted(a.columns) : diagonal};
    case ordering::colamd:
        return {wanted, colamd_of(a), {}};
    case ordering::rcm:
        return {wanted, reverse_cuthill_mckee(on_diagonal),
                diagonal.empty() ? counted(a.columns) : diagonal};
    case ordering::multicolour:
        return {wanted, by_colours(on_diagonal), diagonal.empty() ? counted(a.columns) : diagonal};
    case ordering::dissection:
        return {wanted, dissected(adjacency(a.begin, on_diagonal.row), run),
                diagonal.empty() ? counted(a.columns) : diagonal};
    default:
        return {wanted, counted(a.columns), diagonal};
    }
}

double operations_of(const pattern& a, const elimination_order& order)
{
    const adjacency graph(a.begin,
                          order.preferred.empty() ? a.row : renumbered(a, order.preferred));
    return count_elimination(graph, order.column).operations;
}

namespace {

/// Makes room for orders of another pattern on its diagonal.
void set_pattern(const std::vector<index_t>& begin, std::vector<column_t> row, known_orders& known)
{
    if (known.begin == begin && known.row == row) return;
    auto graph = std::make_shared<const adjacency>(begin, row);
    known = {begin, std::move(row), std::move(graph), {}};
}

/// An order, counted.
elimination_order counted_order(ordering used, std::vector<column_t> column,
                                const std::shared_ptr<const adjacency>& graph)
{
    auto counts = std::make_shared<const elimination_counts>(count_elimination(*graph, column));
    elimination_order order{used, std::move(column), {}, counts->operations};
    order.counted = {graph, std::move(counts)};
    return order;
}

bool has_amd(const known_orders& known)
{
    return !known.amd.column.empty();
}

void order_by_amd(known_orders& known)
{
    if (has_amd(known)) return;
    const auto n = static_cast<index_t>(known.graph->size());
    known.amd =
        counted_order(ordering::amd, amd_of(pattern{n, n, known.begin, known.row}), known.graph);
}

/// Whether dissection may save more than this, which it costs.
bool is_worth(double cost, const order_choice& choice, const known_orders& known)
{
    constexpr double least_work_to_dissect = 1e8;  // about 0.1 s
    const double work = choice.work_of_operation * known.amd.operations;
    return work >= least_work_to_dissect && work / 3 > cost;
}

/// Whether dissection is worth its search; then it is known.
bool is_dissected(const order_choice& choice, known_orders& known)
{
    // Entries from which on threads dissect beside AMD, which may be for nothing.
    constexpr index_t worth_beside = index_t{1} << 18;
    const bool is_first =
        has_amd(known) || choice.run.threads() < 2 || known.graph->entries() < worth_beside;
    // What merging columns costs, before it is known what the rest does.
    const double merging = 50 * static_cast<double>(known.graph->entries() + known.graph->size());
    if (is_first) {
        order_by_amd(known);
        if (!is_worth(std::max(merging, known.cost.value_or(0)), choice, known)) return false;
        if (known.dissection) return true;
    }
    const nested_dissection dissection(*known.graph);
    known.cost = dissection.cost();
    const auto dissects = [&] {
        order_by_amd(known);
        return is_worth(std::max(merging, *known.cost), choice, known);
    };
    if (is_first && !dissects()) return false;
    std::vector<column_t> order =
        dissection.order(choice.run, is_first ? std::function<bool()>{} : dissects);
    if (std::ssize(order) < known.graph->size()) return false;
    known.dissection = counted_order(ordering::dissection, std::move(order), known.graph);
    known.dissection->column = known.dissection->counted.counts->order;
    return true;
}

}  // namespace

elimination_order order_by_counts(const pattern& a, const std::vector<column_t>& diagonal,
                                  const order_choice& choice)
{
    if (a.columns == 0) return order_columns(a, ordering::amd, diagonal);
    known_orders mine;
    known_orders& known = choice.known ? *choice.known : mine;
    set_pattern(a.begin, diagonal.empty() ? a.row : renumbered(a, diagonal), known);
    const bool dissected =
        is_dissected(choice, known) && known.dissection->operations < known.amd.operations;
    elimination_order order = dissected ? *known.dissection : known.amd;
    order.preferred = diagonal.empty() ? counted(a.columns) : diagonal;
    return order;
}

}  // namespace ddla::factor
