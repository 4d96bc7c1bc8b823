// Reports for programs: the JSON that `ddla solve --report` and `ddla check --report` write.
//
//     ddla::solve_report report = ddla::solve(a, b, x);
//     std::cout << ddla::report_json(ddla::reported(a), {{.report = report}});
//
// Numbers that are not finite, or not known, are null.  docs/ddla.1 says what the fields mean.
#pragma once

#include "check.hpp"
#include "read_losses.hpp"
#include "sparse_format.hpp"

#include <string>
#include <vector>

namespace ddla {

/// A file of the system, and what its values lost.
struct read_file {
    std::string role;  ///< "matrix", "right_hand_side", "guess", "solution"
    std::string file;
    read_losses lost;
};

/// Not described: what it lost, which is a struct itself.
template <class Visit, class... Like>
void describe(described<read_file>, const Visit& visit, Like&... f)
{
    using namespace about;
    visit(field{"role"}, f.role...);
    visit(field{"file"}, f.file...);
}

struct reported_matrix {
    index_t rows = 0, columns = 0, nonzeros = 0;
    std::string file = {};             ///< empty: null.  What is not UTF-8 is replaced.
    bool is_complex = false;           ///< the real form of a complex matrix (complex.hpp)
    std::vector<read_file> read = {};  ///< all files that were read
};

/// Not described: the files.
template <class Visit, class... Like>
void describe(described<reported_matrix>, const Visit& visit, Like&... a)
{
    using namespace about;
    visit(field{"rows"}, a.rows...);
    visit(field{"columns"}, a.columns...);
    visit(field{"nonzeros"}, a.nonzeros...);
    visit(field{.name = "is_complex", .json = "complex"}, a.is_complex...);
    visit(field{"file"}, a.file...);
}
template <scalar V>
reported_matrix reported(const csr_matrix<V>& a)
{
    return {a.rows(), a.columns(), a.nonzeros()};
}

/// A report, and what was asked for.
struct reported_solve {
    solve_report report;
    std::string precision = "dd";  ///< "double", "dd"
    ddla::method method = method::automatic;
    std::string preconditioner = "none";
    format_report format = {};
    std::optional<double> tolerance = {};
    bool normwise = false;
    double copy_bandwidth = 0;      ///< as copy_bandwidth_of() measures; 0: not measured
    std::string place_reason = {};  ///< why it was done there; empty: null
    /// Of several right-hand sides: of each.  `report` is then the one that the caller cares for.
    std::vector<solve_report> columns = {};
};

/// The time of an iteration's bytes at that bandwidth, as a fraction of its time; 0 if unknown.
inline double share_of_copy(const solve_report& r, double copy_bandwidth)
{
    const double time = r.seconds_per_iteration() * copy_bandwidth;
    return time > 0 ? static_cast<double>(r.bytes_per_iteration) / time : 0;
}

/// The solves of one system, as one document that ends with a line break.
std::string report_json(const reported_matrix& a, const std::vector<reported_solve>& solves);

struct reported_check {
    solution_check found;
    int digits = 6;
    bool normwise = false;
    std::string solution = {};  ///< the file of x; empty: null
    int solution_words = 2;     ///< 4: of an x in four words
};

std::string report_json(const reported_matrix& a, const reported_check& check);

/// "PASS: 14.2 digits are right in each component, as estimated; 6 were asked for."
std::string verdict(const solution_check& found, int digits, bool normwise);

}  // namespace ddla
