// What a refined x is worth: its errors, and whether they are what was asked for.
#pragma once

#include "answer.hpp"
#include "errors/backward_error.hpp"
#include "errors/zeros.hpp"
#include "refine/refinement.hpp"

namespace ddla::refine {

/// What refinement has shown of x.
struct refined_x {
    const observed_error& normwise;
    const std::vector<double>& errors;  ///< of components, absolute
    double rate;                        ///< of relative errors of components
    const known_zeros& zeros;
    /// What rounding and underflow of residuals can have changed of each component of an x.
    std::function<std::vector<double>(const_solution_view)> of_residuals;
};

template <scalar V>
class judge {
public:
    judge(const host_system<V>& system, const answer_request& request)
        : system_(system), request_(request)
    {
    }

    /// Rounds x to what is returned and writes what is known of its errors into `to`, of which the
    /// conditions must be there.
    void look(solution_view x, const refined_x& known, answer& found) const;
    /// Of an x whose errors nobody has estimated, for an interruption came before: the residual at
    /// most, if it does not take long.
    void look_in_haste(solution_view x, answer& found) const;
    /// Takes digits from the bound that is proved, where it has some.
    void take_bound(answer& found) const;

    /// What the tolerance is compared with.
    double residual_of(const_solution_view x) const;
    /// `hasty`: after an interruption; NaN where it would take long.
    double residual_of(const_solution_view x, bool hasty) const;
    /// Whether it is an answer.  Without an inverse of A only the residual counts.
    bool is_met(const answer& found, bool is_singular) const;
    /// How it ended, if it is none.
    solve_status status_of(const answer& found) const;

private:
    /// Rounds x to what is returned, notes overflow; returns at least its changes.
    std::vector<double> round(solution_view x, answer& found) const;
    /// Rounds x and stores its residual and backward errors; `rounded`: at least its changes.
    backward_errors measure(solution_view x, std::vector<double>& rounded, answer& found) const;
    /// The error that was asked for: proved, or estimated if that is trusted.
    std::optional<double> error_of(const answer& found) const;
    /// Whether conditions and sizes allow to believe an estimate.
    bool may_be_trusted(const_solution_view x, const known_zeros& zeros, const answer& found) const;
    /// The components that are judged.
    component_range range() const;
    /// Of them, the largest e_i / |x_i| with `others`, errors from elsewhere; those that are not
    /// known to a digit are counted.
    double largest_error(const_solution_view x, const refined_x& known,
                         const std::vector<double>& others, unsettled_components& open) const;
    /// Whether errors of components, estimated from corrections, are well above the rounding of x.
    bool tells_little(const_solution_view x, const refined_x& known,
                      const std::vector<double>& others) const;
    /// Whether rounding or underflow of residuals can matter.
    bool needs_errors_of_residuals(const_solution_view x, double smallest_row,
                                   const answer& found) const;
    void estimate(const_solution_view x, const refined_x& known, const std::vector<double>& others,
                  error_estimates& estimates) const;
    bool by_residual() const { return request_.goal != solve_goal::digits; }
    bool is_at_floor(const answer& found) const;
    bool has_digits(const answer& found) const;

    const host_system<V>& system_;
    const answer_request& request_;
};

}  // namespace ddla::refine
