// What a shell can complete on the command line of ddla, taken from the definition of its options.
#pragma once

#include "command_line.hpp"

#include <string>
#include <vector>

namespace ddla::cli {

/// What may stand for the value of an option, or for an argument.
struct completed_value {
    std::vector<std::string> words;
    bool is_file = false;

    bool is_known() const { return is_file || !words.empty(); }
};

struct completed_option {
    std::vector<std::string> names;  ///< "-h", "--help"
    bool takes_value = false;
    completed_value value;
    std::string label, help;  ///< one line each
};

/// A program or a command, with its own commands.
struct completed_command {
    std::string name, help;
    std::vector<completed_option> options;
    std::vector<completed_option> arguments;  ///< by their places
    std::vector<completed_command> commands;
};

completed_command completion_of(const CLI::App& app);

/// A script for the shell, which offers commands, options and their values.
std::string bash_completion(const completed_command& program);
std::string zsh_completion(const completed_command& program);

}  // namespace ddla::cli
