// A x = b from one call, with an honest report: by factors and refinement, or a Krylov method.
//
//     ddla::vector<ddla::dd_real> b(a.rows(), 1.0), x(a.rows());
//     ddla::solve_report report = ddla::solve(a, b, x, {.tolerance = 1e-20});
#pragma once

#include "blas.hpp"
#include "error_estimates.hpp"
#include "factorisation.hpp"
#include "preconditioner.hpp"
#include "solve_options.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddla {

/// How a solve ended: exactly one of these.
enum class solve_status {
    converged,        ///< the goal is met: see solve_goal
    iteration_limit,  ///< max_iterations done, or stopped by `watch`
    breakdown,  ///< a scalar that the method divides by became zero; report.breakdown names it
    stagnated,  ///< the recurrence met the tolerance, the recomputed residual does not; or a cycle
                ///< of FGMRES did not lower the residual
    /// A scalar became Inf or NaN, or a component of an x of factors is beyond the range of double:
    /// then x is as it was.  report.breakdown names it.
    not_finite,
    /// A has no inverse, and no x solves the system.  Of least squares by factors: the rank of A is
    /// less than its rows and than its columns; report.limit says so, and x is as it was.
    singular,
    /// x is as good as its precision allows: the componentwise backward error is at most 2^-100
    /// (2^-50 in double, 2^-206 in four words), of least squares the estimated error of each
    /// component; the residual that the tolerance asks for is below what rounding x leaves.
    at_floor,
    /// The residual meets the tolerance, but digits were asked for and could not be judged: an
    /// automatic solve without factors, or one of many x of a singular A.  See report.goal.
    residual_only,
};

inline constexpr named<solve_status> solve_status_names[] = {
    {"converged", solve_status::converged},   {"iteration_limit", solve_status::iteration_limit},
    {"breakdown", solve_status::breakdown},   {"stagnated", solve_status::stagnated},
    {"not_finite", solve_status::not_finite}, {"singular", solve_status::singular},
    {"at_floor", solve_status::at_floor},     {"residual_only", solve_status::residual_only},
};
constexpr const auto& names_of(solve_status)
{
    return solve_status_names;
}

/// What a solve tries to reach.
enum class solve_goal {
    residual,  ///< ||b - A x|| / ||b|| <= tolerance
    digits,    ///< so many digits of x right, by the error estimate; and the tolerance, if given
    /// ||A^T r|| / (||A|| ||r||) <= tolerance for r = b - A x, ||A|| the Frobenius norm; or
    /// ||r|| / ||b|| <= tolerance.  By factors, where A has more columns than rows: ||r|| / ||b||
    /// and the distance of x from the range of A^T, over ||x||, <= tolerance.
    least_squares,
};

inline constexpr named<solve_goal> solve_goal_names[] = {
    {"residual", solve_goal::residual},
    {"digits", solve_goal::digits},
    {"least_squares", solve_goal::least_squares},
};
constexpr const auto& names_of(solve_goal)
{
    return solve_goal_names;
}

std::string_view to_string(solve_status s);
std::string_view to_string(solve_goal g);

/// What a limit of a report is about.
enum class limit_subject {
    none,
    factors,     ///< they would pass it
    conditions,  ///< of an x of factors: they would pass it
    rank,        ///< its elimination would pass it; of least squares the rank that A lacks
};

/// A part of a solve, and what it brought.
struct solve_stage {
    std::string name;
    double seconds = 0;
    /// Of the x after it; of least squares by factors the residual that the tolerance is for.
    std::optional<double> true_relative_residual = {};
    std::optional<double> digits = {};            ///< estimated, of the kind that was asked for
    std::int64_t iterations = 0;                  ///< of the whole solve, when the stage ended
    std::optional<limit_kind> passed = {};        ///< the limit that ended it, if it made factors
    limit_subject limited = limit_subject::none;  ///< … these, or the elimination for the rank
};

template <class Visit, class... Like>
void describe(described<solve_stage>, const Visit& visit, Like&... s)
{
    using namespace about;
    visit(field{.name = "name", .json = "stage"}, s.name...);
    visit(field{"seconds"}, s.seconds...);
    visit(field{"true_relative_residual"}, s.true_relative_residual...);
    visit(field{"digits"}, s.digits...);
    visit(field{"iterations"}, s.iterations...);
    visit(field{"passed"}, s.passed...);
}

