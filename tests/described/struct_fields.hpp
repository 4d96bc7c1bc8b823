// The fields of structs as the headers have them: read from their text, not from the descriptions.
#pragma once

#include "ddla/ddla.hpp"
#include "ddla/plan.hpp"
#include "ddla/report_json.hpp"

#include <cmath>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

namespace described_test {

using words = std::vector<std::string>;

/// The text of a file of this repository.
std::string source(const std::string& path);

/// Of "struct NAME {" in a header of C++, or of "} NAME;" in C, in their order.
words fields_of_cpp(const std::string& path, const std::string& name);
words fields_of_c(const std::string& name);
/// The components of "type, bind(C) :: NAME" in Fortran.
words fields_of_fortran(const std::string& path, const std::string& name);
/// The arguments of "subroutine NAME(".
words arguments_of_fortran(const std::string& path, const std::string& name);

/// What the test looks at of an option's description.
struct described_option {
    std::string name, in_command, help, preset;
    std::string not_in_command, not_in_fortran, not_in_python;
};

/// "0.001", "1e-12"
inline std::string plain_number(double x)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.15g", x);
    return text;
}

template <class X>
std::string text_of(const X& x)
{
    if constexpr (requires { x.has_value(); })
        return "";
    else if constexpr (std::is_same_v<X, bool>)
        return x ? "auto" : "";
    else if constexpr (std::is_enum_v<X>)
        return std::string(ddla::name_of(x));
    else if constexpr (std::is_floating_point_v<X>)
        return std::isfinite(x) ? plain_number(x) : "";
    else if constexpr (std::is_integral_v<X>)
        return std::to_string(x);
    else
        return "";
}

template <class Options>
std::vector<described_option> options_of()
{
    std::vector<described_option> all;
    const Options o;
    describe(
        ddla::described<Options>(),
        [&](const auto& about, const auto& value) {
            const std::string preset =
                about.preset.empty() ? text_of(value) : std::string(about.preset);
            std::string dashed(about.command.empty() ? about.name : about.command);
            for (char& c : dashed) c = c == '_' ? '-' : c;
            all.push_back({std::string(about.name), "--" + dashed, std::string(about.help), preset,
                           std::string(about.not_in_command), std::string(about.not_in_fortran),
                           std::string(about.not_in_python)});
        },
        o);
    return all;
}

template <class Struct>
words names_of_fields()
{
    words all;
    const Struct s{};
    describe(
        ddla::described<Struct>(),
        [&](const auto& about, const auto&) { all.emplace_back(about.name); }, s);
    return all;
}

/// Sorted: `all` and `more`.
std::set<std::string> joined(const words& all, const words& more);
std::set<std::string> set_of(const words& all);

}  // namespace described_test
