// What solves with factors may take that tell how good x is: conditions, estimates of errors,
// certificates.
//
// Work is counted in multiplications with a subtraction, in double, and never measured.  Every
// correction is charged, those of refinement, too; what is refused where the budget is passed is a
// product with A^-1 that a condition or a certificate asks for.  Factors, and other solves by
// GMRES, have limits of their own.
#pragma once

#include "refine/inverse.hpp"

#include "ddla/factorisation.hpp"

#include <limits>
#include <string>

namespace ddla::refine {

/// Times most_work: conditions of factors that just fit take less, but where the factors hardly
/// take more multiplications than they have entries, as those of bands do.
constexpr double estimates_over_factors = 16;
/// An entry of A in an exact residual, in multiplications in double.
constexpr double work_in_residual = 10;
/// Multiplications that are always allowed: some milliseconds.
constexpr double least_budget = 1e7;

class work_budget {
public:
    work_budget() = default;
    explicit work_budget(double most) : most_(most) {}
    static work_budget of(const factorisation_options& asked);

    void charge(double operations) { spent_ += operations; }
    /// Whether so many operations more are within the budget.  Does not charge them.
    bool allows(double operations);
    /// The same, without a note that they were asked for.
    bool has_room(double operations) const { return spent_ + operations <= most_; }
    /// Whether some were not.
    bool was_passed() const { return wanted_ > most_; }
    double spent() const { return spent_; }
    double most() const { return most_; }
    /// Once it was passed: the limit and what was counted.
    std::string text() const;

private:
    double most_ = std::numeric_limits<double>::infinity(), spent_ = 0, wanted_ = 0;
};

/// A solve with it, and a residual of A with so many entries.
double work_of_correction(const approximate_inverse& inverse, index_t nonzeros);

/// `of`, each of whose corrections charges the budget with itself and a residual of A with so many
/// entries.  The budget must outlive it.  Solves of several systems charge what they tell `charge`.
approximate_inverse charged(const approximate_inverse& inverse, index_t nonzeros,
                            work_budget& budget);

}  // namespace ddla::refine
