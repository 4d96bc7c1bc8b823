// The options of ddla-validate.
#pragma once

#include "cli/options/solve_request.hpp"
#include "validation.hpp"

#include <CLI/CLI.hpp>

namespace ddla::validate {

struct validate_request : cli::solve_request {
    std::filesystem::path solution, html;
    int right_digits = 6;
    reference_limits limits;
    double max_memory = 0;  ///< GiB; 0: half of the machine's
};

void add_options(CLI::App& app, validate_request& r);

}  // namespace ddla::validate
