// The rational solution of A x = b, proved: p-adic lifting, then A times it in integers.
#pragma once

#include "ddla/csr_matrix.hpp"

#include "support/reference_answers.hpp"

#include <gmp.h>

namespace reference {

/// Integers of GMP.
class integers {
public:
    explicit integers(std::size_t size = 0) : numbers_(size)
    {
        for (auto& one : numbers_) mpz_init(&one);
    }
    integers(integers&& other) noexcept { numbers_.swap(other.numbers_); }
    integers& operator=(integers&& other) noexcept
    {
        numbers_.swap(other.numbers_);
        return *this;
    }
    ~integers()
    {
        for (auto& one : numbers_) mpz_clear(&one);
    }
    std::size_t size() const { return numbers_.size(); }
    mpz_ptr operator[](std::size_t i) { return &numbers_[i]; }
    mpz_srcptr operator[](std::size_t i) const { return &numbers_[i]; }

private:
    std::vector<__mpz_struct> numbers_;
};

/// Solves systems with one matrix, as stored in double, exactly.
///
/// Rows and columns are multiplied by powers of two until all entries are integers.  The inverse
/// modulo a prime p near 2^61 is dense: 8 n^2 bytes and n^3 modular operations (about 1 ns each).
/// Dixon, "Exact solution of linear equations using p-adic expansions", Numer. Math. 40, 1982.
class exact_solver {
public:
    explicit exact_solver(const ddla::csr_matrix<double>& a);

    /// A is singular modulo two primes, which says that it is singular but for an unlikely chance.
    bool singular() const { return inverse_.empty(); }

    /// Whether x was found in `max_steps` lifting steps of 61 bits, n^2 operations each.  What was
    /// found has been multiplied by A in integers and gave b.
    bool solve(const std::vector<double>& b, int max_steps);

    /// Component i of the solution as a decimal number with this many digits, rounded to nearest.
    void component(mpfr_ptr to, std::size_t i) const;

private:
    bool invert(std::uint64_t p);
    integers scaled(const std::vector<double>& b);
    void lift_once(integers& rest, std::vector<std::uint64_t>& digit) const;
    bool reconstruct(const std::vector<std::vector<std::uint64_t>>& digits);
    bool verify(const integers& b) const;

    std::size_t n_;
    std::uint64_t p_ = 0;
    std::vector<ddla::index_t> row_begin_;
    std::vector<std::size_t> column_;
    integers value_;
    std::vector<long> row_scale_, column_scale_;  ///< exponents of two
    long b_scale_ = 0;
    std::vector<std::uint64_t> inverse_;  ///< modulo p, by rows
    integers numerator_, denominator_;    ///< of the scaled system; one denominator
};

}  // namespace reference
