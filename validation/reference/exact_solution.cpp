#include "exact_solution.hpp"

#include <algorithm>
#include <climits>
#include <cmath>

namespace reference {

namespace {

using wide = unsigned __int128;
using word = std::uint64_t;

constexpr word first_prime = (word(1) << 61) - 1;
constexpr word second_prime = (word(1) << 60) - 93;

/// value = odd * 2^exponent.
struct odd_times_power {
    long odd;
    long exponent;
};

odd_times_power split(double value)
{
    int exponent = 0;
    long odd = std::lround(std::ldexp(std::frexp(value, &exponent), 53));
    exponent -= 53;
    for (; odd != 0 && odd % 2 == 0; odd /= 2) ++exponent;
    return {odd, exponent};
}

word multiply(word x, word y, word p)
{
    return static_cast<word>(wide(x) * y % p);
}

word inverse(word x, word p)
{
    word result = 1;
    for (word e = p - 2; e != 0; e >>= 1) {  // Fermat
        if (e & 1) result = multiply(result, x, p);
        x = multiply(x, x, p);
    }
    return result;
}

/// Products by one factor modulo p < 2^63, without a division: Shoup's method.
class fixed_factor {
public:
    fixed_factor(word factor, word p)
        : factor_(factor), quotient_(static_cast<word>((wide(factor) << 64) / p)), p_(p)
    {
    }
    word operator()(word x) const
    {
        const word q = static_cast<word>(wide(quotient_) * x >> 64);
        const word r = factor_ * x - q * p_;
        return r >= p_ ? r - p_ : r;
    }

private:
    word factor_, quotient_, p_;
};

/// row -= factor * pivot_row, all n elements.
void subtract_row(word* row, const word* pivot_row, std::size_t n, word factor, word p)
{
    const fixed_factor times(factor, p);
    for (std::size_t j = 0; j < n; ++j) {
        const word t = times(pivot_row[j]);
        row[j] = row[j] >= t ? row[j] - t : row[j] + p - t;
    }
}

/// Gauss and Jordan in place; false if singular modulo p.
bool invert_dense(std::vector<word>& a, std::size_t n, word p)
{
    std::vector<std::size_t> swapped(n);
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t r = k;
        while (r < n && a[r * n + k] == 0) ++r;
        if (r == n) return false;
        swapped[k] = r;
        if (r != k) std::swap_ranges(&a[k * n], &a[k * n] + n, &a[r * n]);
        const fixed_factor scale(inverse(a[k * n + k], p), p);
        a[k * n + k] = 1;
        for (std::size_t j = 0; j < n; ++j) a[k * n + j] = scale(a[k * n + j]);
        for (std::size_t i = 0; i < n; ++i) {
            const word factor = a[i * n + k];
            if (i == k || factor == 0) continue;
            a[i * n + k] = 0;
            subtract_row(&a[i * n], &a[k * n], n, factor, p);
        }
    }
    for (std::size_t k = n; k-- > 0;)
        if (swapped[k] != k)
            for (std::size_t i = 0; i < n; ++i) std::swap(a[i * n + k], a[i * n + swapped[k]]);
    return true;
}

/// The smallest d > 0 with |d x mod m| <= bound, by Euclid's algorithm; false if it exceeds bound.
bool denominator_of(mpz_ptr d, mpz_srcptr x, mpz_srcptr m, mpz_srcptr bound)
{
    integers t(5);  // two remainders, their cofactors, a quotient
    mpz_set(t[0], m);
    mpz_set(t[1], x);
    mpz_set_ui(t[3], 1);
    while (mpz_cmpabs(t[1], bound) > 0) {
        mpz_tdiv_qr(t[4], t[0], t[0], t[1]);
        mpz_submul(t[2], t[4], t[3]);
        mpz_swap(t[0], t[1]);
        mpz_swap(t[2], t[3]);
    }
    mpz_abs(d, t[3]);
    return mpz_cmp(d, bound) <= 0;
}

/// x becomes x mod m in (-m/2, m/2].
void reduce(mpz_ptr x, mpz_srcptr m, mpz_srcptr half)
{
    mpz_fdiv_r(x, x, m);
    if (mpz_cmp(x, half) > 0) mpz_sub(x, x, m);
}

}  // namespace

exact_solver::exact_solver(const ddla::csr_matrix<double>& a)
    : n_(static_cast<std::size_t>(a.rows())), row_scale_(n_, LONG_MAX), column_scale_(n_, LONG_MAX)
{
    const ddla::csr<double> m = a.view();
    std::vector<odd_times_power> parts;
    std::vector<std::size_t> row;
    row_begin_.push_back(0);
    for (std::size_t i = 0; i < n_; ++i) {
        for (ddla::index_t k = m.row_begin[i]; k < m.row_begin[i + 1]; ++k) {
            if (m.value.get(k) == 0) continue;
            parts.push_back(split(m.value.get(k)));
            row.push_back(i);
            column_.push_back(static_cast<std::size_t>(m.column[k]));
            row_scale_[i] = std::min(row_scale_[i], parts.back().exponent);
        }
        row_begin_.push_back(static_cast<ddla::index_t>(parts.size()));
    }
    for (std::size_t k = 0; k < parts.size(); ++k)
        column_scale_[column_[k]] =
            std::min(column_scale_[column_[k]], parts[k].exponent - row_scale_[row[k]]);
    value_ = integers(parts.size());
    for (std::size_t k = 0; k < parts.size(); ++k) {
        mpz_set_si(value_[k], parts[k].odd);
        const long shift = parts[k].exponent - row_scale_[row[k]] - column_scale_[column_[k]];
        mpz_mul_2exp(value_[k], value_[k], static_cast<mp_bitcnt_t>(shift));
    }
    if (!invert(first_prime)) invert(second_prime);
}

