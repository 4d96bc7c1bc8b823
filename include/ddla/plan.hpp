// What a solve will do, before it does it: its stages, when each follows, and what it may take.
//
//     for (const ddla::planned_stage& s : ddla::plan_solve(a, b, x))
//         std::cout << s.name << ": " << s.does << ", if " << s.follows << '\n';
#pragma once

#include "report_json.hpp"
#include "solve.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ddla {

/// What a stage takes: counted before any work, or at most a limit; infinite without one.  NaN: not
/// known, for A is a function.
struct planned_amount {
    double amount = 0;
    bool is_at_most = false;
};

/// A stage follows if the goal is not met yet, iterations are left, and its condition holds.
struct planned_stage {
    /// As in solve_report::plan, where what happened may follow it: ", too large".  What looks at
    /// the rank and at zeros is carried out where it is needed, at most once; after zeros were
    /// found, the stage that asked for them begins again.  A bound is proved of the x that will be
    /// returned, also where GMRES has found it.
    std::string name = {};
    std::string does = {};
    std::string follows = {};      ///< its condition: "always", "A is symmetric …"
    std::string starts_from = {};  ///< which x it starts from; empty: it does nothing to x
    std::string judged = {};       ///< what x is judged by after it; empty likewise
    /// Multiplications with a subtraction, in double; one in double-double counts as 10.  Of
    /// factors by supernodes 32 count as one, 32/12 in double-double, and all are counted before
    /// the first: they are done unless a bad pivot or a limit ends them.  Of iterations: those of
    /// their products with A, without the residuals before the first and after the last.  LU by
    /// columns ends with the step that passes its limit, and may take that step more.
    planned_amount work = {};
    /// Beside A, b, x and what stages before it hold; of factors themselves, as most_memory counts.
    planned_amount bytes = {};
    /// Of factors by supernodes, whose work and bytes are counted, too: those of L and U, or of L.
    /// 0: not known before.
    std::int64_t entries = 0;
    /// The limit that these factors would pass, with both numbers: the stage would end at once.
    std::string limit = {};
    std::int64_t most_iterations = 0;  ///< 0: it does not iterate
    bool is_reported = true;           ///< solve_report::plan names it
};

template <class Visit, class... Like>
void describe(described<planned_stage>, const Visit& visit, Like&... s)
{
    using namespace about;
    visit(field{.name = "name", .json = "stage"}, s.name...);
    visit(field{"does"}, s.does...);
    visit(field{"follows"}, s.follows...);
    visit(field{.name = "starts_from", .json = "from"}, s.starts_from...);
    visit(field{"judged"}, s.judged...);
    visit(field{"work"}, s.work...);
    visit(field{"bytes"}, s.bytes...);
    visit(field{"entries"}, s.entries...);
    visit(field{"limit"}, s.limit...);
    visit(field{"most_iterations"}, s.most_iterations...);
    visit(field{.name = "is_reported", .json = "reported"}, s.is_reported...);
}

/// The stages of solve(a, b, x, options), in order; of each of several b.  Checks what that checks
/// before any work, and throws what that throws.  Changes nothing.  Cost: a few passes over A, and
/// the order of each kind of factors by supernodes; a ddla::watched_scope can end it.
template <scalar T, scalar V>
requires acts_on<T, V> std::vector<planned_stage> plan_solve(const csr_matrix<V>& a,
                                                             const vector<T>& b, const vector<T>& x,
                                                             const solve_options& options = {});

/// The same with the preconditioner, or of the operator, that the solve takes.  It is not applied.
/// With lu_factors there is nothing to plan: such a solve refines with them.
/// Where A is a function the work of iterations is not known.
template <scalar T, scalar V>
requires acts_on<T, V> std::vector<planned_stage> plan_solve(const csr_matrix<V>& a,
                                                             const preconditioner<T>& k,
                                                             const vector<T>& b, const vector<T>& x,
                                                             const solve_options& options = {});
template <scalar T>
std::vector<planned_stage> plan_solve(const linear_operator<T>& a, const vector<T>& b,
                                      const vector<T>& x, const solve_options& options = {});
template <scalar T>
std::vector<planned_stage> plan_solve(const linear_operator<T>& a, const preconditioner<T>& k,
                                      const vector<T>& b, const vector<T>& x,
                                      const solve_options& options = {});

/// Of a solve of several systems: each is checked, and all have the plan that is returned.  Throws
/// input_error where there is none.
template <scalar T, scalar V>
requires acts_on<T, V> std::vector<planned_stage>
plan_solve(const csr_matrix<V>& a, const preconditioner<T>& k, const std::vector<vector<T>>& b,
           const std::vector<vector<T>>& x, const solve_options& options = {});

/// Of a solve in four words.
template <scalar V>
std::vector<planned_stage> plan_solve(const csr_matrix<V>& a, const vector<dd_real>& b,
                                      const vector<dd_real>& x, const vector<dd_real>& x_low,
                                      const solve_options& options = {});

/// The plan of a solve, and what it was asked for.
struct reported_plan {
    std::vector<planned_stage> stages;
    std::string precision = "dd";  ///< "double", "dd"
};

/// The plans of one system, as `ddla solve --dry-run --json` prints them: a document that ends with
/// a line break.
std::string plan_json(const reported_matrix& a, method by, const std::string& preconditioner,
                      const std::vector<reported_plan>& plans);

}  // namespace ddla
