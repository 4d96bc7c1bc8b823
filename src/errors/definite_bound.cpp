#include "definite_bound.hpp"
#include "proof_parts.hpp"

#include "ddla/csr_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::refine {
namespace {

using factor::as_size;

/// The matrix with a diagonal from 1/2 to 2, by powers of two: row i and column i times 2^s_i.
template <scalar V>
class scaled_matrix {
public:
    /// False if entries leave the range, or their words are not those of a number.
    bool set(const csr<V>& a)
    {
        for (index_t i = 0; i <= a.rows; ++i) begin_.push_back(a.row_begin[i]);
        column_.assign(a.column, a.column + a.nonzeros());
        value_ = vector<V>(a.nonzeros());
        diagonal_.assign(as_size(a.rows), 0);
        exponent_.assign(as_size(a.rows), 0);
        for (index_t i = 0; i < a.rows; ++i)
            for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e)
                if (a.column[e] == i) {
                    diagonal_[as_size(i)] = e;
                    exponent_[as_size(i)] = -(factor::exponent_of(word<0>(a.value.get(e))) >> 1);
                }
        return scale(a);
    }
    const std::vector<int>& exponent() const { return exponent_; }
    /// Less tau on the diagonal, each difference rounded once; the largest of the diagonal.
    template <scalar F>
    std::pair<csr_matrix<F>, double> shifted(double tau) const
    {
        vector<F> values(value_.size());
        for (index_t e = 0; e < value_.size(); ++e) values.set(e, F(value_[e]));
        double largest = 0;
        for (const index_t e : diagonal_) {
            const F d = values[e] - F(tau);
            values.set(e, d);
            largest = std::max(largest, factor::magnitude(d));
        }
        const auto n = static_cast<index_t>(diagonal_.size());
        return {csr_matrix<F>(n, n, begin_, column_, std::move(values)), largest};
    }

private:
    bool scale(const csr<V>& a)
    {
        for (index_t i = 0; i < a.rows; ++i) {
            count_work(10 * a.row_length(i));
            for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) {
                const int power = exponent_[as_size(i)] + exponent_[as_size(a.column[e])];
                const V v = a.value.get(e), s = factor::scaled(v, power);
                if (!(factor::scaled(s, -power) == v) || !are_words(v)) return false;
                value_.set(e, s);
            }
        }
        return true;
    }
    static bool are_words(double) { return true; }
    static bool are_words(const dd_real& v) { return v.hi + v.lo == v.hi; }

    std::vector<index_t> begin_, diagonal_;
    std::vector<column_t> column_;
    std::vector<int> exponent_;
    vector<V> value_{0};
};

template <scalar V>
class definite_bounder {
public:
    definite_bounder(const host_system<V>& system, const approximate_inverse& approximate,
                     const factorisation_options& asked, const factor_watch& watch)
        : system_(system), approximate_(approximate), asked_(asked), watch_(watch)
    {
    }

    inverse_bound run()
    {
        if (!set_matrix()) return std::move(bound_);
        const auto norm = estimated_inverse_norm(system_, approximate_, bound_.scaling);
        if (!norm) {
            fails(why_no_norm(approximate_, asked_));
            return std::move(bound_);
        }
        const double tau = 1 / (4 * *norm);
        bool is_proved = false;
        if constexpr (words_of<V> == 1) is_proved = try_shifts<double>(tau);
        if (!is_proved && !bound_.is_over) try_shifts<dd_real>(tau);
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
        if (!matrix_.set(system_.matrix())) return fails("entries of A, scaled, leave the range");
        bound_.scaling = {matrix_.exponent(), matrix_.exponent()};
        return true;
    }
    template <scalar F>
    bool try_shifts(double tau)
    {
        for (int attempt = 0; attempt < most_shifts && !bound_.is_over; ++attempt, tau /= 16) {
            if (!(tau >= 0x1p-400)) return fails("the norm of the inverse is out of range");
            const std::optional<bool> found = try_shift<F>(tau);
            if (found) return *found;
        }
        return false;
    }
    /// Whether all eigenvalues are proved to be above a positive number; nothing: a smaller tau may
    /// do.
    template <scalar F>
    std::optional<bool> try_shift(double tau)
    {
        const auto [shifted, largest] = matrix_.template shifted<F>(tau);
        factorisation_options unscaled = asked_;
        unscaled.scale = false;
        const auto f = definite_factors_in<F>(shifted.view(), unscaled, watch_);
        bound_.work += work_of_supernodes<F>(f.about().done);
        bound_.bytes = std::max(bound_.bytes, f.about().bytes);
        bound_.is_over = f.about().end == factor::factor_end::stopped;
        if (bound_.is_over) return fails("interrupted");
        if (const auto limit = limit_passed_by_supernodes<F>(f.about(), asked_)) {
            bound_.is_over = true;
            return fails("the proof's " + limit->text);
        }
        if (f.about().end != factor::factor_end::complete) {
            fails("a pivot of the proof's factors is not positive at " + text_of(tau));
            return std::nullopt;
        }
        // The diagonal was rounded, too.
        constexpr double rounding = words_of<F> == 1 ? 0x1p-53 : 0x1p-104;
        const double delta = (f.backward_error_bound() + rounding * largest) * (1 + 0x1p-50);
        if (!(delta < tau / 2))
            return fails("the norm of the inverse, about " + text_of(1 / (4 * tau)) +
                         ", is too large for these factors, which are right to " + text_of(delta));
        // tau - delta > 0, rounded down, and its inverse, rounded up.
        bound_.norm = (1 + 0x1p-50) / ((tau - delta) * (1 - 0x1p-50));
        bound_.why.clear();
        return true;
    }

    const host_system<V>& system_;
    const approximate_inverse& approximate_;
    const factorisation_options& asked_;
    const factor_watch& watch_;
    scaled_matrix<V> matrix_;
    inverse_bound bound_;
};

}  // namespace

template <scalar V>
inverse_bound bound_definite_inverse(const host_system<V>& system,
                                     const approximate_inverse& approximate,
                                     const factorisation_options& asked, const factor_watch& watch)
{
    return definite_bounder<V>(system, approximate, asked, watch).run();
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template inverse_bound bound_definite_inverse(                                                 \
        const host_system<V>&, const approximate_inverse&, const factorisation_options&,           \
        const factor_watch&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
