// Options of the library as those of a command, from their descriptions (ddla/describe.hpp): name,
// parsing, refusals, help, default, and through them what shells complete.
#pragma once

#include "cli/shell/arguments.hpp"

#include "ddla/describe.hpp"

#include <algorithm>
#include <concepts>
#include <string>

namespace ddla::cli {

/// "--max-iterations"
template <class Values>
std::string dashed_name(const about::option<Values>& about)
{
    std::string name(about.command.empty() ? about.name : about.command);
    std::replace(name.begin(), name.end(), '_', '-');
    return "--" + name;
}

/// Parsers of what an option takes: see add_option().
std::function<index_t(const std::string&, const std::string&)>
parser_of(const about::whole_numbers& all);
std::function<double(const std::string&, const std::string&)> parser_of(const about::numbers& all);
template <class E>
one_of<E> parser_of(const about::names<E>&)
{
    return one_of<E>(names_of(E()));
}
/// Of what is on unless it is switched off.
one_of<bool> parser_of(const about::yes_or_no&);

std::string text_of_preset(double x);
inline std::string text_of_preset(bool x)
{
    return x ? "auto" : "none";
}
template <std::integral I>
std::string text_of_preset(I x)
{
    return std::to_string(x);
}
template <class E>
requires std::is_enum_v<E> std::string text_of_preset(E x)
{
    for (const auto& [name, value] : names_of(x))
        if (value == x) return std::string(name);
    return "";
}
template <class X>
std::string text_of_preset(const std::optional<X>& x)
{
    return x ? text_of_preset(*x) : "";
}

/// The help of an option, in lines: who looks at it, the sentence, the default.
std::string described_help(std::string_view of, std::string_view sentence,
                           const std::string& preset);

template <class Values, class Preset>
std::string help_of(const about::option<Values>& about, const Preset& preset)
{
    const bool in_words = !about.preset.empty();
    return described_help(about.read_by, about.help,
                          in_words ? std::string(about.preset) : text_of_preset(preset));
}

/// Nothing for options that the command has not.
template <class Values, class Field, class Preset>
void add_described(CLI::App& app, const about::option<Values>& about, Field& field,
                   const Preset& preset)
{
    if (!about.not_in_command.empty()) return;
    if constexpr (std::is_same_v<Values, about::ends_of_parts>) {
        throw internal_error("no command takes lists");
    } else {
        if constexpr (std::is_same_v<Values, about::yes_or_no>)
            if (!preset) {
                add_flag(app, dashed_name(about), field,
                         described_help(about.read_by, about.help, ""));
                return;
            }
        const auto parse = parser_of(about.in_command.value_or(about.values));
        std::string label(about.label);
        if constexpr (requires { parse.joined("|"); })
            if (label.empty()) label = parse.joined("|");
        add_option(app, dashed_name(about), field, parse, label, help_of(about, preset));
    }
}

/// All options of a struct, for fields of the same names in `to`; the defaults are those of the
/// struct.
template <class Options, class To>
void add_described_options(CLI::App& app, To& to)
{
    const Options presets;
    describe(
        described<Options>(),
        [&](const auto& about, auto& field, const auto& preset) {
            add_described(app, about, field, preset);
        },
        to, presets);
}

}  // namespace ddla::cli
