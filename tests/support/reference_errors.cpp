#include "reference_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reference {

namespace {

constexpr mpfr_prec_t bits = 256;

/// One number.
class scratch {
public:
    scratch() : numbers_(1, bits) {}
    operator mpfr_ptr() { return numbers_[0]; }
    operator mpfr_srcptr() const { return numbers_[0]; }

private:
    mpfr_vector numbers_;
};

void add_absolute(mpfr_ptr sum, mpfr_srcptr term)
{
    if (mpfr_signbit(term))
        mpfr_sub(sum, sum, term, MPFR_RNDN);
    else
        mpfr_add(sum, sum, term, MPFR_RNDN);
}

void raise_to(mpfr_ptr largest, mpfr_srcptr x)
{
    if (mpfr_cmpabs(x, largest) > 0) mpfr_abs(largest, x, MPFR_RNDN);
}

/// |x / y|; 0 / 0 is 0.
double ratio(mpfr_srcptr x, mpfr_srcptr y)
{
    if (mpfr_zero_p(x)) return 0;
    scratch q;
    mpfr_div(q, x, y, MPFR_RNDN);
    return std::fabs(mpfr_get_d(q, MPFR_RNDU));
}

void compare(const mpfr_vector& x, const mpfr_vector& computed, errors& to)
{
    scratch e, largest_e, largest_x, sum_e, sum_x;
    for (std::size_t i = 0; i < x.size(); ++i) {
        mpfr_sub(e, computed[i], x[i], MPFR_RNDN);
        raise_to(largest_e, e);
        raise_to(largest_x, x[i]);
        add_absolute(sum_e, e);
        add_absolute(sum_x, x[i]);
        const bool right = mpfr_zero_p(x[i]) && std::fabs(mpfr_get_d(computed[i], MPFR_RNDN)) <
                                                    std::numeric_limits<double>::min();
        if (!right) to.componentwise = std::max(to.componentwise, ratio(e, x[i]));
    }
    to.normwise = ratio(largest_e, largest_x);
    to.norm1 = ratio(sum_e, sum_x);
}

/// sum += value x.
void add_product(mpfr_ptr sum, double value, mpfr_srcptr x)
{
    scratch term;
    mpfr_mul_d(term, x, value, MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
}

double norm1(const ddla::csr_matrix<double>& a)
{
    const ddla::csr<double> m = a.view();
    std::vector<double> sums(static_cast<std::size_t>(m.columns));
    for (ddla::index_t k = 0; k < a.nonzeros(); ++k)
        sums[static_cast<std::size_t>(m.column[k])] += std::fabs(m.value.get(k));
    return sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end());
}

/// What may be lost in conditions that are printed with four digits, or estimated.
double slack(const condition& c)
{
    return c.exact ? 1.001 : 10;
}

}  // namespace

errors errors_of(const ddla::csr_matrix<double>& a, const std::vector<double>& b,
                 const mpfr_vector& x, const mpfr_vector& computed)
{
    errors to;
    compare(x, computed, to);
    const ddla::csr<double> m = a.view();
    scratch r, size, square, squares, squares_of_b, sum_r, sum_x, absolute;
    for (ddla::index_t i = 0; i < m.rows; ++i) {
        const auto row = static_cast<std::size_t>(i);
        mpfr_set_d(r, -b[row], MPFR_RNDN);
        mpfr_set_d(size, std::fabs(b[row]), MPFR_RNDN);
        for (ddla::index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k) {
            const auto column = static_cast<std::size_t>(m.column[k]);
            add_product(r, m.value.get(k), computed[column]);
            mpfr_abs(absolute, x[column], MPFR_RNDN);
            add_product(size, std::fabs(m.value.get(k)), absolute);
        }
        to.backward = std::max(to.backward, ratio(r, size));
        mpfr_sqr(square, r, MPFR_RNDN);
        mpfr_add(squares, squares, square, MPFR_RNDN);
        mpfr_set_d(square, b[row], MPFR_RNDN);
        mpfr_sqr(square, square, MPFR_RNDN);
        mpfr_add(squares_of_b, squares_of_b, square, MPFR_RNDN);
        add_absolute(sum_r, r);
    }
    for (std::size_t i = 0; i < x.size(); ++i) add_absolute(sum_x, x[i]);
    mpfr_mul_d(sum_x, sum_x, norm1(a), MPFR_RNDN);
    to.backward_norm1 = ratio(sum_r, sum_x);
    mpfr_sqrt(squares, squares, MPFR_RNDN);
    mpfr_sqrt(squares_of_b, squares_of_b, MPFR_RNDN);
    to.residual = ratio(squares, squares_of_b);
    return to;
}

mpfr_vector widened(const ddla::vector<double>& x)
{
    mpfr_vector to(static_cast<std::size_t>(x.size()), bits);
    for (ddla::index_t i = 0; i < x.size(); ++i)
        mpfr_set_d(to[static_cast<std::size_t>(i)], x[i], MPFR_RNDN);
    return to;
}

mpfr_vector widened(const ddla::vector<ddla::dd_real>& x)
{
    mpfr_vector to(static_cast<std::size_t>(x.size()), bits);
    for (ddla::index_t i = 0; i < x.size(); ++i) {
        const ddla::dd_real value = x[i];
        const auto at = static_cast<std::size_t>(i);
        mpfr_set_d(to[at], value.hi, MPFR_RNDN);
        mpfr_add_d(to[at], to[at], value.lo, MPFR_RNDN);
    }
    return to;
}

mpfr_vector rounded(const mpfr_vector& x, int words)
{
    mpfr_vector to(x.size(), bits);
    scratch rest;
    for (std::size_t i = 0; i < x.size(); ++i)
        for (int word = 0; word < words; ++word) {
            mpfr_sub(rest, x[i], to[i], MPFR_RNDN);
            mpfr_add_d(to[i], to[i], mpfr_get_d(rest, MPFR_RNDN), MPFR_RNDN);
        }
    return to;
}

double bound_of_normwise(const errors& e, const condition& skeel)
{
    return 2 * e.backward * skeel.value * slack(skeel);
}

double bound_of_norm1(const errors& e, const condition& kappa1)
{
    return e.backward_norm1 * kappa1.value * slack(kappa1);
}

}  // namespace reference
