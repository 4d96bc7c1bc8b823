// The program ddla, without its main: tests call it, too.
#pragma once

namespace ddla::cli {

/// Parses the command line, runs the command, and returns the exit status of the process.  Never
/// throws: every failure is one line on std::cerr.
int run_ddla(int argc, char** argv);

/// See write_manual().
int write_manual_of_ddla(int argc, char** argv);

}  // namespace ddla::cli
