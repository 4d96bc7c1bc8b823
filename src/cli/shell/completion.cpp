// What a shell can complete, from the definition of the options.
#include "completion.hpp"

#include "arguments.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace ddla::cli {
namespace {

/// "FILE|ones": see values_of().
completed_value value_of(const std::string& text)
{
    completed_value value;
    for (const std::string& word : CLI::detail::split(text, '|')) {
        if (word == any_file)
            value.is_file = true;
        else if (!word.empty())
            value.words.push_back(word);
    }
    return value;
}

std::string in_one_line(std::string text)
{
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

completed_option option_of(const CLI::Option& o)
{
    completed_option option;
    for (const std::string& name : o.get_snames()) option.names.push_back("-" + name);
    for (const std::string& name : o.get_lnames()) option.names.push_back("--" + name);
    option.takes_value = o.get_items_expected_max() > 0;
    if (option.takes_value) option.value = value_of(o.get_type_name());
    option.label = o.get_positional() ? o.get_name(true) : o.get_option_text();
    option.help = in_one_line(o.get_description());
    return option;
}

}  // namespace

completed_command completion_of(const CLI::App& app)
{
    completed_command command{app.get_name(), in_one_line(app.get_description()), {}, {}, {}};
    for (const CLI::Option* o : app.get_options())
        (o->get_positional() ? command.arguments : command.options).push_back(option_of(*o));
    for (const CLI::App* c : app.get_subcommands({})) command.commands.push_back(completion_of(*c));
    return command;
}

}  // namespace ddla::cli