bool exact_solver::invert(word p)
{
    p_ = p;
    inverse_.assign(n_ * n_, 0);
    for (std::size_t i = 0; i < n_; ++i)
        for (auto k = row_begin_[i]; k < row_begin_[i + 1]; ++k) {
            const auto at = static_cast<std::size_t>(k);
            word& to = inverse_[i * n_ + column_[at]];
            to = (to + mpz_fdiv_ui(value_[at], p)) % p;
        }
    if (!invert_dense(inverse_, n_, p)) inverse_.clear();
    return !inverse_.empty();
}

integers exact_solver::scaled(const std::vector<double>& b)
{
    b_scale_ = 0;
    for (std::size_t i = 0; i < n_; ++i)
        if (b[i] != 0) b_scale_ = std::max(b_scale_, row_scale_[i] - split(b[i]).exponent);
    integers to(n_);
    for (std::size_t i = 0; i < n_; ++i) {
        const odd_times_power part = split(b[i]);
        mpz_set_si(to[i], part.odd);
        if (part.odd != 0)
            mpz_mul_2exp(to[i], to[i],
                         static_cast<mp_bitcnt_t>(part.exponent - row_scale_[i] + b_scale_));
    }
    return to;
}

/// digit = A^-1 rest mod p; rest = (rest - A digit) / p.
void exact_solver::lift_once(integers& rest, std::vector<word>& digit) const
{
    std::vector<word> r(n_);
    for (std::size_t i = 0; i < n_; ++i) r[i] = mpz_fdiv_ui(rest[i], p_);
    for (std::size_t i = 0; i < n_; ++i) {
        const word* const row = &inverse_[i * n_];
        wide sum = 0;
        for (std::size_t j = 0; j < n_; ++j) {
            sum += wide(row[j]) * r[j];  // below 2^122: 32 of them fit
            if (j % 32 == 31) sum %= p_;
        }
        digit[i] = static_cast<word>(sum % p_);
    }
    for (std::size_t i = 0; i < n_; ++i) {
        for (auto k = row_begin_[i]; k < row_begin_[i + 1]; ++k) {
            const auto at = static_cast<std::size_t>(k);
            mpz_submul_ui(rest[i], value_[at], digit[column_[at]]);
        }
        mpz_divexact_ui(rest[i], rest[i], p_);
    }
}

/// Numerators over one denominator that are congruent to the lifted x.
bool exact_solver::reconstruct(const std::vector<std::vector<word>>& digits)
{
    integers x(n_), t(5);
    mpz_ptr modulus = t[0], half = t[1], bound = t[2], factor = t[3], product = t[4];
    mpz_ui_pow_ui(modulus, p_, digits.size());
    mpz_fdiv_q_2exp(half, modulus, 1);
    mpz_sqrt(bound, half);
    mpz_set_ui(denominator_[0], 1);
    for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t k = digits.size(); k-- > 0;) {
            mpz_mul_ui(x[i], x[i], p_);
            mpz_add_ui(x[i], x[i], digits[k][i]);
        }
        mpz_mul(product, x[i], denominator_[0]);
        mpz_fdiv_r(product, product, modulus);
        if (!denominator_of(factor, product, modulus, bound)) return false;
        mpz_mul(denominator_[0], denominator_[0], factor);
        if (mpz_cmp(denominator_[0], bound) > 0) return false;
    }
    for (std::size_t i = 0; i < n_; ++i) {
        mpz_mul(numerator_[i], x[i], denominator_[0]);
        reduce(numerator_[i], modulus, half);
    }
    return true;
}

bool exact_solver::verify(const integers& b) const
{
    integers t(2);
    for (std::size_t i = 0; i < n_; ++i) {
        mpz_set_ui(t[0], 0);
        for (auto k = row_begin_[i]; k < row_begin_[i + 1]; ++k) {
            const auto at = static_cast<std::size_t>(k);
            mpz_addmul(t[0], value_[at], numerator_[column_[at]]);
        }
        mpz_mul(t[1], b[i], denominator_[0]);
        if (mpz_cmp(t[0], t[1]) != 0) return false;
    }
    return true;
}

bool exact_solver::solve(const std::vector<double>& b, int max_steps)
{
    const integers right = scaled(b);
    integers rest = scaled(b);
    numerator_ = integers(n_);
    denominator_ = integers(1);
    std::vector<std::vector<word>> digits;
    for (int next = 4; next <= max_steps; next += next / 3 + 1) {
        while (static_cast<int>(digits.size()) < next) lift_once(rest, digits.emplace_back(n_));
        if (reconstruct(digits) && verify(right)) return true;
    }
    return false;
}

void exact_solver::component(mpfr_ptr to, std::size_t i) const
{
    mpfr_t denominator;
    mpfr_init2(denominator, mpfr_get_prec(to));
    mpfr_set_z(denominator, denominator_[0], MPFR_RNDN);
    mpfr_set_z(to, numerator_[i], MPFR_RNDN);
    mpfr_div(to, to, denominator, MPFR_RNDN);
    // x = 2^-column_scale y and A x = 2^b_scale b, both still scaled.
    mpfr_mul_2si(to, to, -column_scale_[i] - b_scale_, MPFR_RNDN);
    mpfr_clear(denominator);
}

}  // namespace reference
