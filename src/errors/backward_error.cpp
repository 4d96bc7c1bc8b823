// Backward errors.
#include "backward_error.hpp"

#include "ddla/vector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ddla::refine {
namespace {

/// |A_i| |x|, ||A_i||_1 and ||A_i||_inf of a row.
struct row_measures {
    double product = 0, norm1 = 0, largest = 0;
    bool underflows = false;  ///< a product of numbers that are not zero is below all doubles
};

/// Everything times `unit`.
template <scalar V>
row_measures measure(const csr<V>& a, index_t i, vec<const dd_real> x, double unit)
{
    row_measures m;
    for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e) {
        const double value = std::fabs(a.value.word(0)[e]) * unit;
        const double x_j = std::fabs(x.word(0)[a.column[e]]), product = value * x_j;
        m.underflows = m.underflows || (product == 0 && value > 0 && x_j > 0);
        m.product += product;
        m.norm1 += value;
        m.largest = std::max(m.largest, value);
    }
    return m;
}

/// A power of two that keeps sums and products with norms from overflow.
double unit_for(double largest_of_a, double largest_of_x, double largest_of_b)
{
    const bool is_far = largest_of_a > 0x1p+900 || largest_of_b > 0x1p+980 ||
                        largest_of_x * largest_of_a > 0x1p+980;
    return is_far ? 0x1p-100 : 1;
}

/// Of a row alone: beside large ones a small one would underflow.
template <scalar V>
double unit_of_row(const csr<V>& a, index_t i, double largest_of_x, double b)
{
    double largest = 0;
    for (index_t e = a.row_begin[i]; e < a.row_begin[i + 1]; ++e)
        largest = std::max(largest, std::fabs(a.value.word(0)[e]));
    return unit_for(largest, largest_of_x, b);
}

/// NaN where the divisor has overflowed.
double quotient(double r, double of)
{
    if (std::isinf(of)) return std::numeric_limits<double>::quiet_NaN();
    return r == 0 ? 0 : r / of;
}

/// The larger one; a NaN wins.
double larger(double a, double b)
{
    return a >= b || std::isnan(a) ? a : b;
}

}  // namespace

void store(const backward_errors& errors, error_estimates& in)
{
    const auto known = [](double error) {
        return std::isnan(error) ? std::nullopt : std::optional(error);
    };
    in.backward_error = known(errors.normwise);
    in.componentwise_backward_error = known(errors.componentwise);
    in.omega1 = known(errors.omega1);
    in.omega2 = known(errors.omega2);
}

template <scalar V>
backward_errors backward_errors_of(const host_system<V>& system, const_solution_view x, double eps)
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    if (!all_finite(x.high)) return {nan, nan, nan, nan, 0};
    const csr<V>& a = system.matrix();
    const vec<const dd_real> b = system.right_hand_side();
    vector<dd_real> r(a.rows);
    const double scale = system.residual(x, r.view()), back = 1 / scale;
    const double x_norm = largest_magnitude(x.high), n = static_cast<double>(a.rows);
    const double unit = unit_for(largest_entry(a), x_norm, system.largest_of_b());
    double largest_r = 0, a_norm = 0;
    backward_errors all;
    all.relative_residual = system.relative_residual(x, std::as_const(r).view(), scale);
    for (index_t i = 0; i < a.rows; ++i) {
        const double own = unit == 1 ? 1 : unit_of_row(a, i, x_norm, std::fabs(b.word(0)[i]));
        const row_measures m = measure(a, i, x.high, own);
        const double r_i = std::fabs(r.view().word(0)[i]) * back * own;
        const double b_i = std::fabs(b.word(0)[i]) * own;
        largest_r = larger(largest_r, r_i / own * unit);
        a_norm = std::max(a_norm, m.norm1 / own * unit);
        const double denominator = m.product + b_i;
        if (denominator > 0)
            all.smallest_row = std::min(all.smallest_row, denominator / own * scale);
        if (m.underflows) all.smallest_row = 0;
        all.componentwise = larger(all.componentwise, quotient(r_i, denominator));
        if (denominator > 1000 * n * eps * (m.largest * x_norm + b_i))
            all.omega1 = larger(all.omega1, quotient(r_i, denominator));
        else
            all.omega2 = larger(all.omega2, quotient(r_i, m.product + m.norm1 * x_norm));
    }
    all.normwise = quotient(largest_r, a_norm * x_norm + system.largest_of_b() * unit);
    return all;
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template backward_errors backward_errors_of(const host_system<V>&, const_solution_view, double);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
