#include "pardiso.hpp"

#include "support/processor_time.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace bench {
namespace {

constexpr repeats some{.least = 1, .most = 10, .seconds = 0.33};

struct library {
    void (*init)(void** pt, const int* type, int* iparm) = nullptr;
    void (*run)(void** pt, const int* maxfct, const int* mnum, const int* type, const int* phase,
                const int* n, const double* a, const int* ia, const int* ja, int* perm,
                const int* nrhs, int* iparm, const int* msglvl, double* b, double* x,
                int* error) = nullptr;

    library()
    {
        const char* const file = std::getenv("DDLA_BENCH_MKL");
        if (!file) return;
        void* const opened = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
        if (!opened) {
            std::fprintf(stderr, "DDLA_BENCH_MKL: %s\n", dlerror());
            std::exit(2);
        }
        init = reinterpret_cast<decltype(init)>(dlsym(opened, "pardisoinit"));
        run = reinterpret_cast<decltype(run)>(dlsym(opened, "pardiso"));
    }
};

/// A by rows; of a symmetric one the upper triangle.
struct rows_of_pardiso {
    std::vector<int> begin{0}, column;
    std::vector<double> value;

    rows_of_pardiso(const ddla::csr_matrix<double>& a, pardiso_kind kind)
    {
        const auto rows = a.view();
        for (ddla::index_t i = 0; i < a.rows(); ++i) {
            for (ddla::index_t e = rows.row_begin[i]; e < rows.row_begin[i + 1]; ++e) {
                if (kind != pardiso_kind::unsymmetric && rows.column[e] < i) continue;
                column.push_back(rows.column[e]);
                value.push_back(rows.value.get(e));
            }
            begin.push_back(static_cast<int>(column.size()));
        }
    }
};

double seconds_with(const library& mkl, const rows_of_pardiso& a, pardiso_kind kind, int ordering)
{
    void* pt[64] = {};
    int iparm[64] = {}, error = 0;
    const int type = static_cast<int>(kind), one = 1, silent = 0,
              n = static_cast<int>(a.begin.size()) - 1;
    mkl.init(pt, &type, iparm);
    iparm[1] = ordering;
    iparm[34] = 1;  // numbers from 0
    const auto phase = [&](int which) {
        int failed = 0;
        mkl.run(pt, &one, &one, &type, &which, &n, a.value.data(), a.begin.data(), a.column.data(),
                nullptr, &one, iparm, &silent, nullptr, nullptr, &failed);
        error = error != 0 ? error : failed;
    };
    const double seconds = least_time(
        some,
        [&] {
            phase(12);
            phase(-1);
        },
        wall_seconds);
    return error != 0 ? HUGE_VAL : seconds;
}

}  // namespace

double pardiso_seconds(const ddla::csr_matrix<double>& a, pardiso_kind kind)
{
    static const library mkl;
    if (!mkl.run) return HUGE_VAL;
    const rows_of_pardiso rows(a, kind);
    constexpr int minimum_degree = 0, metis = 2;
    return std::min(seconds_with(mkl, rows, kind, minimum_degree),
                    seconds_with(mkl, rows, kind, metis));
}

}  // namespace bench
