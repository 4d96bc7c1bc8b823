// A x = b at the host: residuals, the transpose, magnitudes.
#include "host_system.hpp"

#include "steps/scaling.hpp"

#include <cmath>

namespace ddla::refine {
namespace {

template <scalar V>
csr_matrix<V> transpose_of(const csr<V>& a)
{
    const auto n = static_cast<std::size_t>(a.columns);
    std::vector<index_t> begin(n + 1, 0);
    for (index_t e = 0; e < a.nonzeros(); ++e) ++begin[static_cast<std::size_t>(a.column[e]) + 1];
    for (std::size_t j = 0; j < n; ++j) begin[j + 1] += begin[j];
    std::vector<index_t> next = begin;
    std::vector<column_t> row(static_cast<std::size_t>(a.nonzeros()));
    vector<V> value(a.nonzeros());
    const vec<V> values = value.view();
    for (index_t i = 0; i < a.rows; ++i)
        for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) {
            const index_t to = next[static_cast<std::size_t>(a.column[e])]++;
            row[static_cast<std::size_t>(to)] = static_cast<column_t>(i);
            values.set(to, a.value.get(e));
        }
    return {a.columns, a.rows, std::move(begin), std::move(row), std::move(value)};
}

}  // namespace

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
    if (!transposed_) transposed_ = transpose_of(a_);
    return transposed_->view();
}

template <scalar V>
double host_system<V>::residual(vec<const dd_real> x, vec<dd_real> r) const
{
    const double scale = steps::residual_scale(largest_b_, largest_magnitude(x));
    host_engine().matrices<dd_real, V>().scaled_residual(a_, x, b_, scale, r);
    return scale;
}

template <scalar V>
double host_system<V>::relative_residual(vec<const dd_real> x) const
{
    const scaled_norms n = host_engine().matrices<dd_real, V>().true_residual(a_, x, b_);
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
