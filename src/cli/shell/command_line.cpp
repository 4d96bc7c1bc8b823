#include "command_line.hpp"

#include <CLI/CLI.hpp>

namespace ddla::cli {

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& what)
{
    return app.add_subcommand(name, what);
}
void add_footer(CLI::App& app, const std::string& text)
{
    app.footer(text);
}
void add_flag(CLI::App& app, const std::string& name, bool& target, const std::string& help)
{
    app.add_flag(name, target, help);
}

CLI::Option* add_text_option(CLI::App& app, const std::string& name,
                             std::function<void(const std::string&)> take, const std::string& label,
                             const std::string& values, const std::string& help)
{
    return app.add_option_function<std::string>(name, take, help)
        ->option_text(label.empty() ? " " : label)
        ->type_name(values);
}
void require(CLI::Option* option)
{
    option->required();
}
std::vector<std::string> names_of_commands(const CLI::App& app)
{
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    return names;
}
std::vector<std::string> given_options(const CLI::App& app)
{
    std::vector<std::string> given;
    for (const CLI::Option* option : app.get_options())
        if (option->count() > 0) given.push_back(option->get_name());
    return given;
}

}  // namespace ddla::cli
