// Vectors of MPFR's numbers.
#include "mp_vectors.hpp"

#include "ddla/watched_scope.hpp"

namespace ddla::validate {
namespace {

std::size_t at(index_t i)
{
    return static_cast<std::size_t>(i);
}

/// A product and a sum, in nanoseconds, about.
std::int64_t operation_of(mpfr_prec_t bits)
{
    const auto words = static_cast<std::int64_t>(bits / 64);
    return 100 + words * words;
}

}  // namespace

mp_vector residual(const csr_matrix<double>& a, const vector<double>& b, const mp_vector& x,
                   mpfr_prec_t bits)
{
    const csr<double> m = a.view();
    mp_vector r;
    mp_number product(bits);
    for (index_t i = 0; i < m.rows; ++i) {
        count_work(operation_of(bits) * (m.row_length(i) + 1));
        mp_number sum(bits, b[i]);
        for (index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k) {
            mpfr_mul_d(product.get(), x[at(m.column[k])].get(), m.value.get(k), MPFR_RNDN);
            sum -= product;
        }
        r.push_back(std::move(sum));
    }
    return r;
}

mp_vector magnitudes(const csr_matrix<double>& a, const mp_vector& x, mpfr_prec_t bits)
{
    const csr<double> m = a.view();
    mp_vector sums;
    mp_number product(bits);
    for (index_t i = 0; i < m.rows; ++i) {
        count_work(operation_of(bits) * (m.row_length(i) + 1));
        mp_number sum(bits);
        for (index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k) {
            mpfr_mul_d(product.get(), x[at(m.column[k])].get(), m.value.get(k), MPFR_RNDN);
            mpfr_abs(product.get(), product.get(), MPFR_RNDN);
            sum += product;
        }
        sums.push_back(std::move(sum));
    }
    return sums;
}

mp_number largest_magnitude(const mp_vector& x, mpfr_prec_t bits)
{
    mp_number largest(bits);
    for (const mp_number& e : x)
        if (smaller(largest, e)) mpfr_abs(largest.get(), e.get(), MPFR_RNDN);
    return largest;
}

mp_number largest_difference(const mp_vector& a, const mp_vector& b, mpfr_prec_t bits)
{
    mp_number largest(bits), difference(bits);
    for (std::size_t i = 0; i < a.size(); ++i) {
        mpfr_sub(difference.get(), a[i].get(), b[i].get(), MPFR_RNDN);
        if (smaller(largest, difference)) mpfr_abs(largest.get(), difference.get(), MPFR_RNDN);
    }
    return largest;
}

}  // namespace ddla::validate
