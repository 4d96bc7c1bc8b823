// Reference answers: x to 62 decimal digits of systems A x = b, as validation/reference made them.
//
// A file NAME.txt.gz holds the answers for one matrix.  Its text, once unpacked:
//
//     ddla reference answers 1
//     matrix NAME
//     rows N
//     nonzeros N
//     hash H             hash_of(A), 16 hexadecimal digits
//     definite yes|no    symmetric, and all pivots of L D L^T positive
//     kappa1 VALUE exact|estimate
//     answers N
//
// and for each answer
//
//     rhs ones|random|unit|large
//     label exact|agreed D1 D2
//     skeel VALUE exact|estimate
//     b                  only for "large": the right-hand side, an integer a line
//     x                  N lines, a decimal number of 62 digits each (trailing zeros left out)
//
// "exact": the rational solution is known and was multiplied by A.  "agreed": two eliminations,
// with D1 and D2 decimal digits, gave the same x.  Condition numbers: kappa1 = |A|_1 |A^-1|_1 and
// Skeel's cond(A, x) = | |A^-1| |A| |x| |_inf / |x|_inf, from the whole inverse ("exact", all
// digits shown right) or by Higham's estimator over the factors ("estimate", a lower bound, mostly
// right within a factor of 3).
#pragma once

#include "reference_systems.hpp"

#include <mpfr.h>

namespace reference {

/// A condition number.
struct condition {
    double value = 0;
    bool exact = false;
};

struct answer {
    std::string rhs;
    bool exact = false;         ///< else agreed
    int lower = 0, higher = 0;  ///< decimal digits of the eliminations that agreed
    condition skeel = {};
    std::vector<double> b = {};
    std::vector<std::string> x = {};  ///< decimal numbers
};

struct answers {
    std::string matrix;
    ddla::index_t rows = 0, nonzeros = 0;
    std::uint64_t hash = 0;
    bool definite = false;
    condition kappa1 = {};
    std::vector<answer> all = {};
};

/// Decimal digits of each x.
inline constexpr int stored_digits = 62;

/// Reads a file of answers.  Throws ddla::input_error, with file and line, if it is not one.
answers read_answers(const std::filesystem::path& file);

/// Writes one: through a file beside it that is renamed.  Throws ddla::input_error on failure.
void write_answers(const std::filesystem::path& file, const answers& a);

/// The matrix of the answers: generated, or from the folder.  Nothing if it is neither generated
/// nor there; throws ddla::input_error if it is not the one that was solved.
std::optional<ddla::csr_matrix<double>> matrix_of(const answers& a,
                                                  const std::filesystem::path& folder);

/// Numbers of MPFR, all of one precision.
class mpfr_vector {
public:
    mpfr_vector(std::size_t size, mpfr_prec_t bits) : numbers_(size)
    {
        for (auto& one : numbers_) {
            mpfr_init2(&one, bits);
            mpfr_set_zero(&one, 1);
        }
    }
    mpfr_vector(mpfr_vector&& other) noexcept { numbers_.swap(other.numbers_); }
    mpfr_vector(const mpfr_vector&) = delete;
    mpfr_vector& operator=(const mpfr_vector&) = delete;
    ~mpfr_vector()
    {
        for (auto& one : numbers_) mpfr_clear(&one);
    }
    std::size_t size() const { return numbers_.size(); }
    mpfr_ptr operator[](std::size_t i) { return &numbers_[i]; }
    mpfr_srcptr operator[](std::size_t i) const { return &numbers_[i]; }

private:
    std::vector<__mpfr_struct> numbers_;
};

/// The x of an answer, rounded to this many bits (the text has about 206).
mpfr_vector solution_of(const answer& a, mpfr_prec_t bits = 256);

}  // namespace reference
