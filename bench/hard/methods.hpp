// The programs that solve the same hard systems: ddla and others, one thread each.
#pragma once

#include "ddla/csr_matrix.hpp"
#include "ddla/dd_real.hpp"

#include "support/processor_time.hpp"

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

using bench::processor_seconds;

/// Of a factorisation.
inline constexpr bench::repeats up_to_ten{.least = 1, .most = 10, .seconds = 0.3};

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
