// L U by supernodes modulo a prime.
#include "full_rank.hpp"

#include "static_lu.hpp"
#include "static_order.hpp"

#include "ddla/error.hpp"

#include <chrono>

namespace ddla::factor {

namespace {

constexpr std::int64_t p = residue_prime;

std::int64_t product(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<__int128>(a) * b % p);
}

/// 2^e for the exponents of doubles, of whole numbers times 2^e.
std::int64_t power_of_two(int e)
{
    constexpr int least = -1126, most = 971;
    static const std::vector<std::int64_t> powers = [] {
        std::vector<std::int64_t> all(most - least + 1, 1);
        for (int k = 1; k <= most; ++k)
            all[as_size(k - least)] = all[as_size(k - 1 - least)] * 2 % p;
        const std::int64_t half = (p + 1) / 2;
        for (int k = -1; k >= least; --k)
            all[as_size(k - least)] = product(all[as_size(k + 1 - least)], half);
        all[as_size(-least)] = 1;
        return all;
    }();
    return powers[as_size(e - least)];
}

std::int64_t residue_of(double x)
{
    int exponent;
    const double mantissa = std::frexp(x, &exponent);
    return product(static_cast<std::int64_t>(std::ldexp(mantissa, 53)) % p,
                   power_of_two(exponent - 53));
}
std::int64_t residue_of(const dd_real& x)
{
    return (residue_of(x.hi) + residue_of(x.lo)) % p;
}

/// As kernels take it: of magnitude p / 2 at most.
double balanced(std::int64_t r)
{
    return static_cast<double>(2 * r > p ? r - p : 2 * r < -p ? r + p : r);
}

int sign_of(const std::vector<column_t>& permutation)
{
    int sign = 1;
    std::vector<char> seen(permutation.size(), 0);
    for (std::size_t k = 0; k < seen.size(); ++k)
        for (std::size_t j = k; seen[j] == 0; j = as_size(permutation[j])) {
            seen[j] = 1;
            if (j != k) sign = -sign;
        }
    return sign;
}

/// Of L U whose U has its pivots inverted, and whose rows were exchanged within supernodes.
std::int64_t determinant_of(const supernodes& s, const static_lu<double>& f)
{
    std::int64_t inverse = 1;
    for (column_t q = 0; q < s.size(); ++q)
        for (column_t k = 0; k < s.width(q); ++k)
            inverse = product(inverse, static_cast<std::int64_t>(f.u.get(s, q, k, k)));
    return sign_of(f.row) * inverse_residue(inverse);
}

template <scalar V>
void fill(const csr<V>& a, const static_options& o, std::atomic<double>& done, full_rank_report& r)
{
    const auto ends = [&](factor_end e) { r.end = e; };
    auto l = std::make_optional(analyse_lu<double>(a, o.common, work_in_static_order<double>));
    if (!l->is_finite) return ends(factor_end::not_finite);
    if (!(l->static_operations >= o.least_operations && l->static_operations < HUGE_VAL))
        return ends(factor_end::unsuited);
    const supernodes s = supernodes_on_diagonal(l->columns, l->order.preferred, l->order.column);
    static_lu<double> f(s);
    r.ordering = l->order.used;
    r.entries = 2 * s.exact_entries - r.n;
    r.operations = 2 * s.exact_operations - static_cast<double>(s.exact_entries - r.n);
    r.bytes = f.l.bytes() + f.u.bytes() + s.bytes();
    if (r.operations > o.most_operations) return ends(factor_end::over_work);
    if (r.bytes > o.common.most_bytes) return ends(factor_end::over_memory);
    const sparse_columns<double> columns =
        in_order_of<double>(s, l->columns, l->order.preferred,
                            [](const V& v, column_t, column_t) { return balanced(residue_of(v)); });
    const int row_sign = sign_of(l->order.preferred);
    l.reset();
    const sparse_columns<double> rows = transposed(columns);
    f.l.allocate();
    f.u.allocate();
    const pivot_rule rule{.negligible = 0, .instead = 1};
    make_static_lu(s, columns, rows, rule, f, o.common.run, done, current_residue_kernels());
    r.done = r.operations;
    r.without = f.replaced;
    if (r.without > 0) return;
    const std::int64_t d = row_sign * determinant_of(s, f);
    r.determinant = d < 0 ? d + p : d;
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
    const auto goes_on = [&] {
        const double part = r.operations > 0 ? std::min(2 * done / r.operations, 1.0) : 0;
        return !options.common.watch ||
               options.common.watch(static_cast<index_t>(part * static_cast<double>(a.rows)),
                                    a.rows, r.entries, part * r.operations);
    };
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
