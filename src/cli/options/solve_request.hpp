// What the options of `ddla solve` ask for, and the results.
#pragma once

#include "choices.hpp"
#include "format_choice.hpp"

#include "ddla/report_json.hpp"
#include "ddla/solve.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddla::cli {

/// What the command alone can do: tell the plan, and solve nothing.
struct plan_choices {
    bool dry_run = false, json = false;
};

template <class Visit, class... Like>
void describe(described<plan_choices>, const Visit& visit, Like&... c)
{
    using namespace about;
    visit(option<yes_or_no>{.name = "dry_run",
                            .help = "Print the stages of the solve, when each follows, its work "
                                    "and memory; solve nothing, write nothing"},
          c.dry_run...);
    visit(option<yes_or_no>{.name = "json", .help = "With --dry-run: print them as JSON"},
          c.json...);
}

/// `precond` is the one that was asked for, unless chooses_precond.
struct solve_request : matrix_choices, solve_options, plan_choices {
    std::string right_hand_side = "ones";  ///< or "A*ones", or a file
    bool names_right_hand_side = false;    ///< by --rhs
    std::optional<precision> rhs_values;   ///< how those of b are; empty: as those of A
    std::filesystem::path guess;           ///< empty: start from 0
    bool chooses_precond = false;          ///< --precond auto
    int solution_words = 2;                ///< of an x in double-double: 2, or 4 with a low part
    sparse_format format = sparse_format::automatic;
    std::filesystem::path output, report, history, plot;
    bool quiet = false, verbose = false;
    std::vector<std::string> given = {};  ///< the options of the command line: "--restart"

    bool has_given(std::string_view option) const
    {
        return std::find(given.begin(), given.end(), option) != given.end();
    }
    /// The one that was asked for.  auto: ILU(2); incomplete Cholesky factors where A must be
    /// positive definite; none where the plan has its own, for least squares, and where A may be
    /// indefinite.
    preconditioning used_precond() const
    {
        if (!chooses_precond) return precond;
        switch (matrix_kind_of(method)) {
        case matrix_kind::square:
            return preconditioning::ilu;
        case matrix_kind::positive_definite:
            return preconditioning::ic;
        case matrix_kind::symmetric:
        case matrix_kind::any_shape:
            break;
        }
        return preconditioning::none;
    }
    /// Least squares, too; corrections by iterations are of a square A.
    bool takes_any_matrix() const { return takes_any_shape(method) && !corrects_by_iterations(); }
    int wanted_digits() const { return digits.value_or(usual_digits); }
    /// refine with a preconditioner but lu.
    bool corrects_by_iterations() const
    {
        return method == ddla::method::refinement && !chooses_precond &&
               precond != preconditioning::none && precond != preconditioning::lu;
    }
    bool uses_factors() const
    {
        return method == ddla::method::automatic ||
               (method == ddla::method::refinement && !corrects_by_iterations());
    }
    /// How the decimal values of a file of b are rounded.
    precision values_of_b() const { return rhs_values.value_or(values); }
    bool right_hand_side_is_file() const
    {
        return right_hand_side != "ones" && right_hand_side != "A*ones";
    }
};

/// One solve of the request.
struct outcome {
    precision in;
    format_report format;
    solve_report report;
    /// Bytes a second of a copy with as much memory as the solve, at its place; 0: not measured.
    double copy_bandwidth = 0;
    /// Of several right-hand sides: of each.  `report` is that of the deciding_column.
    std::vector<solve_report> columns = {};
    double seconds = 0;  ///< of all of them
    /// Of an x in two words that is not what was asked for: the magnitudes of its components but
    /// zeros.  0: not known.
    double smallest_component = 0, largest_component = 0;

    /// The time of an iteration's bytes at that speed, as a fraction of its time; 0 if unknown.
    double share_of_copy() const { return ddla::share_of_copy(report, copy_bandwidth); }
};

struct solve_results {
    reported_matrix matrix = {};
    std::vector<read_file> read = {};  ///< the files, until they are in `matrix`
    std::vector<outcome> solves;       ///< fewer than asked for after an interrupt
    bool symmetric = true;             ///< of A; looked at when CG has failed
    std::string place_reason = {};     ///< with --place auto: why it was chosen
    std::exception_ptr failed_output;  ///< why --output is not there; told after the report
};

/// "ones", "A*ones", or the name of the file without its folder.
std::string right_hand_side_text(const solve_request& request);

/// Of several right-hand sides the first that was interrupted before it converged, else the first
/// that has not converged, else the last.
std::size_t deciding_column(const std::vector<solve_report>& columns);

/// The report for programs; numbers that are not finite become null.
std::string json_report(const solve_request& request, const solve_results& results);

/// precision,iteration,relative_residual; of several right-hand sides with their column.
std::string history_csv(const solve_results& results);

/// The residuals over the iteration, as a diagram.
std::string history_svg(const solve_request& request, const solve_results& results);

/// "FGMRES(50)"
std::string method_text(const solve_request& request);
/// "iteration limit", "interrupted"
std::string status_text(const solve_report& report);

/// The report for people, at most 80 columns wide: what they need first, with --verbose all.
std::string solve_table(const solve_request& request, const solve_results& results);

/// What is worth knowing, and what may help, a line each.
std::string solve_notes(const solve_request& request, const solve_results& results);

}  // namespace ddla::cli
