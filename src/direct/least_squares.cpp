// Least squares by factors.
#include "least_squares.hpp"

#include "answer/range_of_b.hpp"
#include "answer_request.hpp"
#include "calls/at_host.hpp"
#include "factors_at.hpp"

#include "answer/answer.hpp"
#include "refine/augmented.hpp"
#include "storage/memory.hpp"

#include "ddla/blas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ddla::api {
namespace {

double quotient(double of, double by)
{
    return of > 0 ? of / by : 0;
}

/// ||A^T r|| / (||A|| ||r||) belongs to r of a system; `norm` is that of A, Frobenius's.
template <scalar V>
least_squares_residuals residuals_in(const refine::host_system<V>& system, index_t rows,
                                     index_t columns, double norm, refine::const_solution_view x)
{
    vector<dd_real> r(rows), products(columns);
    system.residual(x, r.view());
    host_engine().matrices<dd_real, V>().spmv(dd_real(1), system.transposed(), r.view(), dd_real(0),
                                              products.view());
    const auto of_r = static_cast<double>(nrm2(r));
    return {system.relative_residual(x),
            quotient(static_cast<double>(nrm2(products)), of_r) / (norm > 0 ? norm : 1)};
}

template <scalar V>
double norm_of(const csr<V>& a)
{
    return static_cast<double>(host_engine().vectors<V>().nrm2(a.value));
}

/// A x ~ b at the host, and its augmented system.
template <scalar V>
class least_squares {
public:
    least_squares(const csr<V>& a, vec<const dd_real> b)
        : a_(a), system_(a, b), augmented_(refine::augmented(a, b)),
          of_augmented_(augmented_.matrix.view(), std::as_const(augmented_).right_hand_side.view()),
          norm_(norm_of(a))
    {
    }

    const refine::augmented_system<V>& augmented() const { return augmented_; }
    const refine::host_system<V>& of_augmented() const { return of_augmented_; }

    least_squares_residuals of(refine::const_solution_view x) const
    {
        return residuals_in(system_, a_.rows, a_.columns, norm_, x);
    }

    /// Whether those residuals take less than a tenth of a second.
    bool is_quick(int words) const { return system_.is_quick(words); }

    /// What a tolerance is compared with, of a solution of the augmented system.  Of an answer of
    /// least norm also its distance from the range of A^T, relative to it.
    double judged(refine::const_solution_view y) const
    {
        const auto x = part(y, augmented_.x);
        const least_squares_residuals found = of(x);
        if (a_.rows > a_.columns) return std::min(found.relative, found.normal);
        return std::max(found.relative, distance_from_range(y));
    }

    refine::const_solution_view part(refine::const_solution_view y,
                                     const refine::component_range& range) const
    {
        if (y.words() == 4) return {range.part(y.high), range.part(y.low)};
        return {range.part(y.high)};
    }

    std::int64_t bytes() const
    {
        const csr<V> k = augmented_.matrix.view();
        return (k.rows + 1) * static_cast<std::int64_t>(sizeof(index_t)) +
               k.nonzeros() * static_cast<std::int64_t>(sizeof(column_t) + sizeof(V)) +
               2 * k.rows *
                   static_cast<std::int64_t>(sizeof(dd_real)) +  // right-hand side, unknowns
               system_.transposed_bytes();
    }

private:
    /// ||alpha x + A^T z|| / ||alpha x||, by the first rows of the augmented system.
    double distance_from_range(refine::const_solution_view y) const
    {
        vector<dd_real> r(of_augmented_.size());
        const double scale = of_augmented_.residual(y, r.view());
        auto& vectors = host_engine().vectors<dd_real>();
        const auto range = augmented_.x;
        const auto left = static_cast<double>(vectors.nrm2(range.part(std::as_const(r).view())));
        const auto of_x = static_cast<double>(vectors.nrm2(range.part(y.high)));
        return quotient(left, of_x * augmented_.alpha * scale);
    }

    csr<V> a_;
    refine::host_system<V> system_;
    refine::augmented_system<V> augmented_;
    refine::host_system<V> of_augmented_;
    double norm_;  ///< of A, Frobenius's
};

refine::answer_request augmented_request(const solve_options& options, int words,
                                         refine::kept_factors* kept)
{
    const auto goal =
        options.method == method::automatic ? solve_goal::digits : solve_goal::least_squares;
    refine::answer_request request = request_of(options, words, goal);
    request.kept = kept;
    return request;
}

/// Those of the second block of the augmented matrix, by their number in it.
std::vector<index_t> in_second_block(std::vector<index_t> all, index_t size_of_first)
{
    std::erase_if(all, [=](index_t i) { return i < size_of_first; });
    for (index_t& i : all) i -= size_of_first;
    return all;
}

/// That of A by that of its augmented matrix [alpha I, B; B^T, 0], B = A or A^T: null vectors of
/// that are (0; z) where B z = 0.
rank_report rank_of_a(const rank_report& of_augmented, index_t rows, index_t columns)
{
    const index_t larger = std::max(rows, columns);
    rank_report rank;
    rank.value = of_augmented.value - larger;
    rank.proved = of_augmented.proved;
    rank.consistent = of_augmented.consistent;
    const bool is_tall = rows > columns;
    (is_tall ? rank.dependent_columns : rank.dependent_rows) =
        in_second_block(of_augmented.dependent_columns, larger);
    (is_tall ? rank.combined_columns : rank.combined_rows) =
        in_second_block(of_augmented.combined_columns, larger);
    return rank;
}

std::string rank_text(const rank_report& rank, index_t rows, index_t columns)
{
    return "A has rank " + std::to_string(rank.value) + ", less than its " +
           (rows > columns ? std::to_string(columns) + " columns" : std::to_string(rows) + " rows");
}

void copy(vec<const dd_real> from, vec<dd_real> to)
{
    for (index_t i = 0; i < from.size; ++i) to.set(i, from.get(i));
}

/// After an interruption not if they take long: NaN says that they are not known.
template <scalar V>
void tell_residuals(const least_squares<V>& problem, refine::const_solution_view x,
                    solve_report& report)
{
    double& relative = report.true_relative_residual;
    if (!report.interrupted || problem.is_quick(x.words())) {
        const least_squares_residuals found = problem.of(x);
        relative = found.relative;
        report.normal_residual = found.normal;
    } else {
        relative = std::numeric_limits<double>::quiet_NaN();
    }
    report.relative_residual = relative;
}

/// What holds of x alone.
void keep_what_holds(refine::answer& answer)
{
    answer.errors.condition_1.reset();  // of the augmented matrix, like these
    answer.errors.pivot_growth.reset();
}

}  // namespace

