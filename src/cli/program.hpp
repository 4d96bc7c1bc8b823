// What the mains of the programs have in common: every failure is one line on the standard error
// output and an exit status (command.hpp).
#pragma once

#include "command.hpp"

namespace ddla::cli {

/// Parses the command line, then runs `work`.
/// Messages begin with the name of the program.  Without arguments: the help, and exit_bad_input.
int run_program(CLI::App& app, int argc, char** argv, const std::function<exit_status()>& work);

}  // namespace ddla::cli
