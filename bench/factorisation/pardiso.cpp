#include "pardiso.hpp"

#include "ddla/ddla.hpp"
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
        if (void* const opened = dlopen(file, RTLD_NOW | RTLD_GLOBAL)) {
            init = reinterpret_cast<decltype(init)>(dlsym(opened, "pardisoinit"));
            run = reinterpret_cast<decltype(run)>(dlsym(opened, "pardiso"));
        }
        if (!init || !run) {
            std::fprintf(stderr, "DDLA_BENCH_MKL: %s\n", dlerror());
            std::exit(2);
        }
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

/// What its users choose.
struct settings {
    int ordering;
    bool matches;  ///< and scales; of unsymmetric matrices it always does
};

class solver {
public:
    solver(const library& mkl, const ddla::csr_matrix<double>& a, pardiso_kind kind)
        : mkl_(mkl), a_(a), rows_(a, kind), kind_(kind), b_(a.rows(), 1.0), x_(a.rows())
    {
    }
    /// Infinity where it fails, or solves with a residual that is not small.
    double seconds(const settings& s)
    {
        error_ = 0;
        const double seconds = least_time(
            some,
            [&] {
                start(s);
                phase(12);
                phase(-1);
            },
            wall_seconds);
        start(s);
        phase(12);
        phase(33);
        phase(-1);
        constexpr double small = 1e-6;
        return error_ == 0 && ddla::true_residual(a_, x_, b_).relative < small ? seconds : HUGE_VAL;
    }

private:
    void start(const settings& s)
    {
        std::fill_n(pt_, 64, nullptr);
        const int type = static_cast<int>(kind_);
        mkl_.init(pt_, &type, iparm_);
        iparm_[1] = s.ordering;
        if (kind_ == pardiso_kind::symmetric) iparm_[10] = iparm_[12] = s.matches ? 1 : 0;
        iparm_[34] = 1;  // numbers from 0
    }
    void phase(int which)
    {
        int failed = 0;
        const int type = static_cast<int>(kind_), one = 1, silent = 0,
                  n = static_cast<int>(a_.rows());
        mkl_.run(pt_, &one, &one, &type, &which, &n, rows_.value.data(), rows_.begin.data(),
                 rows_.column.data(), nullptr, &one, iparm_, &silent, b_.view().word(0),
                 x_.view().word(0), &failed);
        error_ = error_ != 0 ? error_ : failed;
    }

    const library& mkl_;
    const ddla::csr_matrix<double>& a_;
    const rows_of_pardiso rows_;
    const pardiso_kind kind_;
    ddla::vector<double> b_, x_;
    void* pt_[64] = {};
    int iparm_[64] = {}, error_ = 0;
};

}  // namespace

double pardiso_seconds(const ddla::csr_matrix<double>& a, pardiso_kind kind)
{
    static const library mkl;
    if (!mkl.run) return HUGE_VAL;
    solver one(mkl, a, kind);
    constexpr int minimum_degree = 0, metis = 2;
    double best = HUGE_VAL;
    for (const int ordering : {minimum_degree, metis})
        for (const bool matches : {false, true})
            if (!matches || kind == pardiso_kind::symmetric)
                best = std::min(best, one.seconds({ordering, matches}));
    return best;
}

}  // namespace bench
