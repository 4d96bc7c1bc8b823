// A x = b at the host: residuals, the transpose, magnitudes.
#include "host_system.hpp"

#include "ddla/blas.hpp"
#include "ddla/vector.hpp"
#include "steps/scaling.hpp"
#include "storage/transposed.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::refine {

double largest_magnitude(vec<const dd_real> x)
{
    double most = 0;
    for (index_t i = 0; i < x.size; ++i) {
        const double m = std::fabs(x.word(0)[i]);
        if (!(m <= most)) most = m;
        if (std::isnan(most)) return most;
    }
    return most;
}

bool all_finite(vec<const dd_real> x)
{
    return std::isfinite(largest_magnitude(x));
}

template <scalar V>
host_system<V>::host_system(const csr<V>& a, vec<const dd_real> b)
    : a_(a), b_(b), largest_b_(largest_magnitude(b))
{
}

template <scalar V>
csr<V> host_system<V>::transposed() const
{
    if (!transposed_) transposed_ = ddla::transposed(a_);
    return transposed_->view();
}

template <scalar V>
std::int64_t host_system<V>::transposed_bytes() const
{
    if (!transposed_) return 0;
    return (a_.columns + 1) * static_cast<std::int64_t>(sizeof(index_t)) +
           a_.nonzeros() * static_cast<std::int64_t>(sizeof(column_t) + sizeof(V));
}

template <scalar V>
double host_system<V>::residual(const_solution_view x, vec<dd_real> r) const
{
    const double scale = steps::residual_scale(largest_b_, largest_magnitude(x.high));
    if (x.words() == 2)
        host_engine().matrices<dd_real, V>().scaled_residual(a_, x.high, b_, scale, r);
    else
        wide_residual(a_, x, b_, scale, r);
    return scale;
}

template <scalar V>
double host_system<V>::scale_of_residuals() const
{
    return std::min(1.0, steps::residual_scale(largest_b_, 0));
}

template <scalar V>
double host_system<V>::norm_of_wide_residual(const_solution_view x) const
{
    vector<dd_real> r(a_.rows), b(a_.rows);
    const double scale = residual(x, r.view());
    for (index_t i = 0; i < a_.rows; ++i) b.set(i, steps::times_power_of_two(b_.get(i), scale));
    const dd_real of_r = nrm2(r), of_b = nrm2(b);
    if (of_r == dd_real(0)) return 0;
    return of_b == dd_real(0) ? HUGE_VAL : double(of_r / of_b);
}

template <scalar V>
double host_system<V>::relative_residual(const_solution_view x) const
{
    if (x.words() > 2) return norm_of_wide_residual(x);
    const scaled_norms n = host_engine().matrices<dd_real, V>().true_residual(a_, x.high, b_);
    if (n.residual == dd_real(0)) return 0;
    if (n.right_hand_side == dd_real(0)) return HUGE_VAL;
    return double(n.residual / n.right_hand_side);
}

template <scalar V>
std::vector<double> host_system<V>::magnitudes(vec<const dd_real> x) const
{
    std::vector<double> w(static_cast<std::size_t>(a_.rows), 0);
    for (index_t i = 0; i < a_.rows; ++i)
        for (index_t e = a_.row_begin[i]; e < a_.row_begin[i + 1]; ++e)
            w[static_cast<std::size_t>(i)] +=
                std::fabs(a_.value.word(0)[e] * x.word(0)[a_.column[e]]);
    return w;
}

template class host_system<double>;
template class host_system<dd_real>;

}  // namespace ddla::refine
