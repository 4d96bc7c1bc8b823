#include "iterate_as_asked.hpp"

#include "iterate.hpp"
#include "make_preconditioner.hpp"
#include "stopwatch.hpp"

namespace ddla::api {
namespace {

bool is_built(preconditioning p)
{
    return p != preconditioning::none && p != preconditioning::jacobi;
}

}  // namespace

template <scalar T>
void iterate_as_asked(engine& here, const system_map<T>& a, const preconditioner<T>& k,
                      vec<const T> b, vec<T> x, const solve_options& options, solve_report& report)
{
    if (!is_built(options.precond)) return iterate(here, a, k, b, x, options, report);
    const stopwatch clock;
    const auto made =
        a.make_preconditioner(options.precond, options.preconditioner, watch_of_factors(options));
    const double built = clock.seconds();
    solve_options o = options;
    o.precond = preconditioning::none;
    if (!made) {  // stopped: x stays as it is
        o.max_iterations = 0;
        o.watch = {};
    }
    iterate(here, a, made.value_or(preconditioner<T>()), b, x, o, report);
    report.interrupted |= !made;
    report.plan = {
        {std::string(to_string(options.precond)), built},
        {std::string(to_string(o.method)), report.seconds, report.true_relative_residual}};
    report.seconds = clock.seconds();
    if (made) report.peak_bytes += made->built().bytes;
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template void iterate_as_asked(engine&, const system_map<T>&, const preconditioner<T>&,        \
                                   vec<const T>, vec<T>, const solve_options&, solve_report&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::api
