// Errors of x, forward and backward.
#include "measures.hpp"

#include "ddla/text.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>

namespace ddla::validate {
namespace {

constexpr mpfr_prec_t wide = 512;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string text_of(double x)
{
    std::array<char, 32> text;
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), x,
                                       std::chars_format::scientific, 16)
                             .ptr};
}
/// 32 digits without zeros at their end: an x of a file has those that it was written with.
std::string text_of(dd_real x)
{
    if (!isfinite(x)) return text_of(x.hi);
    std::string text = to_string(x, 32);
    const std::size_t exponent = text.find('e');
    const std::size_t last = std::max(text.find_last_not_of('0', exponent - 1), text.find('.') + 1);
    return text.erase(last + 1, exponent - last - 1);
}

bool below_normal(const mp_number& x)
{
    return exponent_of(x, LONG_MIN) < std::numeric_limits<double>::min_exponent;
}

/// As far as the reference is known.
bool is_zero(const mp_number& reference)
{
    return exponent_of(reference, LONG_MIN) < zero_exponent;
}

double limited(double digits)
{
    return std::clamp<double>(digits, 0, most_digits);
}

double digits_of(const mp_number& x, const mp_number& reference)
{
    if (!is_finite(x)) return 0;
    if (is_zero(reference)) return sign_of(x) == 0 ? most_digits : 0;
    mp_number difference(x.bits() + reference.bits(), reference);
    difference -= x;
    if (sign_of(difference) == 0) return most_digits;
    return limited(log10_of(reference) - log10_of(difference));
}

bool all_finite(const mp_vector& x)
{
    return std::all_of(x.begin(), x.end(), [](const mp_number& e) { return is_finite(e); });
}

bool all_zero(const mp_vector& x)
{
    return std::all_of(x.begin(), x.end(), [](const mp_number& e) { return sign_of(e) == 0; });
}

void add_normwise(right_digits& d, const mp_vector& x, const mp_vector& reference)
{
    if (!all_finite(x)) {
        d.normwise = 0;
        d.error = std::numeric_limits<double>::infinity();
        return;
    }
    const mpfr_prec_t bits = x.front().bits() + reference.front().bits();
    const mp_number difference = largest_difference(x, reference, bits);
    const mp_number size = largest_magnitude(reference, bits);
    if (sign_of(difference) == 0) return;
    if (is_zero(size)) {
        if (all_zero(x)) return;
        d.normwise = 0;
        d.error = std::numeric_limits<double>::infinity();
        return;
    }
    mp_number error = difference;
    error /= size;
    d.error = to_double(error);
    d.normwise = limited(-log10_of(error));
}

double quotient(const mp_number& a, const mp_number& b)
{
    if (sign_of(b) == 0) return sign_of(a) == 0 ? 0 : std::numeric_limits<double>::infinity();
    mp_number q = a;
    q /= b;
    return std::abs(to_double(q));
}

/// ||A_i||_1 for all rows.
mp_vector row_norms(const csr_matrix<double>& a)
{
    return magnitudes(a, mp_vector(static_cast<std::size_t>(a.columns()), mp_number(53, 1.0)),
                      wide);
}

}  // namespace

template <scalar T>
right_digits compare(const vector<T>& x, const mp_vector& reference)
{
    right_digits result;
    const mp_vector values = exact(x);
    std::vector<double> digits;
    for (std::size_t i = 0; i < values.size(); ++i) {
        digits.push_back(digits_of(values[i], reference[i]));
        ++result.histogram[static_cast<std::size_t>(digits.back())];
        if (!below_normal(reference[i])) continue;
        ++result.tiny;
        result.wrong_tiny += digits.back() == 0;
    }
    std::vector<std::size_t> order(digits.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return digits[i] < digits[j]; });
    result.worst = digits[order.front()];
    result.median = digits[order[(order.size() - 1) / 2]];
    for (std::size_t k = 0; k < std::min<std::size_t>(5, order.size()); ++k) {
        const std::size_t i = order[k];
        if (digits[i] >= most_digits) break;
        const auto index = static_cast<index_t>(i);
        result.worst_five.push_back(
            {index + 1, digits[i], text_of(T(x[index])), to_text(reference[i], 34)});
    }
    add_normwise(result, values, reference);
    return result;
}

template <scalar T>
backward_errors look_back(const csr_matrix<double>& a, const vector<double>& b, const vector<T>& x,
                          double epsilon)
{
    const mp_vector values = exact(x);
    if (!all_finite(values)) return {nan, nan, nan, nan};
    const mp_vector r = residual(a, b, values, wide), products = magnitudes(a, values, wide);
    const mp_vector norms = row_norms(a);
    const mp_number size = largest_magnitude(values, wide);
    backward_errors e;
    for (std::size_t i = 0; i < r.size(); ++i) {
        mp_number share = norms[i], denominator(wide, std::abs(b[static_cast<index_t>(i)]));
        share *= size;
        mp_number threshold = share;
        threshold += denominator;
        threshold *= 1000 * static_cast<double>(r.size()) * epsilon;
        share += products[i];
        denominator += products[i];
        const double omega = quotient(r[i], denominator);
        e.berr = std::max(e.berr, omega);
        if (threshold < denominator)
            e.omega1 = std::max(e.omega1, omega);
        else
            e.omega2 = std::max(e.omega2, quotient(r[i], share));
    }
    mp_number whole = largest_magnitude(norms, wide);
    whole *= size;
    whole += largest_magnitude(exact(b), wide);
    e.eta = quotient(largest_magnitude(r, wide), whole);
    return e;
}

template <scalar T>
double error_bound(const csr_matrix<double>& a, const vector<double>& b, const vector<T>& x,
                   const reference& ref, const solve_look& look)
{
    const mp_vector values = exact(x);
    if (!all_finite(values)) return nan;
    mp_vector r = residual(a, b, values, wide);
    for (mp_number& e : r) e = abs(std::move(e));
    return quotient(weighted_inverse_norm(ref.factors, r, look), largest_magnitude(values, wide));
}

double skeel_condition(const csr_matrix<double>& a, const reference& ref, const solve_look& look)
{
    return quotient(weighted_inverse_norm(ref.factors, magnitudes(a, ref.x, wide), look),
                    largest_magnitude(ref.x, wide));
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template right_digits compare(const vector<T>&, const mp_vector&);                             \
    template backward_errors look_back(const csr_matrix<double>&, const vector<double>&,           \
                                       const vector<T>&, double);                                  \
    template double error_bound(const csr_matrix<double>&, const vector<double>&,                  \
                                const vector<T>&, const reference&, const solve_look&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)

}  // namespace ddla::validate
