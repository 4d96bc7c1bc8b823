// The format of the matrix of a command.
#include "format_choice.hpp"

#include "cli/shell/arguments.hpp"
#include "cli/shell/text_format.hpp"

#include <CLI/CLI.hpp>

namespace ddla::cli {
namespace {

/// Those of the library, and auto.
std::vector<std::pair<std::string, sparse_format>> format_words()
{
    using f = sparse_format;
    std::vector<std::pair<std::string, f>> words{
        {std::string(to_string(f::automatic)), f::automatic}};
    for (const f format : all_sparse_formats())
        words.emplace_back(std::string(to_string(format)), format);
    return words;
}

}  // namespace

void add_format(CLI::App& app, sparse_format& target)
{
    std::string help = "How A is stored: auto (by its rows; ddla tune measures)";
    for (const sparse_format f : all_sparse_formats()) help += ", " + std::string(to_string(f));
    const auto parse = [](const std::string& option, const std::string& value) {
        if (const std::string advice = advice_on_removed_format(value); !advice.empty())
            throw input_error(option + ": " + advice);
        return one_of(format_words())(option, value);
    };
    add_option(app, "--format", target, parse, "NAME", wrapped(help + "; never changes a bit", 52))
        ->type_name(one_of(format_words()).joined("|"));
}

}  // namespace ddla::cli
