// A proved bound of the error of x.  Numbers here are rounded upward: by factors that cover all
// roundings of a sum of less than 2^30 terms that are not negative.
#include "certify.hpp"

#include "exact_residual.hpp"

#include "ddla/vector.hpp"
#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::refine {
namespace {

using factor::as_size;

constexpr double upward = 1 + 0x1p-20;
constexpr double underflow = 0x1p-1060;  // more than some operations can lose by it

/// x + d1 + d2 + …: each is exact, their sum is not formed.
class corrected_x {
public:
    explicit corrected_x(const_solution_view x)
        : first_(x), parts_{x.high}, size_(as_size(x.size()), 0)
    {
        if (x.words() == 4) parts_.push_back(x.low);
    }

    void add(vector<dd_real> d)
    {
        for (std::size_t i = 0; i < size_.size(); ++i) {
            const dd_real v = d.view().get(static_cast<index_t>(i));
            size_[i] = (size_[i] + std::fabs(v.hi) + std::fabs(v.lo)) * (1 + 0x1p-50);
        }
        kept_.push_back(std::move(d));
        parts_.push_back(std::as_const(kept_.back()).view());
    }
    const std::vector<vec<const dd_real>>& parts() const { return parts_; }
    /// About the error that rounding x has left.
    double rounding(index_t i) const
    {
        return std::fabs(first_.high.word(0)[i]) * rounding_of(first_.words()) / 16;
    }
    /// At least |d1 + d2 + …|_i.
    double moved(index_t i) const { return size_[as_size(i)]; }

private:
    const_solution_view first_;
    std::vector<vector<dd_real>> kept_;
    std::vector<vec<const dd_real>> parts_;
    real_vector size_;
};

/// b - A x of row i.
template <scalar V>
void residual_of_row(const host_system<V>& system, index_t i, const corrected_x& x, expansion& r)
{
    const csr<V>& a = system.matrix();
    r.clear();
    each_word(system.right_hand_side().get(i), [&](auto, double w) { r.add(w); });
    for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e)
        for (const auto& part : x.parts())
            each_word(a.value.get(e), [&](auto, double v) {
                each_word(part.get(a.column[e]), [&](auto, double w) { r.subtract_product(v, w); });
            });
}

/// At least || R r ||_2, and r rounded, for the next correction.
template <scalar V>
double residual_norm(const host_system<V>& system, const corrected_x& x,
                     const std::vector<int>& row_scale, vec<dd_real> rounded)
{
    real_vector scaled(as_size(system.size()));
    expansion r;
    double most = 0;
    for (index_t i = 0; i < system.size(); ++i) {
        count_work(50 * system.matrix().row_length(i) * static_cast<index_t>(x.parts().size()));
        residual_of_row(system, i, x, r);
        rounded.set(i, r.rounded());
        const double size = std::ldexp(r.at_most(), row_scale[as_size(i)]) + underflow;
        scaled[as_size(i)] = size;
        if (!(size <= most)) most = size;
    }
    if (!std::isfinite(most)) return HUGE_VAL;
    double squares = 0;
    for (const double s : scaled) squares += (s / most) * (s / most);
    return most * std::sqrt(squares) * upward;
}

/// e_i >= |x - x*|_i.  Whether a smaller beta could tell much more.
bool take_smaller(real_vector& e, const corrected_x& x, double beta,
                  const std::vector<int>& column_scale)
{
    constexpr double small = 0x1p-10;
    bool is_loose = false;
    for (std::size_t k = 0; k < e.size(); ++k) {
        const auto i = static_cast<index_t>(k);
        const double spread = std::ldexp(beta, column_scale[k]) + underflow, moved = x.moved(i);
        const double bound = (moved + spread) * upward;
        if (bound < e[k]) e[k] = bound;
        is_loose = is_loose || spread > small * std::max(moved, x.rounding(i));
    }
    return is_loose;
}

/// At most |x|_i but for 2^-50 of it.  Words that were put together by hand may overlap.
double least_size(const_solution_view x, index_t i)
{
    double others = std::fabs(x.high.word(1)[i]);
    if (x.words() == 4) others += std::fabs(x.low.word(0)[i]) + std::fabs(x.low.word(1)[i]);
    // Rounded upward, so that what follows rounds relative to the size alone.
    return std::fabs(x.high.word(0)[i]) - others * (1 + 0x1p-50);
}

/// What the e_i are relative to x*: |x*|_i >= |x|_i - e_i.  Below the normal range quotients would
/// lose digits, or all of them.
void set_relative(error_bound& found, const_solution_view x, const real_vector& e,
                  const std::vector<bool>& zero)
{
    constexpr double least_bound = 0x1p-1022;
    double largest_e = 0, largest_x = 0, componentwise = 0;
    for (index_t i = 0; i < x.size(); ++i) {
        const bool is_zero = !zero.empty() && zero[as_size(i)] && x.high.word(0)[i] == 0;
        if (is_zero) continue;
        const double e_i = e[as_size(i)];
        const double size = least_size(x, i);
        const double least = size * (1 - 0x1p-50) - e_i * (1 + 0x1p-50);
        largest_e = std::max(largest_e, e_i);
        largest_x = std::max(largest_x, least);
        componentwise = least > 0 ? std::max(componentwise, e_i / least) : HUGE_VAL;
    }
    found.certified = largest_x > 0 && std::isfinite(largest_e);
    if (found.certified)
        found.normwise = std::max(largest_e / largest_x * upward, least_bound);
    else
        found.why = std::isfinite(largest_e) ? "the bound does not exclude that x* is 0"
                                             : "the residual is out of range";
    if (found.certified && std::isfinite(componentwise))
        found.componentwise = std::max(componentwise * upward, least_bound);
}

}  // namespace

template <scalar V>
error_bound bound_error(const host_system<V>& system, const_solution_view x,
                        const approximate_inverse& approximate, const inverse_bound& inverse,
                        const std::vector<bool>& zero)
{
    constexpr int most_corrections = 8;
    error_bound found;
    if (!inverse.why.empty()) {
        found.why = inverse.why;
        return found;
    }
    found.inverse_norm = inverse.norm;
    if (!all_finite(x.high) || (x.words() == 4 && !all_finite(x.low))) {
        found.why = "x is not finite";
        return found;
    }
    const index_t n = system.size();
    vector<dd_real> r(n);
    corrected_x corrected(x);
    real_vector e(as_size(n), HUGE_VAL);
    double last = HUGE_VAL;
    for (int k = 0; k <= most_corrections; ++k) {
        const double beta =
            residual_norm(system, corrected, inverse.scaling.row, r.view()) * inverse.norm * upward;
        if (!(beta < last / 2)) break;
        last = beta;
        if (!take_smaller(e, corrected, beta, inverse.scaling.column)) break;
        if (approximate.may_go_on && !approximate.may_go_on()) break;  // what is proved holds
        vector<dd_real> d(n);
        approximate.solve(std::as_const(r).view(), d.view());
        if (!all_finite(std::as_const(d).view())) break;
        corrected.add(std::move(d));
    }
    set_relative(found, x, e, zero);
    return found;
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template error_bound bound_error(const host_system<V>&, const_solution_view,                   \
                                     const approximate_inverse&, const inverse_bound&,             \
                                     const std::vector<bool>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
