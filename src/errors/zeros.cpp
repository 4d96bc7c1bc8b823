// Components of x that are zero.
#include "zeros.hpp"

#include "factor/order/matching.hpp"

namespace ddla::refine {
namespace {

using factor::as_size;

/// Whether each column can be reached from the rows where b is not zero.
template <scalar V>
std::vector<bool> reached_columns(const factor::sparse_columns<V>& a, const factor::matching& m,
                                  vec<const dd_real> b)
{
    std::vector<bool> reached(as_size(a.columns), false);
    std::vector<column_t> open;
    const auto take = [&](column_t row) {
        const column_t j = m.column_of_row[as_size(row)];
        if (reached[as_size(j)]) return;
        reached[as_size(j)] = true;
        open.push_back(j);
    };
    for (index_t i = 0; i < b.size; ++i)
        if (b.get(i) != dd_real(0)) take(static_cast<column_t>(i));
    while (!open.empty()) {
        const column_t j = open.back();
        open.pop_back();
        count_work(10 * (a.begin[as_size(j) + 1] - a.begin[as_size(j)]));
        for (index_t e = a.begin[as_size(j)]; e < a.begin[as_size(j) + 1]; ++e)
            if (a.value.get(e) != V(0)) take(a.row[as_size(e)]);
    }
    return reached;
}

}  // namespace

template <scalar V>
std::vector<index_t> unreached_components(const csr<V>& a, vec<const dd_real> b,
                                          double most_operations)
{
    const factor::sparse_columns<V> columns = factor::columns_of(a);
    const factor::matching m = factor::largest_matching(columns, most_operations);
    if (m.size < a.rows) return {};
    const std::vector<bool> reached = reached_columns(columns, m, b);
    std::vector<index_t> zero;
    for (std::size_t j = 0; j < reached.size(); ++j)
        if (!reached[j]) zero.push_back(static_cast<index_t>(j));
    return zero;
}

std::vector<index_t> zeros_modulo_prime(const factor::modular_factors& factors,
                                        vec<const dd_real> b, const std::vector<index_t>& suspects)
{
    const std::vector<bool> zero = factors.zeros_of_solution(b);
    std::vector<index_t> found;
    for (const index_t i : suspects)
        if (zero[as_size(i)]) found.push_back(i);
    return found;
}

template std::vector<index_t> unreached_components(const csr<double>&, vec<const dd_real>, double);
template std::vector<index_t> unreached_components(const csr<dd_real>&, vec<const dd_real>, double);

}  // namespace ddla::refine
