#include "rival_solvers.hpp"

#include "graph_bicgstab.hpp"
#include "textbook_bicgstab.hpp"
#include "timing.hpp"

#include "ddla/blas.hpp"

#include <functional>

namespace bench {

using namespace ddla;

namespace {

double residual_of(const rivals& by, const rival_solve& s, const vector<double>& x,
                   const std::function<void()>& start, const std::function<void(int)>& iterate)
{
    start();
    iterate(s.compared);
    check(cudaStreamSynchronize(by.stream()), "cudaStreamSynchronize");
    return true_residual(s.a, x, s.b).relative;
}

/// From `start`, wait, and count the time of the iterations alone.
double microseconds_of(const rivals& by, const rival_solve& s, const std::function<void()>& start,
                       const std::function<void(int)>& iterate)
{
    const double all = median(s.samples, [&] {
        start();
        return wall_microseconds(by.stream(), [&] { iterate(s.iterations); });
    });
    return all / s.iterations;
}

}  // namespace

rival_time time_of_textbook(const rivals& by, const rival_solve& s)
{
    vector<double> x(s.a.rows(), there);
    textbook_bicgstab solver(by, s.products);
    const auto start = [&] { solver.start(s.b.view().word(0), x.view().word(0)); };
    const auto iterate = [&](int times) { solver.iterate(times); };
    const double residual = residual_of(by, s, x, start, iterate);
    return {0, microseconds_of(by, s, start, iterate), true, residual};
}

std::vector<rival_time> times_of_graphs(const rivals& by, const rival_solve& s)
{
    std::vector<rival_time> times;
    for (const int length : graph_lengths) {
        vector<double> x(s.a.rows(), there);
        graph_bicgstab solver(by, s.products, s.b.view().word(0), x.view().word(0), length);
        const auto start = [&] { solver.start(); };
        const auto iterate = [&](int many) { solver.iterate(many); };
        const bool compared = s.compared % length == 0;
        const double residual = compared ? residual_of(by, s, x, start, iterate) : 0;
        times.push_back({length, microseconds_of(by, s, start, iterate), compared, residual});
    }
    return times;
}

const rival_time& fastest(const std::vector<rival_time>& times)
{
    return *std::min_element(times.begin(), times.end(),
                             [](const rival_time& one, const rival_time& other) {
                                 return one.microseconds < other.microseconds;
                             });
}

}  // namespace bench
