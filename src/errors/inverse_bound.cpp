// The norm of an inverse, bounded.
#include "inverse_bound.hpp"

#include "definite_bound.hpp"
#include "proof_parts.hpp"

#include "factor/symmetric/ldlt_bound.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::refine {
namespace {

using factor::as_size;

/// Exponents that make the entries of the matching about 1 and all others smaller: the duals of the
/// matching, which are logarithms.
factor::exponents scaling_by(const factor::matching& m)
{
    const auto whole = [](const std::vector<std::int64_t>& dual) {
        std::vector<int> e;
        for (const std::int64_t d : dual) e.push_back(static_cast<int>(-(-d >> 24)));
        return e;
    };
    return {whole(m.row_dual), whole(m.column_dual)};
}

/// G for R A C: pivot pairs of a row and the column that is matched with it.
class augmented_matrix {
public:
    /// False if entries leave the range, or their words are not those of a double-double number.
    template <scalar V>
    bool set(const factor::sparse_columns<V>& a, const factor::exponents& s,
             const factor::elimination_order& order)
    {
        const index_t n = a.columns;
        std::vector<column_t> row_at(as_size(n)), column_at(as_size(n));
        for (index_t k = 0; k < n; ++k) {
            const column_t j = order.column[as_size(k)];
            column_at[as_size(j)] = static_cast<column_t>(2 * k + 1);
            row_at[as_size(order.preferred[as_size(j)])] = static_cast<column_t>(2 * k);
        }
        for (index_t k = 0; k <= n; ++k) blocks.push_back(static_cast<column_t>(2 * k));
        return fill(a, s, row_at, column_at);
    }
    void set_shift(double tau)
    {
        for (index_t k = 0; k < matrix.columns; ++k)
            matrix.value.set(matrix.begin[as_size(k)], dd_real(-tau));
    }

    factor::sparse_columns<dd_real> matrix;  ///< the lower triangle; the diagonal comes first
    factor::pivot_blocks blocks;

private:
    template <scalar V>
    bool fill(const factor::sparse_columns<V>& a, const factor::exponents& s,
              const std::vector<column_t>& row_at, const std::vector<column_t>& column_at)
    {
        factor::sparse_columns<dd_real> upper;
        const index_t size = 2 * a.columns, entries = a.entries() + size;
        upper.rows = upper.columns = size;
        upper.begin.assign(as_size(size) + 1, 0);
        upper.row.resize(as_size(entries));
        upper.value.resize_touched(entries);
        bool is_exact = true;
        const auto each = [&](const auto& see) {
            for (index_t k = 0; k < size; ++k) see(static_cast<column_t>(k), k, dd_real(-1));
            for (index_t j = 0; j < a.columns; ++j) {
                count_work(20 * (a.begin[as_size(j) + 1] - a.begin[as_size(j)]));
                for (index_t e = a.begin[as_size(j)]; e < a.begin[as_size(j) + 1]; ++e) {
                    const column_t i = a.row[as_size(e)];
                    const int power = s.row[as_size(i)] + s.column[as_size(j)];
                    const column_t x = row_at[as_size(i)], y = column_at[as_size(j)];
                    const dd_real exact(a.value.get(e)), v = factor::scaled(exact, power);
                    is_exact = is_exact && factor::scaled(v, -power) == exact &&
                               exact.hi + exact.lo == exact.hi;
                    see(std::min(x, y), std::max(x, y), v);
                }
            }
        };
        each([&](column_t, index_t y, const dd_real&) { ++upper.begin[as_size(y) + 1]; });
        std::partial_sum(upper.begin.begin(), upper.begin.end(), upper.begin.begin());
        std::vector<index_t> next(upper.begin.begin(), upper.begin.end() - 1);
        each([&](column_t x, index_t y, const dd_real& v) {
            const index_t to = next[as_size(y)]++;
            upper.row[as_size(to)] = x;
            upper.value.set(to, v);
        });
        matrix = transposed(upper);
        return is_exact;
    }
};

template <scalar V>
class bounder {
public:
    bounder(const host_system<V>& system, const approximate_inverse& approximate,
            const factorisation_options& asked, const factor_watch& watch)
        : system_(system), approximate_(approximate), limits_(options_of(asked, false, watch)),
          asked_(asked), watch_(watch)
    {
    }

    inverse_bound run()
    {
        if (set_matrix() && set_pattern()) try_shifts();
        return std::move(bound_);
    }

private:
    bool fails(std::string why)
    {
        bound_.why = std::move(why);
        return false;
    }

