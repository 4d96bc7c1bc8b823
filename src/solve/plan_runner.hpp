// Carries out the plan of a solve.
#pragma once

#include "plan.hpp"
#include "running_column.hpp"

#include "refine/factor_stages.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ddla::refine {
struct kept_factors;
}

namespace ddla::api {

/// Stage by stage for all systems with one A; each system has its running_column.  What solve()
/// checks was checked.
template <scalar T>
class plan_runner {
public:
    /// `given`: the caller's preconditioner, or none.  `kept`: see solve_by_factors.
    plan_runner(engine& here, const system_map<T>& a, const preconditioner<T>& given,
                std::span<const system_column<T>> all, refine::kept_factors* kept);

    /// Fills the reports, peak_bytes without the system.
    void run(const plan& p);

private:
    void carry_out(const stage& s);
    bool follows(const stage& s);
    void factor();
    void build(const stage& s);
    void build_as_asked(const stage& s);
    void try_to_build(const stage& s);
    void correct(const stage& s);
    void iterate(const stage& s);

    void go_where_iterations_are();
    void come_back();
    void finish_answer(double seconds);
    bool has_ended() const;
    const matrix_shape& shape();
    method method_of(const stage& s);
    std::shared_ptr<const preconditioner<double>> in_double();
    std::size_t built_bytes() const;
    running_column<T>& first() { return columns_.front(); }

    engine* here_;
    const system_map<T>* a_;
    const preconditioner<T>& given_;
    refine::kept_factors* kept_factors_;
    std::vector<running_column<T>> columns_;

    std::optional<refine::passed_limit> limit_;  ///< that factors of A have passed
    std::optional<matrix_shape> shape_;
    preconditioner<T> current_, staying_;  ///< of the next stages; of the last ones
    std::shared_ptr<const preconditioner<double>> diagonal_;  ///< the current one, only in double
    bool has_built_ = false;      ///< the last `build`, if it was carried out
    double residual_before_ = 0;  ///< … when it was
    bool was_stopped_ = false;    ///< by the watch, while a preconditioner was made

    /// The system where iterations are, if that is elsewhere.
    struct system_elsewhere {
        engine* here;
        const system_map<T>* a;
        vec<const T> b;
        vec<T> x;
        std::shared_ptr<const system_map<T>> there = {};
        vector<T> right_hand_side = {}, guess = {};
    };
    std::optional<system_elsewhere> elsewhere_;
};

}  // namespace ddla::api
