// L U by supernodes modulo a prime.
#include "full_rank.hpp"

#include "residue_solves.hpp"

#include "factor/supernodal/definite.hpp"
#include "factor/supernodal/static_order.hpp"
#include "factor/symmetric/symmetric_order.hpp"

#include "ddla/error.hpp"

#include <chrono>

namespace ddla::factor {

namespace {

using mod = residue_arithmetic;

/// 2^e for the exponents of doubles, of whole numbers times 2^e.
mod::number power_of_two(int e)
{
    constexpr int least = -1126, most = 971;
    static const std::vector<mod::number> powers = [] {
        std::vector<mod::number> all(most - least + 1, 1);
        const mod::number half = mod::inverse(2);
        for (int k = 1; k <= most; ++k)
            all[as_size(k - least)] = mod::times(all[as_size(k - 1 - least)], 2);
        for (int k = -1; k >= least; --k)
            all[as_size(k - least)] = mod::times(all[as_size(k + 1 - least)], half);
        return all;
    }();
    return powers[as_size(e - least)];
}

mod::number residue_of(double x)
{
    int exponent;
    const double mantissa = std::frexp(x, &exponent);
    return mod::times(mod::of(std::ldexp(mantissa, 53)), power_of_two(exponent - 53));
}
mod::number residue_of(const dd_real& x)
{
    return mod::plus(residue_of(x.hi), residue_of(x.lo));
}

/// 1 or -1.
mod::number sign_of(const std::vector<column_t>& permutation)
{
    mod::number sign = 1;
    std::vector<char> seen(permutation.size(), 0);
    for (std::size_t k = 0; k < seen.size(); ++k)
        for (std::size_t j = k; seen[j] == 0; j = as_size(permutation[j])) {
            seen[j] = 1;
            if (j != k) sign = mod::minus(0, sign);
        }
    return sign;
}

/// What pivots of 0 become: no pivot that is not 0 is likely to be this.
constexpr mod::number instead = 0x2c9277b5e1a3d;
/// … and so many at most, each of which costs a solve.
constexpr index_t most_without = 16;

/// Of L U, whose U has its pivots inverted, and whose rows were exchanged within supernodes; of A
/// where pivots were 0.  0: it is not known.
mod::number determinant_of(const supernodes& s, const static_lu<double>& f, full_rank_report& r)
{
    const mod::number of_replaced = mod::inverse(instead);
    mod::number inverse = 1;
    std::vector<column_t> without;
    for (column_t q = 0; q < s.size(); ++q)
        for (column_t k = 0; k < s.width(q); ++k) {
            const mod::number stored = mod::of(f.u.get(s, q, k, k));
            inverse = mod::times(inverse, stored);
            if (stored == of_replaced) without.push_back(s.first[as_size(q)] + k);
        }
    if (std::ssize(without) != f.replaced || f.replaced > most_without) return 0;
    const mod::number all = mod::times(sign_of(f.row), mod::inverse(inverse));
    if (without.empty()) return all;
    const std::vector<column_t> rows = rows_by_pivots(s, f);
    r.done += 2 * static_cast<double>(r.entries) * static_cast<double>(without.size());
    return mod::times(all, share_without(residue_solver(s, rows, f), without, instead));
}

/// A by columns, the rows that are their diagonal, and what L and U store.
template <scalar V>
struct structure {
    sparse_columns<V> columns;
    std::vector<column_t> diagonal;
    supernodes parts;
    ordering used = ordering::automatic;
};

/// Of a symmetric A rows that need each other as pivots, as in saddle points, stay together.
template <scalar V>
bool find_pairs(const csr<V>& a, const static_options& o, structure<V>& s)
{
    if (!is_symmetric(a)) return false;
    s.columns = columns_of_symmetric(a);
    const symmetric_order order =
        order_symmetric(s.columns, false, true, o.common.most_operations, ordering::automatic,
                        {work_in_static_order<double>, o.common.run});
    if (!order.exists || !order.has_matching) return false;
    s.parts = supernodes_of_pivots(pattern_of(s.columns), order);
    s.diagonal.resize(as_size(a.rows));
    std::iota(s.diagonal.begin(), s.diagonal.end(), 0);
    return true;
}

/// complete, not_finite or unsuited.
template <scalar V>
factor_end find_structure(const csr<V>& a, const static_options& o, structure<V>& s)
{
    if (find_pairs(a, o, s))
        return 2 * s.parts.exact_operations >= o.least_operations ? factor_end::complete
                                                                  : factor_end::unsuited;
    auto l = analyse_lu<double>(a, o.common, work_in_static_order<double>);
    if (!l.is_finite) return factor_end::not_finite;
    if (!(l.static_operations >= o.least_operations && l.static_operations < HUGE_VAL))
        return factor_end::unsuited;
    s.parts = supernodes_on_diagonal(l.columns, l.order);
    s.used = l.order.used;
    s.diagonal = std::move(l.order.preferred);
    s.columns = std::move(l.columns);
    return factor_end::complete;
}

template <scalar V>
void fill(const csr<V>& a, const static_options& o, std::atomic<double>& done, full_rank_report& r)
{
    structure<V> of;
    r.end = find_structure(a, o, of);
    if (r.end != factor_end::complete) return;
    const supernodes& s = of.parts;
    static_lu<double> f(s);
    r.ordering = of.used;
    r.entries = 2 * s.exact_entries - r.n;
    r.operations = 2 * s.exact_operations - static_cast<double>(s.exact_entries - r.n);
    r.bytes = f.l.bytes() + f.u.bytes() + s.bytes();
    r.making_bytes = of.columns.bytes() + of.columns.entries() * 6 * index_t{sizeof(column_t)};
    if (r.operations > o.most_operations)
        r.end = factor_end::over_work;
    else if (r.bytes > o.common.most_bytes)
        r.end = factor_end::over_memory;
    if (r.end != factor_end::complete) return;
    const sparse_columns<double> columns =
        in_order_of<double>(s, of.columns, of.diagonal, [](const V& v, column_t, column_t) {
            return mod::balanced(residue_of(v));
        });
    of.columns = {};
    const sparse_columns<double> rows = transposed(columns);
    r.making_bytes = std::max(r.making_bytes, r.bytes + columns.bytes() + rows.bytes() +
                                                  std::max(1, o.common.run.threads()) * r.n *
                                                      index_t{sizeof(index_t)});
    f.allocate();
    const pivot_rule rule{.negligible = 0, .instead = mod::balanced(instead)};
    make_static_lu(s, columns, rows, rule, f, o.common.run, done, current_residue_kernels());
    r.done = r.operations;
    r.without = f.replaced;
    r.determinant =
        static_cast<std::int64_t>(mod::times(sign_of(of.diagonal), determinant_of(s, f, r)));
}

}  // namespace

template <scalar V>
full_rank_report prove_full_rank(const csr<V>& a, const static_options& options)
{
    if (a.rows != a.columns)
        throw input_error("a matrix of " + std::to_string(a.rows) + " x " +
                          std::to_string(a.columns) + " has no determinant");
    const auto begin = std::chrono::steady_clock::now();
    full_rank_report r;
    r.n = a.rows;
    r.nonzeros = a.nonzeros();
    std::atomic<double> done = 0;
    const auto goes_on = [&] { return may_go_on(options, r, done); };
    if (!completed(goes_on, [&] { fill(a, options, done, r); })) {
        r.end = factor_end::stopped;
        r.done = std::min(2 * done, r.operations);
    }
    r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return r;
}

template full_rank_report prove_full_rank(const csr<double>&, const static_options&);
template full_rank_report prove_full_rank(const csr<dd_real>&, const static_options&);

}  // namespace ddla::factor
