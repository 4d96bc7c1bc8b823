// Where `ddla solve --place auto` works.
#include "place_by_work.hpp"

#include "cli/shell/text_format.hpp"
#include "tuning.hpp"

#include "ddla/devices.hpp"
#include "ddla/host_threads.hpp"

#include <algorithm>

namespace ddla::cli {
namespace {

/// Vectors that an iteration moves, and products.
struct traffic {
    double products, vectors;
};

traffic traffic_of(const solve_request& r)
{
    const preconditioning k = r.used_precond();
    // Corrections with incomplete Cholesky factors are found by CG.
    const bool by_cg = r.method == method::refinement && k == preconditioning::ic;
    const detail::method_cost cost =
        detail::cost_of(by_cg ? method::cg : r.method, {.cycle = static_cast<double>(r.restart),
                                                        .l = static_cast<double>(r.l),
                                                        .s = static_cast<double>(r.s)});
    const bool jacobi = k == preconditioning::jacobi || (!by_cg && r.uses_factors());
    return {cost.products, jacobi ? cost.vectors_with_jacobi : cost.vectors};
}

constexpr const char* factors_at_host = "factors are made there";

/// Why no device can be used, without the details that `ddla devices` has.
std::string in_short(const std::string& problem)
{
    return problem.substr(0,
                          std::min({problem.find(": "), problem.find(", "), problem.find(" (")}));
}

}  // namespace

double bytes_of_iterations(const solve_request& r, index_t rows, index_t nonzeros)
{
    double bytes_of_value = 0, bytes_of_element = 0;
    in_precision(r.values, [&]<scalar V>() { bytes_of_value = sizeof(V); });
    in_precision(r.precisions.back(), [&]<scalar T>() { bytes_of_element = sizeof(T); });
    if (r.corrects_by_iterations()) bytes_of_value = bytes_of_element = sizeof(double);
    const auto n = static_cast<double>(rows), entries = static_cast<double>(nonzeros);
    const double of_a = entries * (sizeof(column_t) + bytes_of_value) + n * sizeof(index_t);
    const traffic t = traffic_of(r);
    return static_cast<double>(std::min(tuning::usual_iterations, r.max_iterations)) *
           (t.products * of_a + t.vectors * n * bytes_of_element);
}

chosen_place place_of_iterations(const solve_request& r, index_t rows, index_t nonzeros)
{
    if (r.place != place_choice::automatic) return {};
    const double bytes = bytes_of_iterations(r, rows, nonzeros);
    const std::string counted =
        print("%.1e bytes of %lld iterations", bytes,
              static_cast<long long>(std::min(tuning::usual_iterations, r.max_iterations)));
    if (bytes <= tuning::bytes_of_start)
        return {host, counted + print(" are less than a device costs to start, %.0e",
                                      tuning::bytes_of_start)};
    const std::string problem = state_of_device(0).problem;
    if (!problem.empty()) return {host, "no device can be used, " + in_short(problem)};
    return {device(0),
            counted + print(" are more than it costs to start, %.0e", tuning::bytes_of_start)};
}

chosen_place place_of_factors(const solve_request& r, double work)
{
    if (r.place != place_choice::automatic) return {};
    const double start = tuning::factor_work_of_start * host_threads();
    if (work <= start) return {host, factors_at_host};
    const std::string problem = state_of_device(0).problem;
    if (!problem.empty())
        return {host, print("%s, no device can be used, ", factors_at_host) + in_short(problem)};
    return {device(0),
            print("device 0 is asked for factors, as their %.1e multiplications are more "
                  "than the host does while it starts, %.0e",
                  work, start)};
}

chosen_place place_by_work(const solve_request& r, index_t rows, index_t nonzeros)
{
    if (r.place != place_choice::automatic) return {};
    if (r.uses_factors()) return {host, factors_at_host};
    return place_of_iterations(r, rows, nonzeros);
}

}  // namespace ddla::cli
