// The program ddla, without its main: tests call it, too.
#pragma once

#include <string>

namespace ddla::cli {

/// Parses the command line, runs the command, and returns the exit status of the process.  Never
/// throws: every failure is one line on std::cerr.
int run_ddla(int argc, char** argv);

/// The manual page with all options: see completed_manual().
std::string manual_of_ddla(const std::string& page);

}  // namespace ddla::cli
