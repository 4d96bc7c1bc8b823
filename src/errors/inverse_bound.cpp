// The norm of an inverse, bounded.
#include "inverse_bound.hpp"

#include "definite_bound.hpp"
#include "proof_parts.hpp"

#include "ddla/csr_matrix.hpp"

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

/// G for R A C: row i of it is row i of A, row n + j column j.
class augmented_matrix {
public:
    /// False if entries leave the range, or their words are not those of a double-double number.
    template <scalar V>
    bool set(const csr<V>& a, const factor::exponents& s)
    {
        const factor::sparse_columns<V> columns = factor::columns_of(a);
        const index_t n = a.rows;
        size_ = 2 * n;
        value_ = vector<dd_real>(size_ + 2 * columns.entries());
        begin_ = {0};
        bool is_exact = true;
        const auto add = [&](index_t j, const dd_real& v) {
            value_.set(static_cast<index_t>(column_.size()), v);
            column_.push_back(static_cast<column_t>(j));
        };
        const factor::sparse_columns<V> rows = transposed(columns);
        for (index_t i = 0; i < size_; ++i) {
            const bool is_row = i < n;
            const factor::sparse_columns<V>& of = is_row ? rows : columns;
            const index_t k = is_row ? i : i - n;
            const int own = is_row ? s.row[as_size(k)] : s.column[as_size(k)];
            if (is_row) add(i, dd_real(-1));
            count_work(20 * (of.begin[as_size(k) + 1] - of.begin[as_size(k)]));
            for (index_t e = of.begin[as_size(k)]; e < of.begin[as_size(k) + 1]; ++e) {
                const column_t j = of.row[as_size(e)];
                const int power = own + (is_row ? s.column[as_size(j)] : s.row[as_size(j)]);
                const dd_real exact(of.value.get(e)), v = factor::scaled(exact, power);
                is_exact = is_exact && factor::scaled(v, -power) == exact &&
                           exact.hi + exact.lo == exact.hi;
                add(is_row ? n + j : j, v);
            }
            if (!is_row) add(i, dd_real(-1));
            begin_.push_back(static_cast<index_t>(column_.size()));
        }
        return is_exact;
    }
    /// With -tau on the diagonal.
    csr_matrix<dd_real> shifted(double tau) const
    {
        vector<dd_real> values(value_);
        for (index_t i = 0; i < size_; ++i)
            values.set(i < size_ / 2 ? begin_[as_size(i)] : begin_[as_size(i) + 1] - 1,
                       dd_real(-tau));
        return csr_matrix<dd_real>(size_, size_, begin_, column_, std::move(values));
    }

private:
    index_t size_ = 0;
    std::vector<index_t> begin_;
    std::vector<column_t> column_;
    vector<dd_real> value_{0};
};

/// Pairs of a row and the column that is matched with it, in the order of columns.
factor::symmetric_order order_of_pairs(const factor::elimination_order& order)
{
    factor::symmetric_order pairs;
    const auto n = static_cast<column_t>(order.column.size());
    for (const column_t j : order.column) {
        pairs.blocks.push_back(static_cast<column_t>(pairs.row.size()));
        pairs.row.push_back(order.preferred[as_size(j)]);
        pairs.row.push_back(n + j);
    }
    pairs.blocks.push_back(2 * n);
    pairs.exponent.assign(2 * as_size(n), 0);
    return pairs;
}

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
        if (set_matrix() && is_within_limits()) try_shifts();
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
        order_ = order_of_pairs(
            order_columns(factor::pattern_of(columns), factor::ordering::amd, m.row_of_column));
        return g_.set(system_.matrix(), bound_.scaling) ||
               fails("entries of A, scaled, leave the range");
    }

    factor::symmetric_options options() const
    {
        return {.given = &order_,
                .replace = false,
                .most_operations = asked_.most_work * 1e9 / work_of_supernodes<dd_real>(1),
                .most_bytes = limits_.most_bytes,
                .watch = watch_,
                .run = limits_.run};
    }
    bool is_within_limits()
    {
        return may_go_on(
            factor::symmetric_factors<dd_real>::count(g_.shifted(1).view(), options()));
    }
    /// Whether nothing has ended the factors that no smaller tau would mend.
    bool may_go_on(const factor::symmetric_report& about)
    {
        bound_.bytes = std::max(bound_.bytes, about.bytes);
        is_hopeless_ = true;
        if (about.end == factor::factor_end::stopped) return fails("interrupted");
        if (const auto limit = limit_passed_by_supernodes<dd_real>(about, asked_))
            return fails("the proof's " + limit->text);
        is_hopeless_ = false;
        return true;
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
        const auto f = factor::symmetric_factors<dd_real>::make(g_.shifted(tau).view(), options());
        const factor::symmetric_report& about = f.about();
        bound_.work += work_of_supernodes<dd_real>(about.done);
        if (!may_go_on(about)) return false;
        if (about.end != factor::factor_end::complete || about.replaced > 0)
            return fails("a pivot of the proof's factors is zero or not finite");
        const double delta = f.backward_error_bound();
        // No smaller tau would do.
        is_hopeless_ = !(delta < tau / 2);
        if (is_hopeless_)
            return fails("the norm of the inverse, about " + text_of(1 / (4 * tau)) +
                         ", is too large for factors in double-double, which are right to " +
                         text_of(delta));
        const factor::inertia& found = about.signs;
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
    factor::symmetric_order order_;
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
