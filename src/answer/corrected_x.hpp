// The x of a solve by factors, corrected: stages that refine it, look at zeros among them, and
// judge it.
#pragma once

#include "made_factors.hpp"
#include "refine/gmres.hpp"

namespace ddla::refine {

template <scalar V>
class corrected_x {
public:
    corrected_x(solve_at_work<V>& solve, made_factors<V>& factors)
        : solve_(solve), factors_(factors)
    {
    }

    void refine_by_factors(const factor_stage& s);
    void refine_by_gmres(const factor_stage& s);
    /// What b cannot reach becomes +0; of what is left the rank and integers tell.
    void leave_for_zeros();
    void find_zeros();
    /// Where zeros have moved x, or where some suspects are not zero.
    void refine_again();
    /// Conditions, errors, and whether they are what was asked for.  Ends the stage.
    void look();
    void prove(const factor_stage& s);
    /// A row that refines was passed over: there is no x of its own to judge.
    void skip() { is_fresh_ = false; }
    /// Before other factors are made.
    void forget_factors() { applied_ = approximate_ = {}; }

    /// Where corrections by the factors do not settle: GMRES with them, if it is worth it.
    bool is_worth_gmres() const;
    /// Corrections were added, and nobody has judged x yet.
    bool is_open() const { return is_open_; }
    /// The stage was left for zeros.
    bool was_left() const { return was_left_; }
    bool has_suspects() const { return !suspects_.empty(); }
    /// x was judged by the stage that refined last.
    bool is_fresh() const { return is_fresh_; }

private:
    void begin(const factor_stage& s);
    /// `rate`: of the corrections, as probed.
    void add_corrections(double rate);
    /// Returns the rate of relative errors of components.
    double refine_once(bool waits_for_all);
    refinement_limits limits_of(bool waits_for_all);
    /// The digits of small components; returns the rate of relative errors of components where
    /// there are some to gain.
    std::optional<double> settle_small();
    std::optional<gmres_budget> gmres_budget_of(const factors_in_double& f) const;
    /// What its runs take is in the stage.
    approximate_inverse counted(approximate_inverse by_gmres);
    void look_at_conditions();
    double sharpen();
    std::int64_t bytes_of_a_vector() const
    {
        return solve_.system.size() * static_cast<std::int64_t>(sizeof(dd_real));
    }

    solve_at_work<V>& solve_;
    made_factors<V>& factors_;
    gmres_budget gmres_;
    approximate_inverse applied_, approximate_;  ///< inside GMRES; of the stage that refines
    std::string_view name_;                      ///< of the stage that refines
    double rate_ = 1, rate_of_components_ = 1;
    std::vector<index_t> suspects_;  ///< while the stage is left for zeros
    bool is_open_ = false, was_left_ = false, has_moved_ = false, is_fresh_ = false;
};

}  // namespace ddla::refine
