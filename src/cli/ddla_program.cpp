// The commands of ddla, and what runs the one that was given.
#include "ddla_program.hpp"

#include "cli/shell/help_text.hpp"
#include "cli/shell/manual.hpp"
#include "cli/shell/program.hpp"
#include "cli/shell/ranks.hpp"

#include "ddla/error.hpp"
#include "ddla/solve_options.hpp"
#include "ddla/version.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <memory>

namespace ddla::cli {
namespace {

struct program {
    CLI::App app{"Sparse linear systems in double and double-double precision.", "ddla"};
    std::array<command, 10> commands;

    program()
    {
        app.set_help_flag("-h,--help", "Print this help and exit");
        app.set_version_flag("--version", "ddla " DDLA_VERSION);
        app.formatter(std::make_shared<help_text>("COMMAND"));
        app.require_subcommand(0, 1);
        commands = {add_solve_command(app),   add_check_command(app),   add_tune_command(app),
                    add_spmv_command(app),    add_info_command(app),    add_generate_command(app),
                    add_convert_command(app), add_devices_command(app), add_completion_command(app),
                    add_help_command(app)};
        for (const command& c : commands) c.app->group("Commands");
        app.footer("Examples:\n"
                   "  ddla generate toeplitz 1000 --gamma 1.5 --output a.mtx\n"
                   "  ddla info a.mtx\n"
                   "  ddla solve a.mtx\n"
                   "  ddla check a.mtx x.mtx\n\n"
                   "ddla help COMMAND and ddla COMMAND --help describe a command.\n"
                   "Exit status: 0 done or converged, 1 not converged, 2 bad usage or input,\n"
                   "3 internal or resource failure.");
    }

    static exit_status run(const command& c)
    {
        const auto& ranks = ranks_of_command();
        if (ranks && ranks->size() > 1 && c.app->get_name() != "solve")
            throw input_error(c.app->get_name() + " runs on one rank, and mpirun has started " +
                              std::to_string(ranks->size()));
        return c.run();
    }
    exit_status run() const
    {
        for (const command& c : commands)
            if (c.app->parsed()) return run(c);
        throw input_error(
            "a command is missing: solve, check, tune, spmv, info, generate, devices or "
            "completion");
    }
};

std::string_view matrices_of(matrix_kind kind)
{
    switch (kind) {
    case matrix_kind::square:
        return "for any square matrix";
    case matrix_kind::symmetric:
        return "for symmetric matrices, definite or not";
    case matrix_kind::positive_definite:
        return "for symmetric positive definite matrices";
    case matrix_kind::any_shape:
        break;
    }
    return "least squares, for a matrix of any shape and rank";
}

/// fgmres is in the page as gmres.
described_values methods_for_manual()
{
    described_values methods{.place = ".\\\" further methods", .all = {}};
    for (const auto& [name, m] : method_names)
        if (name != "fgmres")
            methods.all.emplace_back(name, std::string(title(m)) + ", " +
                                               std::string(matrices_of(matrix_kind_of(m))));
    return methods;
}

}  // namespace

int run_ddla(int argc, char** argv)
{
    return within_memory("ddla", [&] {
        program ddla;
        return run_program(ddla.app, argc, argv, [&] { return ddla.run(); });
    });
}

int write_manual_of_ddla(int argc, char** argv)
{
    const program ddla;
    return write_manual(argc, argv, completion_of(ddla.app), {methods_for_manual()});
}

}  // namespace ddla::cli
