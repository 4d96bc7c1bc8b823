// The factors of a solve: made by the stages that make some, held until the next are made.
#pragma once

#include "factor_plan.hpp"
#include "orthogonal.hpp"
#include "solve_at_work.hpp"

#include "refine/gmres.hpp"

#include <variant>

namespace ddla::refine {

template <scalar V>
class made_factors {
public:
    explicit made_factors(solve_at_work<V>& solve) : solve_(solve) {}

    /// By L L^T; where a pivot is not positive LU is next.
    template <scalar F>
    void make_definite(const factor_stage& s);
    /// By L D L^T; where its pivots are not good enough LU is next.
    template <scalar F>
    void make_symmetric(const factor_stage& s);
    /// With static pivots where these suit A, as L D L^T where it is symmetric; else with
    /// threshold pivots.
    template <scalar F>
    void make_lu(const factor_stage& s);
    /// With threshold pivots; if these are beyond a limit those before are there still.
    template <scalar F>
    void make_threshold_lu(const factor_stage& s);
    /// By QR, of A of least squares; whether they are complete.
    bool make_orthogonal(const factor_stage& s, const least_squares_matrix<V>& problem);
    /// Corrections that are there, where no factors are made.
    void take(const approximate_inverse& given)
    {
        inverse_ = given;
        are_new_ = true;
    }

    /// A pivot of L L^T was not positive.
    bool are_not_definite() const { return is_not_definite_; }
    /// The last L D L^T has pivots that are not good enough.
    bool were_refused() const { return was_refused_; }
    /// The last LU has a column without one.
    bool lack_pivot() const { return lacks_pivot_; }
    /// The last factors have static pivots, of which some were replaced, or after which
    /// numbers have grown much: LU by columns may be better.
    bool have_weak_pivots() const { return are_weak_; }
    /// The goal was not reached, and pivots of the last factors that were complete were replaced.
    void note_not_healed()
    {
        if (stage_of_replaced_) solve_.stages.note("not healed", *stage_of_replaced_);
    }
    /// No others may follow.
    bool are_last() const { return is_last_; }
    /// They are complete, and of full rank, or A is singular.
    bool may_be_used() const
    {
        return inverse_ && !solve_.is_inconsistent() && !(lacks_pivot_ && !solve_.is_singular());
    }
    /// … and nothing was refined with them yet.
    bool may_refine() const { return are_new_ && may_be_used(); }
    const approximate_inverse& begin_to_refine()
    {
        are_new_ = false;
        return *inverse_;
    }

    /// Nothing unless they are L L^T, L D L^T or LU in double.
    std::optional<factors_in_double> in_double() const;
    const factor::qr_factors<dd_real>& orthogonal() const
    {
        return std::get<factor::qr_factors<dd_real>>(factors_);
    }
    std::int64_t bytes() const { return bytes_; }

private:
    void begin(const factor_stage& s, bool are_last);
    template <class Factors>
    void hold(const Factors& made);
    bool is_symmetric();
    /// Kept, or made; `unsuited` unless they are wanted.
    template <scalar F>
    factor::symmetric_factors<F>
    symmetric_factors_of(const std::function<bool(double operations)>& is_wanted);
    /// Whether A is symmetric, and L D L^T with static pivots suits it; else the analysis of LU is
    /// there, if it was made.
    template <scalar F>
    bool made_static_symmetric(std::optional<factor::lu_analysis<V>>& analysis);
    template <scalar F, class Factors>
    void take_static(const Factors& factors, const std::string& kind);
    /// Whether LU with static pivots suits A; else the analysis is there.
    template <scalar F>
    bool made_static(std::optional<factor::lu_analysis<V>>& analysis);
    void note_weak_pivots(const factor::static_report& about);
    void note_maker(const factor::ended_report& about);
    template <scalar F>
    void make_by_columns(std::optional<factor::lu_analysis<V>> analysis, std::int64_t held = 0);
    void note_bytes(std::int64_t bytes, std::int64_t making_bytes, std::int64_t beside);
    /// Whether they passed one, which is then in the plan.
    bool note_limit(const std::optional<passed_limit>& limit);
    template <scalar F>
    std::int64_t kept_beside() const;
    template <scalar F>
    bool are_last_in() const;

    solve_at_work<V>& solve_;
    std::variant<std::monostate, factor::factors<double>, factor::factors<dd_real>,
                 factor::static_factors<double>, factor::static_factors<dd_real>,
                 factor::definite_factors<double>, factor::definite_factors<dd_real>,
                 factor::symmetric_factors<double>, factor::symmetric_factors<dd_real>,
                 factor::qr_factors<dd_real>>
        factors_;
    std::int64_t bytes_ = 0;
    std::optional<std::size_t> stage_of_replaced_;  ///< in the plan
    bool are_weak_ = false, was_refused_ = false, lacks_pivot_ = false, is_last_ = true,
         are_new_ = false, is_not_definite_ = false, were_held_ = false,
         columns_were_better_ = false;
    std::optional<bool> is_symmetric_;            ///< A
    std::optional<approximate_inverse> inverse_;  ///< by them, if they are complete
};

}  // namespace ddla::refine
