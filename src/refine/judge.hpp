// What a refined x is worth: its errors, and whether they are what was asked for.
#pragma once

#include "answer.hpp"

namespace ddla::refine {

template <scalar V>
class judge {
public:
    judge(const host_system<V>& system, const answer_request& request)
        : system_(system), request_(request)
    {
    }

    /// Rounds x to the words asked for and writes what is known of its errors into `to`, of which
    /// the conditions must be there.
    void look(solution_view x, const refinement_result& done, answer& to) const;

    /// What the tolerance is compared with.
    double residual_of(const_solution_view x) const;
    /// Whether it is an answer.  Without an inverse of A only the residual counts.
    bool is_met(const answer& of, bool is_singular) const;
    /// How it ended, if it is none.
    solve_status status_of(const answer& of) const;

private:
    /// The estimate that was asked for, if it is trusted.
    std::optional<double> error_of(const answer& of) const;
    /// Whether conditions and sizes allow to believe an estimate.
    bool may_be_trusted(const_solution_view x, double smallest_row, const answer& of) const;
    /// The components that are judged.
    component_range range() const;
    bool by_residual() const { return request_.goal != solve_goal::digits; }
    bool is_at_floor(const answer& of) const;
    bool has_digits(const answer& of) const;
    double least_error() const { return request_.words == 1 ? 0x1p-53 : 0; }

    const host_system<V>& system_;
    const answer_request& request_;
};

}  // namespace ddla::refine
