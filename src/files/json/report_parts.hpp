// What documents of JSON have in common.
#pragma once

#include "ddla/report_json.hpp"

#include "json_value.hpp"

#include <cmath>

namespace ddla::text {

/// null where it is not known, or not finite.
inline json_value number_json(const std::optional<double>& x)
{
    return x && std::isfinite(*x) ? json_value(*x) : json_value();
}

/// null for an empty one.
inline json_value text_json(const std::string& text)
{
    return text.empty() ? json_value() : json_value(text);
}

inline json_value matrix_json(const reported_matrix& a)
{
    return {{"rows", a.rows},
            {"columns", a.columns},
            {"nonzeros", a.nonzeros},
            {"complex", a.is_complex},
            {"file", text_json(a.file)}};
}

/// With a line break at its end.  A file name need not be UTF-8, but JSON is.
inline std::string text_of(const json_value& report)
{
    return report.text(2) + '\n';
}

}  // namespace ddla::text
