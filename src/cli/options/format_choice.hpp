// The format of the matrix of a command.
#pragma once

#include "cli/shell/command_line.hpp"

#include "ddla/sparse_format.hpp"

namespace ddla::cli {

/// --format
void add_format(CLI::App& app, sparse_format& target);

/// --format within --memory-limit
template <class Request>
format_options wanted_format(const Request& r)
{
    return {.format = r.format, .memory_limit = static_cast<std::size_t>(r.memory_limit)};
}

}  // namespace ddla::cli