    bool set_matrix()
    {
        if (has_shared_places(system_.matrix()))
            return fails("entries of A share a place: their sum may round");
        const auto columns = factor::columns_of(system_.matrix());
        const factor::matching m = largest_product(columns, limits_.most_operations);
        if (!m.complete)
            return fails("the matching of the proof needs more work than " + allowed_work(asked_));
        if (m.size < system_.size()) return fails("A is singular by its pattern");
        bound_.scaling = scaling_by(m);
        const factor::elimination_order order =
            order_columns(factor::pattern_of(columns), factor::ordering::amd, m.row_of_column);
        return g_.set(columns, bound_.scaling, order) ||
               fails("entries of A, scaled, leave the range");
    }

    bool set_pattern()
    {
        pattern_ = factor::pattern_of_ldlt(factor::pattern_of(g_.matrix), g_.blocks,
                                           limits_.most_operations, limits_.most_bytes,
                                           index_t{sizeof(dd_real)});
        if (pattern_.complete) {
            bound_.bytes = pattern_.bytes;
            return true;
        }
        const bool work = pattern_.operations > limits_.most_operations;
        return fails(work ? "the factors of the proof need more work than " + allowed_work(asked_)
                          : "the factors of the proof need more memory than most_memory, " +
                                std::to_string(asked_.most_memory) + " bytes, allows");
    }

    void try_shifts()
    {
        const auto norm = estimated_inverse_norm(system_, approximate_, bound_.scaling);
        if (!norm) {
            fails(why_no_norm(approximate_, asked_));
            return;
        }
        double tau = 1 / (4 * *norm);
        for (int attempt = 0; attempt < most_shifts; ++attempt, tau /= 16) {
            if (tau < 0x1p-400)
                fails("the norm of the inverse is out of range");
            else if (try_shift(tau) || is_hopeless_)
                return;
        }
    }

    /// Whether every singular value is proved to be above a positive number.
    bool try_shift(double tau)
    {
        g_.set_shift(tau);
        const auto f = factorise_symmetric(g_.matrix, pattern_, true, watch_);
        bound_.work += work_in_dd * pattern_.operations;
        is_hopeless_ = f.end == factor::factor_end::stopped;
        if (is_hopeless_) return fails("interrupted");
        if (f.end != factor::factor_end::complete)
            return fails("a pivot of the proof's factors is zero or not finite");
        const double delta = backward_error_bound(pattern_, f);
        // No smaller tau would do.
        is_hopeless_ = !(delta < tau / 2);
        if (is_hopeless_)
            return fails("the norm of the inverse, about " + text_of(1 / (4 * tau)) +
                         ", is too large for factors in double-double, which are right to " +
                         text_of(delta));
        const factor::inertia found = inertia_of(pattern_, f);
        if (!found.clear || found.positive != system_.size())
            return fails("the signs of eigenvalues prove nothing at " + text_of(tau));
        // tau - delta > 0, rounded down, and its inverse, rounded up.
        bound_.norm = (1 + 0x1p-50) / ((tau - delta) * (1 - 0x1p-50));
        bound_.why.clear();
        return true;
    }

    const host_system<V>& system_;
    const approximate_inverse& approximate_;
    const factor::options limits_;
    const factorisation_options& asked_;
    const factor_watch& watch_;
    augmented_matrix g_;
    factor::ldlt_pattern pattern_;
    inverse_bound bound_;
    bool is_hopeless_ = false;
};

}  // namespace

template <scalar V>
inverse_bound bound_inverse(const host_system<V>& system, const approximate_inverse& approximate,
                            const factorisation_options& asked, const factor_watch& watch)
{
    if (looks_definite(system.matrix())) {
        inverse_bound definite = bound_definite_inverse(system, approximate, asked, watch);
        if (definite.why.empty() || definite.is_over) return definite;
        inverse_bound found = bounder<V>(system, approximate, asked, watch).run();
        found.work += definite.work;
        found.bytes = std::max(found.bytes, definite.bytes);
        return found;
    }
    return bounder<V>(system, approximate, asked, watch).run();
}

template inverse_bound bound_inverse(const host_system<double>&, const approximate_inverse&,
                                     const factorisation_options&, const factor_watch&);
template inverse_bound bound_inverse(const host_system<dd_real>&, const approximate_inverse&,
                                     const factorisation_options&, const factor_watch&);

}  // namespace ddla::refine
