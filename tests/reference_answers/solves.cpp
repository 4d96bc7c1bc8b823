// Forward errors of ddla's solvers against reference answers, in double and double-double: printed,
// and bounded by what theory says of them.  On the host, and in device_reference on a device, where
// x must have the bits of the host.
#include "stored.hpp"
#include "support/place.hpp"
#include "support/reference_errors.hpp"
#include "support/same_bits.hpp"

#include "ddla/solve.hpp"

#include <cmath>
#include <cstdio>

using namespace reference;
using ddla::dd_real;
using ddla::index_t;

namespace {

constexpr index_t largest_n = 550;  // the others: validation/reference
/// Products of a matrix entry and a number that a solve may take.
constexpr std::int64_t most_products = 8'000'000;

struct counts {
    int solves = 0, converged = 0, not_finite = 0;
    double nearest_skeel = 0, nearest_kappa1 = 0;  ///< largest error / bound
};

template <class T>
constexpr double tolerance = 1e-12;
template <>
constexpr double tolerance<dd_real> = 1e-25;

template <class T>
constexpr const char* precision = "double";
template <>
constexpr const char* precision<dd_real> = "dd";

template <class T>
bool all_finite(const ddla::vector<T>& x)
{
    for (index_t i = 0; i < x.size(); ++i)
        if (const T value = x[i]; value - value != T(0)) return false;
    return true;
}

/// What the report says of a converged solve must hold, and bound the error by itself:
/// |r|_1 <= sqrt(n) |r|_2 <= sqrt(n) tolerance |b|_2, and |b|_2 <= |b|_1 <= |A|_1 |x|_1.
void check_report(const ddla::solve_report& report, const errors& e, double promised,
                  const answers& stored)
{
    CHECK(e.residual == Approx(report.true_relative_residual).epsilon(1e-9).margin(1e-300));
    if (report.status != ddla::solve_status::converged) return;
    CHECK(e.residual <= promised * (1 + 1e-9));
    const errors worst{.backward_norm1 = std::sqrt(static_cast<double>(stored.rows)) * promised};
    CHECK(e.norm1 <= bound_of_norm1(worst, stored.kappa1));
}

void check_bounds(const errors& e, const condition& skeel, const condition& kappa1, counts& done)
{
    const double normwise = bound_of_normwise(e, skeel), norm1 = bound_of_norm1(e, kappa1);
    CHECK(e.normwise <= normwise);
    CHECK(e.norm1 <= norm1);
    if (normwise > 0) done.nearest_skeel = std::max(done.nearest_skeel, e.normwise / normwise);
    if (norm1 > 0) done.nearest_kappa1 = std::max(done.nearest_kappa1, e.norm1 / norm1);
}

/// Solves at the place under test; x comes back to the host.
template <class T>
ddla::solve_report solve_there(const ddla::csr_matrix<double>& a, const ddla::vector<T>& b,
                               ddla::vector<T>& x, const ddla::solve_options& options)
{
    const ddla::place at = test::place_under_test();
    if (at.is_host()) return ddla::solve(a, b, x, options);
    ddla::vector<T> there = x.to(at), here = x;
    const auto report = ddla::solve(a.to(at), b.to(at), there, options);
    x = there.to(ddla::host);
    const auto on_host = ddla::solve(a, b, here, options);
    CHECK(report.status == on_host.status);
    CHECK(report.iterations == on_host.iterations);
    CHECK(test::same_bits(x, here));
    return report;
}

template <class T>
void check_solve(const answers& stored, const ddla::csr_matrix<double>& a, const answer& one,
                 const mpfr_vector& truth, ddla::method method, counts& done)
{
    INFO(stored.matrix << ", b = " << one.rhs << ", " << to_string(method) << ", " << precision<T>);
    ddla::vector<T> b(a.rows()), x(a.rows());
    for (index_t i = 0; i < a.rows(); ++i) b.set(i, T(one.b[static_cast<std::size_t>(i)]));
    const auto limit = std::min(10 * a.rows(), most_products / a.nonzeros());
    const auto report = solve_there(
        a, b, x, {.method = method, .tolerance = tolerance<T>, .max_iterations = limit});
    ++done.solves;
    if (!all_finite(x)) {
        CHECK(report.status == ddla::solve_status::not_finite);
        ++done.not_finite;
        return;
    }
    const errors e = errors_of(a, one.b, truth, widened(x));
    std::printf("%-24s %-6s %-8s %-6s %-15s %6lld  %.1e normwise, %.1e componentwise\n",
                stored.matrix.c_str(), one.rhs.c_str(), std::string(to_string(method)).c_str(),
                precision<T>, std::string(to_string(report.status)).c_str(),
                static_cast<long long>(report.iterations), e.normwise, e.componentwise);
    CHECK(e.normwise <= e.componentwise * (1 + 1e-15));  // both were rounded
    check_bounds(e, one.skeel, stored.kappa1, done);
    check_report(report, e, tolerance<T>, stored);
    done.converged += report.status == ddla::solve_status::converged;
}

void check_solves(const answers& stored, const ddla::csr_matrix<double>& a, counts& done_in_double,
                  counts& done_in_dd)
{
    if (a.rows() > largest_n) return;
    for (const answer& one : stored.all) {
        const mpfr_vector truth = solution_of(one);
        for (const auto method : {ddla::method::bicgstab, ddla::method::cg}) {
            if (method == ddla::method::cg && !stored.definite) continue;
            check_solve<double>(stored, a, one, truth, method, done_in_double);
            check_solve<dd_real>(stored, a, one, truth, method, done_in_dd);
        }
    }
}

void summarise(const char* kind, const char* name, const counts& done)
{
    std::printf("%s systems in %s: %d solves, %d converged, %d not finite; largest error / bound: "
                "%.2g (cond(A, x)), %.2g (kappa_1)\n",
                kind, name, done.solves, done.converged, done.not_finite, done.nearest_skeel,
                done.nearest_kappa1);
}

int check_all(bool real, const char* kind)
{
    counts in_double, in_dd;
    const int missing = for_each_stored(real, [&](const auto& stored, const auto& a) {
        check_solves(stored, a, in_double, in_dd);
    });
    summarise(kind, "double", in_double);
    summarise(kind, "double-double", in_dd);
    if (!real || missing == 0) {
        CHECK(in_double.converged > 0);
        CHECK(in_dd.converged > in_double.converged);
    }
    return missing;
}

}  // namespace

TEST_CASE("forward errors of generated systems", "[reference]")
{
    check_all(false, "generated");
}

TEST_CASE("forward errors of real systems", "[reference][matrices]")
{
    if (const int missing = check_all(true, "real"); missing > 0) SKIP_CASE(reason_of(missing));
}
