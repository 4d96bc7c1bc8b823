// The reference solution: x of A x = b with A and b as they are stored, to 40 digits and more.
//
// A level is a factorisation in 128, 256, 512, … bits.  Its x is refined with residuals of so many
// bits that each component is right down to the smallest normal double.  A reference is the x of a
// level that agrees with the x of another, of half the bits.
#pragma once

#include "mp_vectors.hpp"
#include "sparse_lu.hpp"

#include <chrono>
#include <filesystem>
#include <functional>

namespace ddla::validate {

/// What the work may take.
struct reference_limits {
    index_t rows = 200'000;
    std::size_t bytes = 0;  ///< of the factors
    double seconds = 3600;  ///< estimated before a level, and by the clock since `begin`
    int bits = 4096;        ///< of the largest level, 128 times a power of 2
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

struct reference_progress {
    const char* what;  ///< "column", "refinement step", "solve of a condition", ...
    int bits;          ///< of the level; 53 while the fill is counted
    index_t done, of;  ///< of = 0: not known
};

/// Returns false to end the work.
using reference_watch = std::function<bool(const reference_progress&)>;

/// Thrown where a watch ended the work.
struct interrupted_reference {};

/// Sees to it that work with a reference ends when it shall: asked between pieces of a fraction of
/// a second.
class reference_guard {
public:
    /// The watch must live as long.
    reference_guard(const reference_limits& limits, const std::filesystem::path& file,
                    const reference_watch& watch)
        : limits_(limits), file_(file.string()), watch_(watch)
    {
    }
    /// Throws interrupted_reference where the watch ends the work.
    void ask(const reference_progress& progress) const;
    /// ask(); then throws resource_error where the time is over.
    void look(const reference_progress& progress) const;

private:
    reference_limits limits_;
    std::string file_;
    const reference_watch& watch_;
};

/// A component of the reference below 2^-3000 (8e-904) counts as zero: it is known to less than
/// 2^-3140, however small, and zero cannot be told from less.
constexpr long zero_exponent = -3000;

struct reference {
    mp_vector x;
    lu_factors<mp_number> factors;  ///< of the level with more bits
    double agreed_digits = 0;       ///< of all components of at least the smallest normal double
    double rcond = 0;               ///< estimated, in the 1-norm
    int bits = 0, lower_bits = 0;   ///< of the two levels
    long x_bits = 0;                ///< of x
};

/// Throws input_error for a singular matrix: proved by its structure, or as far as limits.bits can
/// tell; resource_error where the counts of a trial in double exceed the limits, and where no two
/// levels agree to 40 digits.  The watch is asked in all parts that take long.  `file` is A's, for
/// messages.  A square, b of its size, both at the host and finite.
reference make_reference(const csr_matrix<double>& a, const vector<double>& b,
                         const std::filesystem::path& file, const reference_limits& limits,
                         const reference_watch& watch);

/// An estimate of || |A^-1| w ||_inf, w >= 0, at the bits of the factors: Higham's estimator for
/// (A^-1 diag(w))^T, as in LAPACK's xGERFS.  Looks as solves do.
mp_number weighted_inverse_norm(const lu_factors<mp_number>& factors, const mp_vector& w,
                                const solve_look& look = {});

}  // namespace ddla::validate