/// The rank of A from an elimination modulo a prime of 61 bits.
struct rank_report {
    index_t value = 0;
    /// Full rank, or a lack of it that the pattern shows, is proved.  Else the lack is almost
    /// certain: chance could feign it with a probability below 2^-40.
    bool proved = false;
    bool consistent = true;  ///< b is in the range of A; least squares of a tall A: there is an x
    // All from 0, ascending; empty for full rank.
    std::vector<index_t> dependent_rows = {}, dependent_columns = {};  ///< as many as are missing
    /// The first dependent row is a combination of these rows, itself among them: those where the
    /// first y != 0 of A^T y = 0 is not zero.
    std::vector<index_t> combined_rows = {};
    std::vector<index_t> combined_columns = {};  ///< likewise for A x = 0
    /// The y and x themselves there, rounded to double, the largest in [1/2, 1) by magnitude.
    /// Empty where factors in double-double without these rows and columns would pass the limits.
    std::vector<double> row_weights = {}, column_weights = {};
    /// Where no x solves the system: the part of b that is not in the range of A, over b, in
    /// Euclidean norms.  Near 1e-16, rounding b alone may be why.  Empty where it is not known, as
    /// with more than 16 missing rows.
    std::optional<double> distance_of_b = {};
    /// Whether a relative change of A by 2^-53 in its 1-norm can make it singular, by
    /// errors.condition_1; empty where that is not known.  It says nothing of `value`.
    std::optional<bool> numerically_singular = {};
};

template <class Visit, class... Like>
void describe(described<rank_report>, const Visit& visit, Like&... r)
{
    using namespace about;
    visit(field{"value"}, r.value...);
    visit(field{.name = "proved", .json = "certainty"}, r.proved...);
    visit(field{"consistent"}, r.consistent...);
    visit(field{.name = "dependent_rows", .counts = true}, r.dependent_rows...);
    visit(field{.name = "dependent_columns", .counts = true}, r.dependent_columns...);
    visit(field{.name = "combined_rows", .counts = true}, r.combined_rows...);
    visit(field{.name = "combined_columns", .counts = true}, r.combined_columns...);
    visit(field{"row_weights"}, r.row_weights...);
    visit(field{"column_weights"}, r.column_weights...);
    visit(field{"distance_of_b"}, r.distance_of_b...);
    visit(field{"numerically_singular"}, r.numerically_singular...);
}

/// The preconditioner of iterations, and what building it took and gave.
struct used_preconditioner {
    std::string name;
    build_report built;
};

/// What a solve on ranks has sent, and the memory that they need.
struct ranks_report {
    std::int64_t count = 0;      ///< of ranks; 0: the solve was not on ranks
    std::uint64_t sums = 0;      ///< exchanges of sums, of which several may be in one
    std::uint64_t numbers = 0;   ///< in them, of all ranks: each goes to all
    std::uint64_t products = 0;  ///< exchanges of elements, before products with A
    std::uint64_t messages = 0;  ///< in them, of all ranks, to a neighbour each
    std::uint64_t bytes = 0;     ///< of these messages
    /// Of the process that had the most so far, at its peak, on the host: also what it did before.
    std::uint64_t resident_bytes = 0;
};

template <class Visit, class... Like>
void describe(described<ranks_report>, const Visit& visit, Like&... r)
{
    using namespace about;
    visit(field{"count"}, r.count...);
    visit(field{"sums"}, r.sums...);
    visit(field{"numbers"}, r.numbers...);
    visit(field{"products"}, r.products...);
    visit(field{"messages"}, r.messages...);
    visit(field{"bytes"}, r.bytes...);
    visit(field{"resident_bytes"}, r.resident_bytes...);
}