template <scalar T, scalar V>
std::optional<refine::passed_limit>
least_squares_by_factors(engine& here, place where, const csr<V>& a, vec<const T> b, unknowns<T> x,
                         const solve_options& options, solve_report& report,
                         refine::kept_factors* kept)
{
    if (!refine::can_augment(a.rows, a.columns))
        return refine::passed_limit{limit_kind::memory,
                                    "the augmented matrix would have more than 2^31 - 1 rows"};
    here.wait();
    const rows_at_host<V> rows(a, where);
    vector<dd_real> right = at_host<T>(b, where);
    vector<dd_real> solution = at_host<T>(x.x, where), low = at_host<dd_real>(x.low, where);
    scaled_right_hand_side scaled(right, exponent_of_b);
    scaled.take_in({solution.view(), low.view()});
    std::optional<least_squares<V>> problem_of_b;
    vector<dd_real> y, y_low;
    const auto find = [&](int exponent) {
        problem_of_b.emplace(rows.view(), std::as_const(right).view());
        const auto& k = problem_of_b->augmented();
        y = vector<dd_real>(k.matrix.rows());
        y_low = vector<dd_real>(low.size() > 0 ? k.matrix.rows() : 0);
        copy(std::as_const(solution).view(), k.x.part(y.view()));
        if (low.size() > 0) copy(std::as_const(low).view(), k.x.part(y_low.view()));
        refine::answer_request request = augmented_request(options, x.words(), kept);
        request.factors_at = factors_at(here, options.place_of_factors);
        request.exponent = exponent;
        request.least_squares = {k.x, [&](auto of_y) { return problem_of_b->judged(of_y); }};
        const refine::solution_view found(y.view(), y_low.view());
        const refine::least_squares_matrix<V> of{rows.view(), k.alpha};
        return refine::find_answer(problem_of_b->of_augmented(), found, request, &of);
    };
    refine::answer answer = find_in_range(scaled, find, [&] {
        for (index_t i = 0; i < solution.size(); ++i) solution.set(i, dd_real(0));
        for (index_t i = 0; i < low.size(); ++i) low.set(i, dd_real(0));
    });
    const least_squares<V>& problem = *problem_of_b;
    const auto& k = problem.augmented();
    const index_t n = k.matrix.rows();
    const solve_goal goal = answer.unjudged ? solve_goal::least_squares
                                            : augmented_request(options, x.words(), kept).goal;
    answer.working_bytes +=
        problem.bytes() + static_cast<std::int64_t>(rows.bytes()) +
        (a.rows + a.columns + low.size()) * static_cast<std::int64_t>(sizeof(dd_real));
    const bool is_singular = answer.rank && answer.rank->value < n;
    if (answer.rank) answer.rank = rank_of_a(*answer.rank, a.rows, a.columns);
    if (is_singular) {
        const refine::passed_limit lack{
            {}, rank_text(*answer.rank, a.rows, a.columns), limit_subject::rank};
        if (options.method == method::automatic && x.words() != 4)
            answer.limit = lack;
        else
            note_limit(report, lack);
    }
    if (answer.limit) {
        report.peak_bytes = static_cast<std::size_t>(answer.working_bytes);
        report.plan = std::move(answer.plan);
        report.rank = std::move(answer.rank);
        return answer.limit;
    }
    keep_what_holds(answer);
    const bool is_found = !is_singular && answer.overflowed < 0;  // else x stays what it was
    if (is_found) {
        copy(k.x.part(std::as_const(y).view()), solution.view());
        if (low.size() > 0) copy(k.x.part(std::as_const(y_low).view()), low.view());
    }
    fill(report, std::move(answer), goal);
    const unwatched_work report_is_made;
    tell_residuals(problem, {solution.view(), low.view()}, report);
    if (is_found) {
        scaled.give_back({solution.view(), low.view()});
        copy_back(solution, x.x, where);
        copy_back(low, x.low, where);
    }
    return {};
}

template <scalar V>
least_squares_residuals residuals_of(const csr<V>& a, vec<const dd_real> b,
                                     refine::const_solution_view x)
{
    return residuals_in(refine::host_system<V>(a, b), a.rows, a.columns, norm_of(a), x);
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template least_squares_residuals residuals_of(const csr<V>&, vec<const dd_real>,               \
                                                  refine::const_solution_view);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template std::optional<refine::passed_limit> least_squares_by_factors(                         \
        engine&, place, const csr<V>&, vec<const T>, unknowns<T>, const solve_options&,            \
        solve_report&, refine::kept_factors*);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::api
