// What the reports for programs have in common.
#pragma once

#include "ddla/report_json.hpp"

#include <nlohmann/json.hpp>

namespace ddla::cli {

using json = nlohmann::ordered_json;

json matrix_json(const reported_matrix& m);

/// A file name need not be UTF-8, but JSON must.
inline std::string text_of(const json& report)
{
    return report.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace ddla::cli
