// The manual page: its prose is docs/ddla.1, and options that this does not name come from the
// definition of the command.
#pragma once

#include "completion.hpp"

#include <string>

namespace ddla::cli {

/// The page with an item for each option that it does not name, at the line
///     .\" further options of COMMAND
/// of its command.  Throws internal_error where a command with such options has no such line.
std::string completed_manual(const std::string& page, const completed_command& program);

}  // namespace ddla::cli
