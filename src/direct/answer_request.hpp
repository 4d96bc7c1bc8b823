// What solves by factors ask of refinement, and what they report of its answer.
#pragma once

#include "answer/answer.hpp"

namespace ddla::api {

inline refine::answer_request request_of(const solve_options& o, int words, solve_goal goal)
{
    return {.factorisation = o.factorisation,
            .goal = goal,
            .digits = o.digits.value_or(usual_digits),
            .normwise = o.normwise,
            .tolerance = o.tolerance,
            .words = words,
            .certify = o.certify,
            .watch = o.watch};
}

inline void note_limit(solve_report& report, const refine::passed_limit& passed)
{
    report.limit = passed.text;
    report.limited = passed.subject;
}

/// What is known of x.
inline void fill(solve_report& report, refine::answer&& a, solve_goal goal)
{
    report.status = a.status;
    report.interrupted = a.interrupted;
    report.iterations = a.steps;
    report.relative_residual = report.true_relative_residual = a.relative_residual;
    report.goal = goal;
    if (a.unjudged) note_limit(report, *a.unjudged);
    report.plan = std::move(a.plan);
    report.errors = a.errors;
    report.bound = std::move(a.bound);
    report.digits = a.digits;
    report.digits_proved = a.digits_proved;
    report.normwise_digits = a.normwise_digits;
    report.rank = std::move(a.rank);
    report.history = std::move(a.history);
    report.peak_bytes = static_cast<std::size_t>(a.working_bytes);
    if (report.status == solve_status::not_finite) {
        report.breakdown = "x";
        if (a.overflowed >= 0)
            report.breakdown = "component " + std::to_string(a.overflowed + 1) + " of x";
    }
}

}  // namespace ddla::api
