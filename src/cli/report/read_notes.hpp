// What the files of a system lost when they were read, for people.
#pragma once

#include "cli/options/choices.hpp"

#include "ddla/report_json.hpp"

namespace ddla::cli {

/// "Read: 1 value of a.mtx …", a sentence for each kind of loss, in lines of at most 80
/// characters; empty if nothing was lost.
std::string read_notes(const std::vector<read_file>& files);

}  // namespace ddla::cli
