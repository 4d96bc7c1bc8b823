// Backward errors.
#include "backward_error.hpp"

#include "ddla/vector.hpp"
#include "refine/element_loops.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
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

/// What rows are measured by, besides themselves.
struct measure_of_rows {
    double x_norm, unit, scale, eps;
};

/// Of some rows, or of all; the normwise error is known of all only.
struct measured_rows {
    double largest_r = 0, a_norm = 0;
    backward_errors errors;

    void take(const measured_rows& other)
    {
        largest_r = larger(largest_r, other.largest_r);
        a_norm = std::max(a_norm, other.a_norm);
        errors.smallest_row = std::min(errors.smallest_row, other.errors.smallest_row);
        errors.componentwise = larger(errors.componentwise, other.errors.componentwise);
        errors.omega1 = larger(errors.omega1, other.errors.omega1);
        errors.omega2 = larger(errors.omega2, other.errors.omega2);
    }
};

template <scalar V>
measured_rows measure_rows(const host_system<V>& system, vec<const dd_real> x, vec<const dd_real> r,
                           const measure_of_rows& by, index_t begin, index_t end)
{
    const csr<V>& a = system.matrix();
    const vec<const dd_real> b = system.right_hand_side();
    const double n = static_cast<double>(a.rows), back = 1 / by.scale;
    measured_rows all;
    backward_errors& found = all.errors;
    for (index_t i = begin; i < end; ++i) {
        const double own = by.unit == 1 ? 1 : unit_of_row(a, i, by.x_norm, std::fabs(b.word(0)[i]));
        const row_measures m = measure(a, i, x, own);
        const double r_i = std::fabs(r.word(0)[i]) * back * own;
        const double b_i = std::fabs(b.word(0)[i]) * own;
        all.largest_r = larger(all.largest_r, r_i / own * by.unit);
        all.a_norm = std::max(all.a_norm, m.norm1 / own * by.unit);
        const double denominator = m.product + b_i;
        if (denominator > 0)
            found.smallest_row = std::min(found.smallest_row, denominator / own * by.scale);
        if (m.underflows) found.smallest_row = 0;
        found.componentwise = larger(found.componentwise, quotient(r_i, denominator));
        if (denominator > 1000 * n * by.eps * (m.largest * by.x_norm + b_i))
            found.omega1 = larger(found.omega1, quotient(r_i, denominator));
        else
            found.omega2 = larger(found.omega2, quotient(r_i, m.product + m.norm1 * by.x_norm));
    }
    return all;
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
    vector<dd_real> r(a.rows);
    const double scale = system.residual(x, r.view());
    const vec<const dd_real> residual = std::as_const(r).view();
    const double x_norm = largest_magnitude(x.high);
    const double unit = unit_for(largest_entry(a), x_norm, system.largest_of_b());
    measured_rows all;
    std::mutex mutex;
    each_part(a.rows, [&](index_t begin, index_t end) {
        const measured_rows part =
            measure_rows(system, x.high, residual, {x_norm, unit, scale, eps}, begin, end);
        const std::lock_guard alone(mutex);
        all.take(part);
    });
    all.errors.relative_residual = system.relative_residual(x, residual, scale);
    all.errors.normwise =
        quotient(all.largest_r, all.a_norm * x_norm + system.largest_of_b() * unit);
    return all.errors;
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template backward_errors backward_errors_of(const host_system<V>&, const_solution_view, double);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
