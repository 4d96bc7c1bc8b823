// What the reports for programs have in common.
#pragma once

#include "ddla/report_json.hpp"
#include "ddla/tune.hpp"

#include "files/json/described_json.hpp"

namespace ddla::cli {

using text::fields_json;
using text::json;
using text::json_of;
using text::text_json;
using text::text_of;

/// A format and its product; of one that was not measured, why.  `bandwidth` is that of copies.
json format_json(const measured_format& m, index_t entries, double bandwidth);

}  // namespace ddla::cli
