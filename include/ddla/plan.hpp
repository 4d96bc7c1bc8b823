// What a solve will do, before it does it: its stages, when each follows, and what it may take.
//
//     for (const ddla::planned_stage& s : ddla::plan_solve(a, b, x))
//         std::cout << s.name << ": " << s.does << ", if " << s.follows << '\n';
#pragma once

#include "solve.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ddla {

/// What a stage takes: counted before any work, or at most a limit; infinite without one.
struct planned_amount {
    double amount = 0;
    bool is_at_most = false;
};

/// A stage follows if the goal is not met yet, iterations are left, and its condition holds.
struct planned_stage {
    /// As in solve_report::plan, where what happened may follow it: ", too large".  What looks at
    /// the rank and at zeros is carried out where it is needed, at most once; after zeros were
    /// found, the stage that asked for them begins again.
    std::string name = {};
    std::string does = {};
    std::string follows = {};  ///< its condition: "always", "A is symmetric …"
    std::string from = {};     ///< which x it starts from; empty: it does nothing to x
    std::string judged = {};   ///< what x is judged by after it; empty likewise
    /// Multiplications with a subtraction, in double; one in double-double counts as 10.  Of
    /// iterations: those of products with A.
    planned_amount work = {};
    /// Beside A, b, x and what stages before it hold.
    planned_amount bytes = {};
    std::int64_t most_iterations = 0;  ///< 0: it does not iterate
    bool is_reported = true;           ///< solve_report::plan names it
};

/// The stages of solve(a, b, x, options), in order; of each of several b.  Checks what that checks
/// before any work, and throws what that throws.  Changes nothing.  Cost: a few passes over A.
template <scalar T, scalar V>
requires acts_on<T, V> std::vector<planned_stage> plan_solve(const csr_matrix<V>& a,
                                                             const vector<T>& b, const vector<T>& x,
                                                             const solve_options& options = {});

/// Of a solve in four words.
template <scalar V>
std::vector<planned_stage> plan_solve(const csr_matrix<V>& a, const vector<dd_real>& b,
                                      const vector<dd_real>& x, const vector<dd_real>& x_low,
                                      const solve_options& options = {});

}  // namespace ddla
