// ddla help: what --help prints, of the program or of a command.
#include "cli/shell/command.hpp"

#include "cli/shell/command_line.hpp"
#include "cli/shell/suggestion.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace ddla::cli {
namespace {

/// Null if there is none.
const CLI::App* command_of(const CLI::App& app, const std::string& name)
{
    for (const CLI::App* command : app.get_subcommands({}))
        if (command->get_name() == name) return command;
    return nullptr;
}

/// The help that `ddla NAMES... --help` prints.
exit_status print_help(const CLI::App& program, const std::vector<std::string>& names)
{
    const CLI::App* app = &program;
    std::string before;
    for (const std::string& name : names) {
        const CLI::App* const next = command_of(*app, name);
        if (next == nullptr) {
            const std::vector<std::string> known = names_of_commands(*app);
            if (known.empty())
                throw input_error("help: \"" + name + "\" is too much: " + app->get_name() +
                                  " has no commands of its own");
            throw input_error("help: \"" + name + "\" is no command" + suggestion(name, known) +
                              " (see " + before + app->get_name() + " --help)");
        }
        before += app->get_name() + " ";
        app = next;
    }
    // Not app->help(), which is that of the command that was given: of this one.
    std::cout << app->get_formatter()->make_help(app, before + app->get_name(),
                                                 CLI::AppFormatMode::Normal);
    return exit_converged;
}

}  // namespace

command add_help_command(CLI::App& app)
{
    CLI::App* help = add_command(app, "help", "Describe a command, as its --help does.");
    const auto names = std::make_shared<std::vector<std::string>>();
    std::string words;
    for (const std::string& name : names_of_commands(app))
        if (name != "help") words += (words.empty() ? "" : "|") + name;
    help->add_option("COMMAND", *names, "The command; none: all of them")
        ->option_text(" ")
        ->type_name(words);
    add_footer(*help, "Examples:\n"
                      "  ddla help\n"
                      "  ddla help solve\n"
                      "  ddla help generate toeplitz");
    return {help, [&app, names] { return print_help(app, *names); }};
}

}  // namespace ddla::cli
