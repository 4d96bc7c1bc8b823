// The commands of ddla: each adds its options to the command line and hands back what to run.
#pragma once

#include "command_line.hpp"

#include "ddla/error.hpp"

#include <functional>
#include <string>
#include <utility>

namespace ddla::cli {

/// A failure of the machine, and what to try next.
struct advised_error : resource_error {
    std::string advice;

    advised_error(const std::string& what, std::string what_next)
        : resource_error(what), advice(std::move(what_next))
    {
    }
};

/// What the caller gave is wrong, and what to try next.
struct advised_input_error : input_error {
    std::string advice;

    advised_input_error(const std::string& what, std::string what_next)
        : input_error(what), advice(std::move(what_next))
    {
    }
};

/// The exit status of the process.
enum exit_status : int {
    exit_converged = 0,      ///< done; a solve has converged
    exit_not_converged = 1,  ///< a solve ended without converging, or an interrupt ended the work
    exit_bad_input = 2,      ///< the options or the files are wrong
    exit_failure = 3,        ///< the machine or ddla itself failed
};

struct command {
    CLI::App* app;
    std::function<exit_status()> run;
};

command add_solve_command(CLI::App& app);
command add_check_command(CLI::App& app);
command add_tune_command(CLI::App& app);
command add_spmv_command(CLI::App& app);
command add_info_command(CLI::App& app);
command add_generate_command(CLI::App& app);
command add_convert_command(CLI::App& app);
command add_devices_command(CLI::App& app);
/// Of all commands that `app` has, which must outlive it.
command add_help_command(CLI::App& app);
/// Of all commands of `app`, which must outlive it.
command add_completion_command(CLI::App& app);

}  // namespace ddla::cli
