// The manual page: its prose is docs/ddla.1, and options that this does not name come from the
// definition of the command.
#pragma once

#include "completion.hpp"

#include <string>

namespace ddla::cli {

/// The page with an item for each option that it does not name, at the line
///     .\" further options of COMMAND
/// of its command, or program.  Throws internal_error where a command with such options has no such
/// line.
std::string completed_manual(const std::string& page, const completed_command& program);

/// The main of a program that prints the page in the file argv[1], completed; 0, or why not.
int write_manual(int argc, char** argv, const completed_command& program);

}  // namespace ddla::cli
