// The programs that solve the same hard systems: ddla and others, one thread each.
#pragma once

#include "ddla/csr_matrix.hpp"
#include "ddla/dd_real.hpp"

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace hard {

struct problem {
    const ddla::csr_matrix<double>& a;
    const ddla::vector<double>& b;
};

/// What a method says of its solve; plain data, kept in memory that two processes share.
struct outcome {
    bool finished = false;  ///< it returned, rightly or not
    bool claims = false;    ///< it says that x solves the system
    bool has_x = false;
    char status[120] = "";       ///< in its own words
    double seconds = -1;         ///< of the processor; all from the matrix in memory to x
    double factor_seconds = -1;  ///< of that, analysis and factorisation
    /// Its own estimate of the error of x; negative: none.  ddla: componentwise; SuperLU: FERR,
    /// normwise.
    double own_error = -1;
    double own_bytes = -1;       ///< memory by its own count; negative: it does not count
    double resident_before = 0;  ///< bytes of the process before the solve
};

struct method {
    std::string name;
    /// Fills `out`, and n elements from x on.  Runs in a process of its own: it may crash.
    std::function<void(const problem&, outcome& out, ddla::dd_real* x)> run;
};

/// Those that this program was built with.
std::vector<method> solvers();
/// Analysis and factorisation alone, in double: the least time of up to ten.
std::vector<method> factorisations();
/// COMMAND A.mtx b.mtx x.mtx, a program of somebody else; README.md has what it must do.
method external(const std::string& name, const std::string& command);
/// Names and versions of the others, and the names of those that are left out.
std::vector<std::string> versions();
std::vector<std::string> missing();

void set_status(outcome& out, const std::string& text);

/// Of the processor, by this thread: other work on the machine does not count.  The clock of the
/// process has steps of milliseconds on Linux while RLIMIT_CPU is set.
inline double seconds_now()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

/// The least time of up to ten calls, while they take less than 0.3 s together.
template <class F>
double best_time(const F& f)
{
    double best = 1e300, total = 0;
    for (int k = 0; k < 10 && total < 0.3; ++k) {
        const double begin = seconds_now();
        f();
        const double seconds = seconds_now() - begin;
        best = std::min(best, seconds);
        total += seconds;
    }
    return best;
}

/// A by columns, rows ascending, as the others want it.
struct int_columns {
    std::vector<int> begin, row;
    std::vector<double> value;
};
int_columns columns_of(const ddla::csr_matrix<double>& a);

// Each file of a library defines its part.
void run_umfpack(const problem&, outcome&, ddla::dd_real*);
void factor_umfpack(const problem&, outcome&, ddla::dd_real*);
void run_klu(const problem&, outcome&, ddla::dd_real*);
void factor_klu(const problem&, outcome&, ddla::dd_real*);
void run_superlu(const problem&, outcome&, ddla::dd_real*);
void run_lis(const problem&, outcome&, ddla::dd_real*);
std::string umfpack_version();
std::string klu_version();
std::string superlu_version();
std::string lis_version();

}  // namespace hard
