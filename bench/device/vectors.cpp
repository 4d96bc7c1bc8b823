// Copy bandwidth; dot, axpy and nrm2 beside cuBLAS.
#include "workbench.hpp"

#include "support/copy_time.hpp"
#include "support/timing.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace bench {

using namespace ddla;

namespace {

struct operation {
    const char* name;
    int vectors;  ///< read or written
};
constexpr std::array<operation, 3> operations{{{"dot", 2}, {"axpy", 3}, {"nrm2", 1}}};
using times = std::array<double, operations.size()>;

/// Small: y stays as it is over many axpys.
constexpr double factor = 1e-9;

template <class T>
struct arguments {
    vector<T> x, y;
    buffer result{sizeof(T), there}, factor_there{sizeof(T), there};

    explicit arguments(index_t n) : x(random_vector<T>(n, 1)), y(random_vector<T>(n, 2))
    {
        const T a(factor);
        copy_bytes(factor_there.data(), there, &a, host, sizeof a);
    }
    const T* factor_at() const { return static_cast<const T*>(factor_there.data()); }
    T* result_there() const { return static_cast<T*>(result.data()); }
    T read_result() const
    {
        T value;
        copy_bytes(&value, host, result.data(), there, sizeof value);
        return value;
    }
};

times of_cublas(workbench& w, arguments<double>& all, index_t n)
{
    const double* const x = all.x.view().word(0);
    double* const y = all.y.view().word(0);
    double* const result = all.result_there();
    const auto time = [&](const auto& f) { return microseconds(w.rivals.stream(), f); };
    w.rivals.scalars_on_device();
    return {time([&] { w.rivals.dot(n, x, y, result); }),
            time([&] { w.rivals.axpy(n, all.factor_at(), x, y); }),
            time([&] { w.rivals.nrm2(n, x, result); })};
}

template <scalar T>
times of_ddla(workbench& w, arguments<T>& all, index_t n)
{
    const vec<const T> x = std::as_const(all.x).view().part(0, n);
    const vec<T> y = all.y.view().part(0, n);
    const auto time = [&](const auto& f) { return microseconds(w.native, f); };
    return {time([&] { dot(w.on, x, y, all.result_there()); }),
            time([&] { axpy(w.on, all.factor_at(), x, y); }),
            time([&] { nrm2(w.on, x, all.result_there()); })};
}

void compare_dots(workbench& w, arguments<double>& all, index_t n)
{
    const vec<const double> x = all.x.view().part(0, n), y = all.y.view().part(0, n);
    const double mine = dot(w.on, x, y);
    w.rivals.dot(n, x.word(0), y.word(0), all.result_there());
    w.on.wait();
    const double theirs = all.read_result();
    w.agreements.require(std::abs(mine - theirs) <= 1e-13 * static_cast<double>(n),
                         "dot of " + std::to_string(n) + ": " + std::to_string(mine) +
                             " and, by cuBLAS, " + std::to_string(theirs));
}

/// One line of the table and three records.
void show(workbench& w, const operation& op, index_t n, double cublas, double in_double,
          double in_dd)
{
    const double bytes = 8.0 * op.vectors * static_cast<double>(n);
    const auto record = [&](const char* who, const char* precision, double us, int words) {
        w.results["vectors"].push_back({{"operation", op.name},
                                        {"n", n},
                                        {"who", who},
                                        {"precision", precision},
                                        {"microseconds", us},
                                        {"bytes", words * bytes},
                                        {"share_of_copy", words * bytes / us / w.copy_speed},
                                        {"time_to_cublas", us / cublas}});
    };
    record("cuBLAS", "double", cublas, 1);
    record("ddla", "double", in_double, 1);
    record("ddla", "double-double", in_dd, 2);
    const double full = bytes / w.copy_speed;
    std::printf("%-5s %9ld %10.3f | %8.2f %6.3f | %8.2f %6.3f %6.2f | %8.2f %6.3f %6.2f\n", op.name,
                static_cast<long>(n), bytes / 1e6, cublas, full / cublas, in_double,
                full / in_double, in_double / cublas, in_dd, 2 * full / in_dd, in_dd / cublas);
}

}  // namespace

void measure_copy(workbench& w)
{
    const copy_time copy = time_copy(w.native);
    w.copy_speed = copy.speed();
    w.results["copy"] = record_of(copy);
    std::printf("copy from device to device: %.0f GB/s (bytes read and written)\n\n",
                w.copy_speed / 1e3);
}

void measure_vectors(workbench& w)
{
    std::printf("Vectors: microseconds; share of the copy's bandwidth (above 1: from the cache); "
                "time / cuBLAS's time\n"
                "%-5s %9s %10s | %15s | %22s | %22s\n",
                "", "n", "MB double", "cuBLAS double", "ddla double", "ddla double-double");
    const int largest = w.quick ? 22 : 26;
    arguments<double> in_double(index_t{1} << largest);
    arguments<dd_real> in_dd(index_t{1} << largest);
    for (int e = 12; e <= largest; e += 2) {
        const index_t n = index_t{1} << e;
        const times theirs = of_cublas(w, in_double, n);
        const times mine = of_ddla(w, in_double, n), mine_dd = of_ddla(w, in_dd, n);
        compare_dots(w, in_double, n);
        for (std::size_t k = 0; k < operations.size(); ++k)
            show(w, operations[k], n, theirs[k], mine[k], mine_dd[k]);
    }
    std::printf("\n");
}

}  // namespace bench
