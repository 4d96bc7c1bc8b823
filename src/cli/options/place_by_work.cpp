// Where `ddla solve --place auto` works.
#include "place_by_work.hpp"

#include "cli/shell/text_format.hpp"

#include "ddla/devices.hpp"

#include <algorithm>

namespace ddla::cli {
namespace {

/// A device starts in about 0.4 s (494_bus: 0.45 s there, 0.065 s on the host, in all), in which a
/// host moves so many bytes.
constexpr double bytes_of_start = 4e9;
/// Of 84 real systems on which BiCGStab with Jacobi converged, three quarters took fewer than 525.
constexpr std::int64_t usual_iterations = 500;

/// Vectors that an iteration moves, and products: as solve_report and docs/methods.md count them.
struct traffic {
    double products, vectors;
};

traffic traffic_of(const solve_request& r)
{
    const bool jacobi = r.used_precond() == preconditioning::jacobi;
    const auto l = static_cast<double>(r.l), s = static_cast<double>(r.s);
    switch (r.method) {
    case method::cg:
        return {1, jacobi ? 13.0 : 11.0};
    case method::fgmres:
        return {1, 2 * static_cast<double>(r.restart) + (jacobi ? 15 : 13)};
    case method::bicgstabl:
        return {2 * l, (11 * l * l + 33 * l) / 2 + 5 + (jacobi ? 6 * l : 0)};
    case method::minres:
        return {1, jacobi ? 27.0 : 19.0};
    case method::idr:
        return {s + 1, 4 * s * s + 19 * s + 10 + (jacobi ? 3 * s + 4 : 0)};
    case method::lsmr:
        return {2, 20};
    case method::refinement:
        if (r.used_precond() == preconditioning::ic) return {1, 11};
        break;
    default:  // as BiCGStab
        break;
    }
    return {2, jacobi || r.uses_factors() ? 25.0 : 19.0};
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
    return static_cast<double>(std::min(usual_iterations, r.max_iterations)) *
           (t.products * of_a + t.vectors * n * bytes_of_element);
}

chosen_place place_of_iterations(const solve_request& r, index_t rows, index_t nonzeros)
{
    if (r.place != place_choice::automatic) return {};
    const double bytes = bytes_of_iterations(r, rows, nonzeros);
    const std::string counted =
        print("%.1e bytes of %lld iterations", bytes,
              static_cast<long long>(std::min(usual_iterations, r.max_iterations)));
    if (bytes <= bytes_of_start)
        return {host,
                counted + print(" are less than a device costs to start, %.0e", bytes_of_start)};
    const std::string problem = state_of_device(0).problem;
    if (!problem.empty()) return {host, "no device can be used, " + problem};
    return {device(0), counted + print(" are more than it costs to start, %.0e", bytes_of_start)};
}

chosen_place place_by_work(const solve_request& r, index_t rows, index_t nonzeros)
{
    if (r.place != place_choice::automatic) return {};
    if (r.uses_factors()) return {host, "factors are made there"};
    return place_of_iterations(r, rows, nonzeros);
}

}  // namespace ddla::cli
