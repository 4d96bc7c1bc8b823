// ddla: solve with, multiply, inspect and generate sparse matrices from the command line.
//
// Every failure is one line on the standard error output and an exit status (command.hpp).
#include "command.hpp"

#include "help_text.hpp"
#include "text_format.hpp"

#include "ddla/error.hpp"
#include "ddla/self_test.hpp"
#include "ddla/version.hpp"

#include <array>
#include <iostream>
#include <memory>
#include <new>

namespace ddla::cli {
namespace {

exit_status complain(exit_status status, const std::string& cause)
{
    std::cerr << "ddla: " + one_line(cause) + '\n';
    return status;
}

/// "ddla solve": the program and the commands given.
std::string command_name(const CLI::App& app)
{
    const auto given = app.get_subcommands();
    return app.get_name() + (given.empty() ? "" : " " + command_name(*given.front()));
}

/// The errors of CLI11 in ddla's words.
std::string option_error(const CLI::App& app, const CLI::ParseError& e)
{
    std::string text = e.what();
    const std::string option = text.substr(0, text.find_first_of(": "));
    if (dynamic_cast<const CLI::ExtrasError*>(&e)) {
        text = "not expected:";
        for (const std::string& argument : app.remaining(true)) text += " \"" + argument + "\"";
    } else if (dynamic_cast<const CLI::RequiredError*>(&e)) {
        text = option + ": missing";
    } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&e)) {
        const bool none = text.find("missing") != std::string::npos;
        text = option + (none ? ": its value is missing" : ": given more than once");
    }
    return text + " (see " + command_name(app) + " --help)";
}

struct program {
    CLI::App app{"Sparse linear systems in double and double-double precision.", "ddla"};
    std::array<command, 6> commands;

    program()
    {
        app.set_help_flag("-h,--help", "Print this help and exit");
        app.set_version_flag("--version", "ddla " DDLA_VERSION);
        app.formatter(std::make_shared<help_text>("COMMAND"));
        app.require_subcommand(0, 1);
        commands = {add_solve_command(app), add_tune_command(app),     add_spmv_command(app),
                    add_info_command(app),  add_generate_command(app), add_devices_command(app)};
        for (const command& c : commands) c.app->group("Commands");
        app.footer("Examples:\n"
                   "  ddla generate toeplitz 1000 --gamma 1.5 --output a.mtx\n"
                   "  ddla info a.mtx\n"
                   "  ddla solve a.mtx --precision both\n\n"
                   "ddla COMMAND --help describes a command.\n"
                   "Exit status: 0 done or converged, 1 not converged, 2 bad usage or input,\n"
                   "3 internal or resource failure.");
    }

    exit_status run(int argc, char** argv)
    {
        if (argc < 2) {
            std::cerr << app.help();
            return exit_bad_input;
        }
        app.parse(argc, argv);
        for (const command& c : commands)
            if (c.app->parsed()) return c.run();
        throw input_error("a command is missing: solve, tune, spmv, info, generate or devices");
    }
};

/// A full disk under standard output is reported only when it is flushed.
exit_status flushed(exit_status status)
{
    if (std::cout.flush()) return status;
    return complain(exit_failure, "the standard output cannot be written");
}

exit_status run(int argc, char** argv)
{
    program ddla;
    try {
        require_exact_arithmetic();
        return flushed(ddla.run(argc, argv));
    } catch (const CLI::Success& e) {
        ddla.app.exit(e);
        return flushed(exit_converged);
    } catch (const CLI::ParseError& e) {
        return complain(exit_bad_input, option_error(ddla.app, e));
    } catch (const input_error& e) {
        return complain(exit_bad_input, e.what());
    } catch (const error& e) {
        return complain(exit_failure, e.what());
    } catch (const std::bad_alloc&) {
        return complain(exit_failure, "out of memory");
    } catch (const std::exception& e) {
        return complain(exit_failure, std::string("internal error: ") + e.what());
    }
}

}  // namespace
}  // namespace ddla::cli

int main(int argc, char** argv)
{
    return ddla::cli::run(argc, argv);
}
