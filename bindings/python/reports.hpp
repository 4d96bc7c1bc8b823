// What every solve returns beside x: the history, and the report as JSON.
#pragma once

#include "arrays.hpp"

#include "ddla/report_json.hpp"

#include <utility>

namespace ddla::python {

template <scalar T>
std::pair<words_out, std::string> reported_parts(const reported_matrix& about,
                                                 solve_report&& report, const solve_options& o,
                                                 const std::string& precond)
{
    reported_solve s{.report = std::move(report)};
    s.precision = number_traits<T>::name;
    s.method = o.method;
    s.preconditioner = precond;
    s.tolerance = o.tolerance;
    s.normwise = o.normwise;
    const std::vector<double>& residuals = s.report.history;
    words_out history = new_words(1, static_cast<index_t>(residuals.size()));
    std::copy(residuals.begin(), residuals.end(), history.data());
    return {history, report_json(about, {s})};
}

}  // namespace ddla::python