struct solve_report {
    solve_status status = solve_status::iteration_limit;
    /// The scalar that broke down or is not finite, or "component 3 of x", else empty.
    std::string breakdown;
    bool interrupted = false;
    std::int64_t iterations = 0;
    double relative_residual = 0;  ///< of the recurrence
    /// Recomputed, see true_residual(); of iterations that `watch` has ended, by a product in T
    /// where that tells 20 bits of it; NaN where an interruption left no time for either.
    double true_relative_residual = 0;
    /// Of LSMR, and of any A that is not square: ||A^T r|| / (||A|| ||r||), recomputed; see
    /// solve_goal::least_squares.
    std::optional<double> normal_residual = {};
    double seconds = 0;            ///< the solve, without the recomputed residual
    double iteration_seconds = 0;  ///< its iterations, without the work before the first
    /// What an iteration reads and writes at least, if no vector stays in a cache between its
    /// sweeps: A as it is stored, once (CG) or twice (BiCGStab), and 11 or 19 vectors; with Jacobi
    /// 13 or 25.  Not counted: the 2 or 3 vectors that a device reads again because its products
    /// are kernels by themselves.  Systems small enough for one kernel count as compressed rows in
    /// any format.  0 if b = 0, which takes no iteration.
    /// FGMRES: the mean of the iterations done and the ends of their cycles.  Iteration j = 0, 1, …
    /// of a cycle reads A once and moves 4 (j + 1) + 11 vectors, with Jacobi 4 (j + 1) + 13, with
    /// another preconditioner 4 (j + 1) + 15; what functions of the caller move is not counted.
    /// BiCGStab(l), MINRES, IDR(s) and LSMR: see docs/methods.md.
    std::size_t bytes_per_iteration = 0;
    /// Memory at the place, at most: A, b, x and all that the solve and its report allocated.
    std::size_t peak_bytes = 0;
    std::uint64_t solution_hash = 0;  ///< of all words of x
    int solution_words = 2;           ///< how many doubles a component of x is the sum of
    int threads = 1;
    place where = host;  ///< of the data, or of the iterations if they were elsewhere
    solve_goal goal = solve_goal::residual;
    std::vector<solve_stage> plan = {};  ///< of automatic and refinement: what was done
    /// Why it iterates where it would have factored: the limit that factors would have passed, and
    /// what was counted; or, of least squares, the rank of A.  Of an x of factors: the limit that
    /// its conditions would have passed, which are unknown then, and goal is residual.  Else empty.
    std::string limit = {};
    limit_subject limited = limit_subject::none;  ///< what `limit` is about
    /// Empty for none, and for preconditioning::jacobi, which is a part of the sweeps.  Of
    /// automatic solves that iterate: the last one.
    std::optional<used_preconditioner> preconditioner = {};
    error_estimates errors = {};
    std::optional<error_bound> bound = {};  ///< if it was asked for
    /// Right digits of x, of the kind that was asked for, estimated or proved; empty if not known.
    std::optional<double> digits = {};
    /// `digits` follow from a proved bound of the error, not from an estimate.
    bool digits_proved = false;
    /// The same relative to the largest component, whatever was asked for.
    std::optional<double> normwise_digits = {};
    std::optional<rank_report> rank = {};  ///< where it was looked at
    ranks_report ranks = {};
    /// With factors: max |b - A x|_i / max |b_i| after 0, 1, … corrections.
    std::vector<double> history;  ///< relative residual of the recurrence after 0, 1, … iterations

    /// 0 without any.
    double seconds_per_iteration() const
    {
        return iterations > 0 ? iteration_seconds / static_cast<double>(iterations) : 0;
    }
};

/// Numbers, names and texts.  Not described: plan, preconditioner, errors, bound, rank and ranks,
/// which are reports themselves, and the history.
template <class Visit, class... Like>
void describe(described<solve_report>, const Visit& visit, Like&... r)
{
    using namespace about;
    visit(field{.name = "where", .json = "place"}, r.where...);
    visit(field{"threads"}, r.threads...);
    visit(field{"status"}, r.status...);
    visit(field{"iterations"}, r.iterations...);
    visit(field{"relative_residual"}, r.relative_residual...);
    visit(field{"true_relative_residual"}, r.true_relative_residual...);
    visit(field{"normal_residual"}, r.normal_residual...);
    visit(field{"seconds"}, r.seconds...);
    visit(field{.name = "iteration_seconds", .json = "seconds_per_iteration"},
          r.iteration_seconds...);
    visit(field{"bytes_per_iteration"}, r.bytes_per_iteration...);
    visit(field{"peak_bytes"}, r.peak_bytes...);
    visit(field{"solution_words"}, r.solution_words...);
    visit(field{.name = "solution_hash", .is_hash = true}, r.solution_hash...);
    visit(field{"breakdown"}, r.breakdown...);
    visit(field{"interrupted"}, r.interrupted...);
    visit(field{"goal"}, r.goal...);
    visit(field{"digits"}, r.digits...);
    visit(field{"digits_proved"}, r.digits_proved...);
    visit(field{"normwise_digits"}, r.normwise_digits...);
    visit(field{"limit"}, r.limit...);
}

