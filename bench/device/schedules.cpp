// How sweeps are best cut into blocks and threads: for work on the device backend.
//
//     bench_schedules vectors|products|threads|solvers|small|middle|sequences ...    times in
//     microseconds
#include "support/data.hpp"
#include "support/generators.hpp"
#include "support/program.hpp"
#include "support/timing.hpp"

#include "ddla/generate.hpp"
#include "ddla/sparse_format.hpp"
#include "ddla/stream.hpp"
#include "device/schedule/schedule.hpp"

#include <map>
#include <string>

namespace {

using namespace ddla;
using device_backend::choose_schedule;

/// What is timed: all calls from here on have this schedule.
struct timed {
    explicit timed(const device_backend::schedule& wanted) { choose_schedule(wanted); }
    bench::cuda_stream native{};
    stream on{bench::there, native};
};

template <class T>
void vector_times(index_t n, const device_backend::schedule& wanted)
{
    timed t(wanted);
    const auto x = bench::random_vector<T>(n, 1);
    auto y = bench::random_vector<T>(n, 2);
    const buffer result(sizeof(T), bench::there);
    T* const q = static_cast<T*>(result.data());
    const auto time = [&](const auto& f) { return bench::microseconds(t.native, f); };
    const vec<const T> cx = x.view(), cy = y.view();
    std::printf("  %s dot %.1f axpy %.1f nrm2 %.1f", number_traits<T>::name_in_text,
                time([&] { dot(t.on, cx, cy, q); }),
                time([&] { axpy(t.on, T(1e-9), cx, y.view()); }), time([&] { nrm2(t.on, cx, q); }));
}

void vectors()
{
    for (const int e : {16, 18, 20, 22, 26})
        for (const index_t from : {index_t(1), INT64_MAX})
            for (const int each : {1, 8, 16, 32, 64}) {
                if (from > 1 && each > 8) continue;
                std::printf("2^%d %s, %3d tiles a block:", e,
                            from == 1 ? "warp a tile " : "block a tile", each);
                vector_times<double>(index_t(1) << e, {each, from, 0});
                vector_times<dd_real>(index_t(1) << e, {each, from, 0});
                std::printf("\n");
            }
}

template <class T>
double product_time(const csr<double>& a, const device_backend::schedule& wanted)
{
    timed t(wanted);
    const auto x = bench::random_vector<T>(a.columns, 1);
    vector<T> y(a.rows, bench::there);
    return bench::microseconds(t.native, [&] { spmv(t.on, T(1), a, x.view(), T(0), y.view()); });
}

void show_products(const char* name, const csr_matrix<double>& a)
{
    std::printf("%s (1, 2, 4 tiles a block)\n  double       ", name);
    for (const int each : {1, 2, 4}) std::printf(" %8.1f", product_time<double>(a.view(), {each}));
    std::printf("\n  double-double");
    for (const int each : {1, 2, 4}) std::printf(" %8.1f", product_time<dd_real>(a.view(), {each}));
    std::printf("\n");
}

void products()
{
    bench::cubes cube;
    for (const int size : {32, 64, 128})
        show_products(("7-point " + std::to_string(size) + "^3").c_str(), cube(size));
    show_products("random 1M x 21", generate::random(1000000, 21, 0.1, 1).to(bench::there));
    show_products("skewed 1M x 11", generate::skewed(1000000, 11, 1.0, 1).to(bench::there));
}

/// Products of compressed rows as they come, with 1 to 32 threads a row, and as it is chosen.
template <class T>
void show_threads_of_rows(const csr<double>& a)
{
    std::printf("  %-13s", number_traits<T>::name_in_text);
    for (const int threads : {-1, 1, 2, 4, 8, 16, 32, 0})
        std::printf(" %7.1f", product_time<T>(a, {.threads_per_row = threads}));
    std::printf("\n");
}
void show_threads(const std::string& name, const csr_matrix<double>& a)
{
    std::printf("%s, %.1f a row\n", name.c_str(), double(a.nonzeros()) / double(a.rows()));
    show_threads_of_rows<double>(a.view());
    show_threads_of_rows<dd_real>(a.view());
}

void threads()
{
    bench::cubes cube;
    for (const int size : {16, 22, 32, 40, 50, 64, 80, 100})
        show_threads("7-point " + std::to_string(size) + "^3", cube(size));
    for (const int rows : {1000, 4000, 16000, 32000, 64000, 130000, 260000, 520000})
        for (const int each : {3, 8, 21, 60})
            show_threads("random " + std::to_string(rows) + " x " + std::to_string(each),
                         generate::random(rows, each, 0.1, 1).to(bench::there));
    for (const int rows : {10000, 50000, 250000})
        for (const int each : {9, 33})
            show_threads("band " + std::to_string(each) + ", " + std::to_string(rows),
                         bench::banded(rows, each).to(bench::there));
}

template <class T>
double iteration_time(const csr_matrix<double>& a, const device_backend::schedule& wanted,
                      const solve_options& options = {
                          .method = ddla::method::bicgstab, .tolerance = 0, .max_iterations = 64})
{
    timed t(wanted);
    const auto b = bench::random_vector<T>(a.rows(), 4);
    return bench::median(5, [&] {
        vector<T> x(a.rows(), bench::there);
        const auto report = solve(t.on, a.view(), b.view(), x.view(), options);
        return report.seconds * 1e6 / static_cast<double>(report.iterations);
    });
}

void solvers()
{
    bench::cubes cube;
    const struct {
        const char* name;
        device_backend::schedule wanted;
    } all[] = {{"graph of 8", {0, 0, 0, -1}},
               {"no graph", {0, 0, 1, -1}},
               {"warp a tile", {0, 1, 0, -1, 0, -1}},
               {"block a tile", {0, 1000000, 0, -1, 0, -1}}};
    for (const int size : {22, 32, 64, 128}) {
        std::printf("BiCGStab 7-point %d^3:", size);
        for (const auto& [name, wanted] : all)
            std::printf("  %s: %.2f, %.2f", name, iteration_time<double>(cube(size), wanted),
                        iteration_time<dd_real>(cube(size), wanted));
        std::printf("\n");
    }
}

/// What an iteration adds to a solve: two solves, one of them longer.
template <class T>
double longer_time(const csr_matrix<double>& a, method with, const device_backend::schedule& wanted)
{
    const auto time = [&](int iterations) {
        return iterations * iteration_time<T>(a, wanted,
                                              {.method = with,
                                               .tolerance = 0,
                                               .max_iterations = iterations,
                                               .check_every = iterations});
    };
    return (time(120) - time(40)) / 80;
}

/// A schedule of the iterations of a system.
struct way {
    const char* name;
    device_backend::schedule wanted;
};
constexpr way resident{"resident", {}};
constexpr way a_graph{"graph", {.resident_tiles = -1}};

/// From compressed rows, and as a graph from what `auto` stores, if that is something else.
void show_ways(const std::string& name, const csr_matrix<double>& a,
               std::initializer_list<way> ways)
{
    csr_matrix<double> stored = a;
    set_format(stored);
    for (const method with : {method::bicgstab, method::cg}) {
        std::printf("%-18s %-8s", name.c_str(), std::string(to_string(with)).c_str());
        const auto show = [&](const char* how, const auto& matrix, const auto& wanted) {
            std::printf("  %s: %6.2f %6.2f", how, longer_time<double>(matrix, with, wanted),
                        longer_time<dd_real>(matrix, with, wanted));
        };
        for (const way& w : ways) show(w.name, a, w.wanted);
        if (format_of(stored).format != sparse_format::csr)
            show("graph, auto", stored, a_graph.wanted);
        std::printf("\n");
    }
}

void small()
{
    bench::cubes cube;
    for (const int size : {10, 16, 22, 25, 28, 32, 36, 40})
        show_ways("7-point " + std::to_string(size) + "^3", cube(size), {resident, a_graph});
    for (const int size : {10000, 30000})
        show_ways("random " + std::to_string(size) + " x 21",
                  generate::random(size, 21, 0.1, 1).to(bench::there), {resident, a_graph});
}

void middle()
{
    bench::cubes cube;
    for (const int size : {40, 46, 52, 60, 68, 77, 88, 100})
        show_ways("7-point " + std::to_string(size) + "^3", cube(size), {a_graph});
    for (const int size : {300, 500, 700, 1000})
        show_ways("5-point " + std::to_string(size) + "^2",
                  generate::poisson2d(size, size).to(bench::there), {a_graph});
    for (const int size : {70000, 150000, 300000})
        show_ways("random " + std::to_string(size) + " x 21",
                  generate::random(size, 21, 0.1, 1).to(bench::there), {a_graph});
}

/// The steps between two products in one kernel, and in one each, from what `auto` stores.
void show_sequences(const std::string& name, csr_matrix<double> a)
{
    set_format(a);
    for (const method with : {method::bicgstab, method::cg}) {
        std::printf("%-18s %-8s", name.c_str(), std::string(to_string(with)).c_str());
        for (const auto& [how, tiles] :
             {std::pair{"sequences", INT64_MAX}, {"a kernel each", INT64_C(-1)}}) {
            const device_backend::schedule wanted{.resident_tiles = -1, .sequence_tiles = tiles};
            std::printf("  %s: %7.2f %7.2f", how, longer_time<double>(a, with, wanted),
                        longer_time<dd_real>(a, with, wanted));
        }
        std::printf("\n");
    }
}

void sequences()
{
    bench::cubes cube;
    for (const int size : {16, 22, 27, 32, 40, 46, 60, 77, 100, 128, 160, 200, 250})
        show_sequences("7-point " + std::to_string(size) + "^3", cube(size));
}

}  // namespace

int main(int argc, char** argv)
{
    const std::map<std::string, void (*)()> all{
        {"vectors", vectors}, {"products", products}, {"threads", threads},    {"solvers", solvers},
        {"small", small},     {"middle", middle},     {"sequences", sequences}};
    std::vector<std::string> parts;
    CLI::App app("How sweeps are best cut into blocks and threads");
    app.add_option("parts", parts, "what is timed")->required()->check(CLI::IsMember(all));
    return bench::run_program("bench_schedules", app, argc, argv, [&] {
        for (const std::string& part : parts) all.at(part)();
        return 0;
    });
}
