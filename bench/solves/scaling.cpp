#include "scaling.hpp"

#include "record.hpp"

#include "support/data.hpp"
#include "support/seven_points.hpp"

#include "ddla/host_threads.hpp"
#include "ddla/sparse_format.hpp"
#include "ddla/tune.hpp"

#include <cmath>
#include <cstdio>

namespace bench {

using namespace ddla;

namespace {

/// A sample takes at most so many seconds, where fewer iterations can help it.
constexpr double seconds_of_sample = 0.1;
/// Solves are repeated for so many seconds.
constexpr double seconds_of_solves = 0.2;
/// From here on there are fewer solves, and rivals do fewer iterations.
constexpr index_t large = 10'000'000;

constexpr method methods[] = {method::bicgstab, method::cg};

struct grid_system {
    csr_matrix<double> a;
    format_report format;
};

/// 7-point convection-diffusion for BiCGStab, diffusion alone for CG, which wants symmetry.
grid_system grid_for(method m, int edge, place at)
{
    csr_matrix<double> a = seven_points_in_parallel(edge, edge, edge, m == method::cg ? 0.0 : 0.3);
    grid_system g{at.is_host() ? std::move(a) : a.to(at), {}};
    g.format = set_format(g.a);
    return g;
}

struct curve_bench {
    const scaling_options& o;
    double copy = 0;  ///< bytes a microsecond
    json results{};
};

template <scalar T>
void measure_precision(curve_bench& c, const char* list, const linear_system& s, method m, int edge,
                       const grid_system& g)
{
    const char* const precision = number_traits<T>::name_in_text;
    const std::string name = std::to_string(edge) + "^3";
    json record = {{"method", std::string(to_string(m))},
                   {"precision", precision},
                   {"edge", edge},
                   {"rows", s.a.rows()},
                   {"entries", s.a.nonzeros()},
                   {"stored_as", std::string(to_string(g.format.format))},
                   {"threads", c.o.at.is_host() ? host_threads() : 0}};
    std::printf("%6s %10ld  %-8s %-13s ", name.c_str(), static_cast<long>(s.a.rows()),
                record["method"].get<std::string>().c_str(), precision);
    const interval_choice found = longest_interval<T>(s, m, intervals[0], seconds_of_sample);
    if (found.interval == 0) {
        record["skipped"] = found.limited_by;
        std::printf("not measured: %s\n", found.limited_by.c_str());
    } else {
        const iteration_time t = time_of_iteration<T>(
            s, m, found.interval, s.a.rows() < large ? 2 : 1, seconds_of_solves);
        record.update(record_of(t, c.copy));
        std::printf("%12.2f us %12.2f at copy speed %6.2f\n", t.microseconds,
                    record["limit_microseconds"].get<double>(), record["share"].get<double>());
    }
    c.results[list].push_back(record);
    write_results(c.o.json_file, c.results);  // a run that is cut short leaves what it has
}

void measure_rivals(curve_bench& c, const linear_system& s, int edge)
{
    const std::string name = std::to_string(edge) + "^3";
    json record = {{"edge", edge}, {"rows", s.a.rows()}, {"entries", s.a.nonzeros()}};
    record.update(c.o.rivals(name, s, s.a.rows() < large ? 64 : 16));
    std::printf("%6s %10ld  (a) %.2f us, (b) %.2f us\n", name.c_str(),
                static_cast<long>(s.a.rows()), record["textbook"]["microseconds"].get<double>(),
                record["graph"]["microseconds"].get<double>());
    c.results["rivals"].push_back(record);
}

void measure_curve(curve_bench& c)
{
    const index_t most = c.o.most > 0 ? c.o.most : c.o.at.is_host() ? 10'000'000 : 100'000'000;
    for (const int edge : edges_of_cubes(most, c.o.per_decade)) {
        const index_t n = index_t{edge} * edge * edge;
        const vector<double> b = random_vector<double>(n, 4, c.o.at);
        const vector<dd_real> b_dd = widened(b);
        for (const method m : methods) {
            const grid_system g = grid_for(m, edge, c.o.at);
            const linear_system s{g.a, b, b_dd};
            measure_precision<double>(c, "curve", s, m, edge, g);
            measure_precision<dd_real>(c, "curve", s, m, edge, g);
            if (c.o.rivals && m == method::bicgstab) measure_rivals(c, s, edge);
        }
    }
}

/// Bytes a microsecond that a copy reads and writes there.
double copy_speed(curve_bench& c)
{
    const double speed = copy_bandwidth(c.o.at) / 1e6;
    const int threads = c.o.at.is_host() ? host_threads() : 0;
    c.results["copy"].push_back({{"threads", threads}, {"gigabytes_per_second", speed / 1e3}});
    if (threads > 0)
        std::printf("a copy at %.1f GB/s, threads: %d\n", speed / 1e3, threads);
    else
        std::printf("a copy at %.0f GB/s\n", speed / 1e3);
    return speed;
}

void measure_threads(curve_bench& c, const std::vector<int>& threads)
{
    for (const int many : threads) {
        set_host_threads(many);
        c.copy = copy_speed(c);
        for (const int edge : c.o.cubes) {
            const index_t n = index_t{edge} * edge * edge;
            const vector<double> b = random_vector<double>(n, 4, host);
            const vector<dd_real> b_dd = widened(b);
            for (const method m : methods) {
                const grid_system g = grid_for(m, edge, host);
                const linear_system s{g.a, b, b_dd};
                measure_precision<double>(c, "threads", s, m, edge, g);
                measure_precision<dd_real>(c, "threads", s, m, edge, g);
            }
        }
    }
}

}  // namespace

std::vector<int> edges_of_cubes(index_t most, int per_decade)
{
    std::vector<int> edges;
    for (int k = 0;; ++k) {
        const double step = static_cast<double>(k) / (3.0 * per_decade);
        const auto edge = static_cast<int>(std::lround(10 * std::pow(10.0, step)));
        if (index_t{edge} * edge * edge > most) return edges;
        if (edges.empty() || edge > edges.back()) edges.push_back(edge);
    }
}

std::vector<int> powers_of_two_and(int all)
{
    std::vector<int> numbers;
    for (int k = 1; k < all; k *= 2) numbers.push_back(k);
    numbers.push_back(all);
    return numbers;
}

void measure_scaling(const scaling_options& o)
{
    curve_bench c{.o = o};
    c.results = machine();
    c.results["place"] = o.at.is_host() ? "host" : "device";
    if (!o.at.is_host()) c.results["device"] = record_of_device();
    c.results["curve"] = json::array();
    write_results(o.json_file, c.results);  // or fail at once
    c.copy = copy_speed(c);
    measure_curve(c);
    if (!o.at.is_host()) return;
    measure_threads(c, o.threads.empty() ? powers_of_two_and(host_threads()) : o.threads);
}

}  // namespace bench
