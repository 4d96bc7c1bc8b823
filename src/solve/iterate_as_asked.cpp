#include "iterate_as_asked.hpp"

#include "calls/stopwatch.hpp"
#include "iterate.hpp"
#include "precondition/make_preconditioner.hpp"

namespace ddla::api {
namespace {

bool is_built(preconditioning p)
{
    return p != preconditioning::none && p != preconditioning::jacobi;
}

}  // namespace

template <scalar T>
void iterate_as_asked(engine& here, const system_map<T>& a, const preconditioner<T>& k,
                      std::span<const system_column<T>> all)
{
    const solve_options& options = all.front().options;
    if (!is_built(options.precond)) return iterate(here, a, k, all);
    const stopwatch clock;
    const auto made =
        a.make_preconditioner(options.precond, options.preconditioner, watch_of_factors(options));
    const double built = clock.seconds();
    std::vector<system_column<T>> with_made(all.begin(), all.end());
    for (system_column<T>& one : with_made) {
        one.options.precond = preconditioning::none;
        if (!made) {  // stopped: x stays as it is
            one.options.max_iterations = 0;
            one.options.watch = {};
        }
    }
    iterate<T>(here, a, made.value_or(preconditioner<T>()), with_made);
    for (const auto& [b, x, o, report] : with_made) {
        report.interrupted |= !made;
        report.plan = {
            {std::string(to_string(options.precond)), built},
            {std::string(to_string(o.method)), report.seconds, report.true_relative_residual}};
        report.seconds = clock.seconds();
        if (made) report.peak_bytes += made->built().bytes;
    }
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template void iterate_as_asked(engine&, const system_map<T>&, const preconditioner<T>&,        \
                                   std::span<const system_column<T>>);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::api
