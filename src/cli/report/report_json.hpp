// What the reports for programs have in common.
#pragma once

#include "ddla/report_json.hpp"

#include "files/json/json_value.hpp"

namespace ddla::cli {

using json = text::json_value;

json matrix_json(const reported_matrix& m);

/// A file name need not be UTF-8, but JSON is.
inline std::string text_of(const json& report)
{
    return report.text(2) + '\n';
}

}  // namespace ddla::cli
