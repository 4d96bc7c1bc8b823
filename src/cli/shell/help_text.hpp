// The layout of the help.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace ddla::cli {

/// CLI11's layout in 80 columns, without the brackets around a command that must be there.
class help_text : public CLI::Formatter {
public:
    /// `command`: what the usage line calls a subcommand.
    explicit help_text(const std::string& command)
    {
        column_width(26);
        label("SUBCOMMAND", command);
        label("Positionals", "Arguments");
    }
    std::string make_usage(const CLI::App* app, std::string name) const override
    {
        const std::string command = get_label("SUBCOMMAND");
        return CLI::detail::find_and_replace(CLI::Formatter::make_usage(app, name),
                                             "[" + command + "]", command);
    }
};

}  // namespace ddla::cli
