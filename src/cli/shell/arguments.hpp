// Option values: strict parsing, and messages that name the option and the value.
#pragma once

#include "command_line.hpp"

#include "ddla/error.hpp"
#include "ddla/option_names.hpp"
#include "ddla/views.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddla::cli {

[[noreturn]] void reject(const std::string& option, const std::string& value,
                         const std::string& wanted);

/// A parser of decimal integers from `low` to `high`.
std::function<index_t(const std::string& option, const std::string& value)>
integer_between(index_t low, index_t high);

/// A parser of numbers of bytes from `low` to `high`: decimal integers, or a number before K, M, G
/// or T, the powers of 1024: "512M", "1.5T".
std::function<index_t(const std::string& option, const std::string& value)>
bytes_between(index_t low, index_t high);

/// A parser of finite numbers for which `holds`; `wanted` ends "… is not ".
std::function<double(const std::string& option, const std::string& value)>
number_where(std::string wanted, std::function<bool(double)> holds);

/// A parser of words: each stands for a value.
template <class T>
struct one_of {
    std::vector<std::pair<std::string, T>> words;

    explicit one_of(std::vector<std::pair<std::string, T>> all) : words(std::move(all)) {}
    template <std::size_t N>
    explicit one_of(const named<T> (&all)[N])
    {
        for (const auto& [name, value] : all) words.emplace_back(name, value);
    }

    T operator()(const std::string& option, const std::string& value) const
    {
        for (const auto& [word, meaning] : words)
            if (word == value) return meaning;
        reject(option, value, "one of " + joined(", "));
    }
    std::string joined(const std::string& separator) const
    {
        std::string text;
        for (const auto& [word, meaning] : words) text += (text.empty() ? "" : separator) + word;
        return text;
    }
};

/// A file name; empty ones are mistakes of a script.
std::filesystem::path file_name(const std::string& option, const std::string& value);

/// The name of a file to read; - is the standard input.
std::filesystem::path input_file(const std::string& option, const std::string& value);
bool is_standard_input(const std::filesystem::path& file);

/// What completion offers for the values of a parser: words and `any_file` between bars, as in
/// "FILE|ones"; nothing for numbers.  Kept as the type name of an option, which the help never
/// shows.
inline constexpr const char* any_file = "FILE";
template <class Parse>
std::string values_of(const Parse& parse)
{
    if constexpr (requires { parse.joined("|"); })
        return parse.joined("|");
    else if constexpr (std::is_convertible_v<Parse, decltype(&file_name)>)
        return any_file;
    else
        return "";
}

/// Add an option, or a positional argument when `name` has no dash.  `label` shows in the help.
template <class T, class Parse>
CLI::Option* add_option(CLI::App& app, const std::string& name, T& target, Parse parse,
                        const std::string& label, const std::string& help)
{
    const auto take = [name, &target, parse](const std::string& value) {
        target = static_cast<T>(parse(name, value));
    };
    return add_text_option(app, name, take, label, values_of(parse), help);
}

/// Throws input_error unless the file is there to be read.
void require_readable(const std::filesystem::path& file);

}  // namespace ddla::cli
