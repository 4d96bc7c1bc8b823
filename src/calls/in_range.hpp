// Options are refused by what their descriptions (ddla/describe.hpp) say of their values.
#pragma once

#include "ddla/describe.hpp"
#include "ddla/error.hpp"
#include "ddla/text.hpp"

#include <concepts>
#include <string>

namespace ddla::api {

inline std::string text_of(std::floating_point auto x)
{
    return to_string(dd_real(x), 6);
}
inline std::string text_of(std::integral auto x)
{
    return std::to_string(x);
}

/// Whether `all`, as "ilu, ilut", has the name `one`, or is empty: then it means all names.
inline bool has_name(std::string_view all, std::string_view one)
{
    for (std::string_view rest = all; !rest.empty();) {
        const std::size_t comma = rest.find(", ");
        if (rest.substr(0, comma) == one) return true;
        rest = comma == std::string_view::npos ? "" : rest.substr(comma + 2);
    }
    return all.empty();
}

/// Throws input_error, naming the option, unless all options that `taker` looks at, a method or a
/// preconditioner, are within their ranges; without one all options.
template <class Options>
void require_in_range(const char* call, const Options& options, std::string_view taker = "")
{
    describe(
        described<Options>(),
        [&](const auto& about, const auto& value) {
            if (holds(about, value) || !(taker.empty() || has_name(about.read_by, taker))) return;
            const std::string wanted = std::string(call) + ": " + std::string(about.name) +
                                       " must be " + about.values.text();
            if constexpr (requires {
                              *value;
                              text_of(*value);
                          })
                throw input_error(wanted + ", not " + text_of(*value));
            else if constexpr (requires { text_of(value); })
                throw input_error(wanted + ", not " + text_of(value));
        },
        options);
}

}  // namespace ddla::api
