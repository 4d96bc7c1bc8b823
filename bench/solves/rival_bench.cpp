#include "rival_bench.hpp"

#include "support/rival_solvers.hpp"

#include <memory>

namespace bench {

using namespace ddla;

/// What rivals are to reach.
struct reference {
    int iterations = 0;  ///< 0: rounding leads the solvers apart at once
    double residual = 0;
};

namespace {

constexpr int samples = 3;
/// After so many iterations residuals are compared: the first number with which rounding has not
/// yet led the solvers apart, which ddla's two precisions tell.
constexpr int compared_iterations[] = {8, 2};
constexpr double led_apart = 1.0001, agreement = 1.1;

bool alike(double a, double b, double factor)
{
    return a <= factor * b && b <= factor * a;
}

template <scalar T>
double residual_after(const linear_system& s, int iterations)
{
    vector<T> x(s.b.size(), s.b.where());
    return solve(s.a, s.right_hand_side<T>(), x,
                 {.method = ddla::method::bicgstab, .tolerance = 0, .max_iterations = iterations})
        .true_relative_residual;
}

reference reference_of(const linear_system& s)
{
    for (const int iterations : compared_iterations) {
        const double one = residual_after<double>(s, iterations);
        const double other = residual_after<dd_real>(s, iterations);
        if (alike(one, other, led_apart)) return {iterations, one};
    }
    return {};
}

}  // namespace

json rival_bench::record_of(const std::string& name, const char* who, const rival_time& t,
                            const reference& expected) const
{
    json one = {{"microseconds", t.microseconds}};
    if (t.iterations_per_graph > 0) one["iterations_per_graph"] = t.iterations_per_graph;
    if (expected.iterations == 0 || !t.compared) return one;
    one["residual"] = t.residual;
    char text[160];
    std::snprintf(text, sizeof text, "%s, %d iterations: residual %.3e by %s, %.3e by ddla",
                  name.c_str(), expected.iterations, t.residual, who, expected.residual);
    agreements_.require(alike(t.residual, expected.residual, agreement), text);
    return one;
}

json rival_bench::time(const std::string& name, const linear_system& s, int iterations) const
{
    const reference expected = reference_of(s);
    vector<double> y(s.a.rows(), there);
    const product_times products =
        time_products(rivals_, s.a, s.b.view().word(0), y.view().word(0));
    const product_algorithm& algorithm = product_algorithms[products.best];
    const cusparse_matrix a(rivals_, s.a, algorithm);
    // Where nothing can be compared, any number of iterations will do.
    const int compared = std::max(expected.iterations, compared_iterations[1]);
    const rival_solve theirs{a, s.a, s.b, iterations, samples, compared};

    json all = {
        {"compared_iterations", expected.iterations},
        {"residual", expected.residual},
        {"cusparse",
         {{"algorithm", algorithm.name}, {"microseconds", products.microseconds[products.best]}}}};
    all["textbook"] =
        record_of(name, "the textbook's loop", time_of_textbook(rivals_, theirs), expected);
    const std::vector<rival_time> graphs = times_of_graphs(rivals_, theirs);
    for (const rival_time& t : graphs)
        all["graphs"].push_back(record_of(name, "a graph", t, expected));
    all["graph"] = {{"microseconds", fastest(graphs).microseconds},
                    {"iterations_per_graph", fastest(graphs).iterations_per_graph}};
    return all;
}

rival_timer make_rival_timer(agreements& all)
{
    const auto bench = std::make_shared<const rival_bench>(all);
    return [bench](const std::string& name, const linear_system& s, int iterations) {
        return bench->time(name, s, iterations);
    };
}

}  // namespace bench