/// Solve A x = b, starting from the guess in x and leaving the last iterate there.
///
/// A square, b and x of its size, all at one place.  Automatic solves, and refinement by factors,
/// work on the host but for large factors and solves with them (solve_options::place_of_factors):
/// data of a device are copied there and back.  Working memory: 6 vectors for
/// BiCGStab, 3 for CG; Jacobi takes one more for the inverse diagonal, in BiCGStab three more.
/// FGMRES: restart + 2, with Jacobi 2 restart + 3, with another preconditioner 2 restart + 3.
/// Others: see docs/methods.md.  For b = 0 the answer is x = 0.  x of automatic and refinement is
/// rounded to at most 107 bits a component, with x_low 213; all of the report is of x after that.
/// Refinement with a preconditioner but lu factors nothing: each correction of x is solved for in
/// double, at the place of A, by CG with ic, else by BiCGStab; their iterations are counted.  It
/// ends as stagnated, or as the last correction did, where one does not halve the residual. Memory:
/// two vectors and one in double-double, beside those of the method in double. Throws input_error
/// for shapes, for a value in A, b or x that is not finite, for Jacobi with a zero on the diagonal,
/// for LU with a column without pivot, for a tolerance or limit out of range; resource_error, with
/// the bytes, if memory does not suffice, or if method::refinement or preconditioning::lu would
/// pass the limits of the factors; input_error for digits with a method but automatic, and where A
/// is a function.
///
/// Least squares: automatic, refinement and lsmr take an A that is not square, lsmr any; b has the
/// rows of A, x its columns.  With more rows than columns x minimises ||b - A x||, with fewer ||x||
/// where A x = b.  Automatic and refinement factor the augmented matrix (docs/methods.md): errors,
/// digits and errors.condition are those of x; errors has no backward errors, no condition_1 and
/// no pivot_growth, and there is no rank.  They take no preconditioner and no `certify`.  Where A
/// has not full rank, or factors pass their limits, automatic solves are LSMR's.
template <scalar T, scalar V>
requires acts_on<T, V> solve_report solve(const csr_matrix<V>& a, const vector<T>& b, vector<T>& x,
                                          const solve_options& options = {});

/// Solve A x_j = b_j for several b_j, from the guesses in x_j; a report for each.  Bits,
/// iterations, history and end of each are those of its single solve.  A is factored, a
/// preconditioner built, once for all.  Krylov methods iterate the systems in lock-step, on the
/// host all of them, on a device eight at a time: products read A once for eight (see spmv), and a
/// system that has ended stops alone.  On a device one system is solved after the other where
/// products do not read A once, and by BiCGStab and CG without a preconditioner, or with Jacobi,
/// where A is small enough for many iterations in one kernel; so do the iterations of automatic
/// solves without factors everywhere.  `watch` is told the system as solve_progress::column;
/// returning false ends all of them.  Reports of systems solved in lock-step: `seconds` and
/// `peak_bytes` are those of all together, `iteration_seconds` is the time to the last iteration of
/// this one, and `bytes_per_iteration` counts its share of what products read of A.
template <scalar T, scalar V>
requires acts_on<T, V> std::vector<solve_report> solve(const csr_matrix<V>& a,
                                                       const std::vector<vector<T>>& b,
                                                       std::vector<vector<T>>& x,
                                                       const solve_options& options = {});

/// The same with x in four words, x + x_low: x has the double-double numbers nearest to the
/// components, x_low what they leave.  About 64 digits instead of 32 can be asked for, up to 60 as
/// options.digits, and at_floor means a componentwise backward error of at most 2^-206.  Starts
/// from the guess x + x_low.  Cost: twice the corrections, and residuals of four times the work.
/// Throws input_error for another method than automatic and refinement, and resource_error where
/// factors would pass the limits: nothing is iterated.
template <scalar V>
solve_report solve(const csr_matrix<V>& a, const vector<dd_real>& b, vector<dd_real>& x,
                   vector<dd_real>& x_low, const solve_options& options = {});

/// The same with a preconditioner object at the place of b, or with code for the host; then
/// options.precond must be none.  CG needs a symmetric positive definite one.  method::automatic
/// takes it for its iterations, where factors are too large; method::refinement for its
/// corrections, see method.hpp: then it must not be code for double-double.
template <scalar T, scalar V>
requires acts_on<T, V> solve_report solve(const csr_matrix<V>& a, const preconditioner<T>& k,
                                          const vector<T>& b, vector<T>& x,
                                          const solve_options& options = {});
template <scalar T, scalar V>
requires acts_on<T, V> std::vector<solve_report>
solve(const csr_matrix<V>& a, const preconditioner<T>& k, const std::vector<vector<T>>& b,
      std::vector<vector<T>>& x, const solve_options& options = {});

/// The same for an operator.  If it is a matrix, bits and speed are those of the matrix.  If it is
/// a function, the reported true residual is b - A x by that function in T, and no scaling guards
/// against entries of A beyond 2^100 or below 2^-100; method::automatic iterates at once, and
/// method::refinement throws input_error: both need entries to factor.
template <scalar T>
solve_report solve(const linear_operator<T>& a, const vector<T>& b, vector<T>& x,
                   const solve_options& options = {});
template <scalar T>
solve_report solve(const linear_operator<T>& a, const preconditioner<T>& k, const vector<T>& b,
                   vector<T>& x, const solve_options& options = {});

}  // namespace ddla
