// What commands add to the command line, without CLI11's headers: they take the compiler four
// seconds, in each file that includes them.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace ddla::cli {

CLI::App* add_command(CLI::App& app, const std::string& name, const std::string& what);
/// Below the options of the help.
void add_footer(CLI::App& app, const std::string& text);
void add_flag(CLI::App& app, const std::string& name, bool& target, const std::string& help);

/// An option, or a positional argument when `name` has no dash, whose text `take` gets.  `label`
/// shows in the help; what completion offers stands in `values`, as values_of() has it.
CLI::Option* add_text_option(CLI::App& app, const std::string& name,
                             std::function<void(const std::string&)> take, const std::string& label,
                             const std::string& values, const std::string& help);
void require(CLI::Option* option);
std::vector<std::string> names_of_commands(const CLI::App& app);
/// The names of the options that the user gave, once the command line was parsed.
std::vector<std::string> given_options(const CLI::App& app);

}  // namespace ddla::cli
