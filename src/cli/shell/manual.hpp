// The manual page: its prose is docs/ddla.1, and options that this does not name come from the
// definition of the command.
#pragma once

#include "completion.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ddla::cli {

/// The page with an item for each option that it does not name, at the line
///     .\" further options of COMMAND
/// of its command, or program.  Throws internal_error where a command with such options has no such
/// line.
std::string completed_manual(const std::string& page, const completed_command& program);

/// Values of an option, each with what it is: "cg", "for symmetric positive definite matrices".
struct described_values {
    std::string place;  ///< the line of the page after its last one: `.\" further methods`
    std::vector<std::pair<std::string, std::string>> all;
};

/// The page with an item for each value that it has none for.  Throws internal_error if it has no
/// place for one.
std::string with_values(const std::string& page, const described_values& values);

/// The main of a program that prints the page in the file argv[1], completed; 0, or why not.
int write_manual(int argc, char** argv, const completed_command& program,
                 const std::vector<described_values>& values = {});

}  // namespace ddla::cli
