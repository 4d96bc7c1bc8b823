// What solves with factors may take that tell how good x is.
#include "work_budget.hpp"

#include "ddla/text.hpp"

#include <algorithm>

namespace ddla::refine {

work_budget work_budget::of(const factorisation_options& asked)
{
    return work_budget(std::max(least_budget, estimates_over_factors * asked.most_work * 1e9));
}

bool work_budget::allows(double operations)
{
    wanted_ = std::max(wanted_, spent_ + operations);
    return spent_ + operations <= most_;
}

std::string work_budget::text() const
{
    const auto number = [](double x) { return to_string(dd_real(x), 4); };
    return "conditions and bounds of errors need more work than most_work allows behind the "
           "factors, " +
           number(most_) + " multiplications with a subtraction (counted: " + number(wanted_) + ")";
}

double work_of_correction(const approximate_inverse& inverse, index_t nonzeros)
{
    return inverse.work + work_in_residual * static_cast<double>(nonzeros);
}

approximate_inverse charged(const approximate_inverse& inverse, index_t nonzeros,
                            work_budget& budget)
{
    approximate_inverse all = inverse;
    const double work = work_of_correction(inverse, nonzeros);
    const auto charging = [&budget, work](const correction& solve) -> correction {
        return [&budget, work, solve](vec<const dd_real> r, vec<dd_real> d) {
            budget.charge(work);
            solve(r, d);
        };
    };
    all.solve = charging(inverse.solve);
    all.solve_transposed = charging(inverse.solve_transposed);
    all.charge = [&budget, work](int solves) {
        for (; solves > 0; --solves) budget.charge(work);
    };
    all.may_go_on = [&budget, work] { return budget.allows(work); };
    return all;
}

}  // namespace ddla::refine
