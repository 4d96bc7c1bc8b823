// The better x of least squares that a check compares with.
#include "check_least_squares.hpp"

#include "calls/at_host.hpp"
#include "direct/answer_request.hpp"
#include "direct/least_squares.hpp"

#include "errors/digits.hpp"

#include "ddla/blas.hpp"

#include <limits>

namespace ddla::api {
namespace {

solve_options options_of(const check_options& o, int digits)
{
    solve_options options;
    options.digits = digits;
    options.normwise = o.normwise;
    options.factorisation = o.factorisation;
    options.watch = o.watch;
    return options;
}

/// Why there is no better x; empty if there is one that can tell so many digits.
std::string reason(const solve_report& report, const check_options& o)
{
    const error_estimates& e = report.errors;
    if (report.interrupted) return "interrupted";
    if (report.status == solve_status::not_finite)
        return "a component of the better x is out of the range of double";
    if (!o.normwise && e.unsettled.count > 0) return text_of_unknown(e.unsettled);
    if (!report.limit.empty()) return report.limit;
    const std::optional<double>& error = o.normwise ? e.normwise : e.componentwise;
    if (!error || !(o.normwise ? e.trusted : e.componentwise_trusted))
        return "no better x was found that can be trusted";
    if (!refine::has_digits(*error, o.digits))
        return "fewer digits of the better x are known than are asked for";
    return {};
}

}  // namespace

std::string text_of_unknown(const unsettled_components& open)
{
    return std::to_string(open.count) + " components of the better x are not known, the first is " +
           std::to_string(open.first + 1) + ": " + open.why;
}

template <scalar V>
better_least_squares find_better(const csr<V>& a, vec<const dd_real> b,
                                 refine::solution_view better, int digits,
                                 const check_options& options)
{
    solve_report report;
    const auto passed = least_squares_by_factors<dd_real>(
        host_engine(), host, a, b, unknowns<dd_real>{better.high, better.low},
        options_of(options, digits), report, nullptr);
    if (passed && passed->subject != limit_subject::rank) throw passed->error_of("check");
    // The rank: of an x in two words it comes as a limit, of four words in the report.
    if (passed) note_limit(report, *passed);
    const bool is_rank = report.limited == limit_subject::rank;
    // Then there is no better x to compare with.
    if (is_rank || report.interrupted || report.status == solve_status::not_finite)
        report.errors.trusted = false;
    return {is_rank ? report.limit + ": many x are solutions" : reason(report, options),
            report.limited,
            report.interrupted,
            report.errors,
            std::move(report.plan),
            std::move(report.rank)};
}

template <scalar V>
void store_residuals(const csr<V>& a, vec<const dd_real> b, refine::const_solution_view x,
                     solution_check& found)
{
    if (found.interrupted && !refine::host_system<V>(a, b).is_quick(x.words())) {
        found.true_relative_residual = std::numeric_limits<double>::quiet_NaN();
        return;
    }
    const least_squares_residuals residuals = residuals_of(a, b, x);
    found.true_relative_residual = residuals.relative;
    found.normal_residual = residuals.normal;
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template better_least_squares find_better(const csr<V>&, vec<const dd_real>,                   \
                                              refine::solution_view, int, const check_options&);   \
    template void store_residuals(const csr<V>&, vec<const dd_real>, refine::const_solution_view,  \
                                  solution_check&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::api
