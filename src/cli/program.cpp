// From the command line to the exit status.
#include "program.hpp"

#include "text_format.hpp"

#include "ddla/error.hpp"
#include "ddla/self_test.hpp"

#include <iostream>
#include <new>

namespace ddla::cli {
namespace {

exit_status complain(const CLI::App& app, exit_status status, const std::string& cause)
{
    std::cerr << app.get_name() + ": " + one_line(cause) + '\n';
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

/// A full disk under standard output is reported only when it is flushed.
exit_status flushed(const CLI::App& app, exit_status status)
{
    if (std::cout.flush()) return status;
    return complain(app, exit_failure, "the standard output cannot be written");
}

exit_status parse_and_run(CLI::App& app, int argc, char** argv,
                          const std::function<exit_status()>& work)
{
    if (argc < 2) {
        std::cerr << app.help();
        return exit_bad_input;
    }
    app.parse(argc, argv);
    return work();
}

}  // namespace

int run_program(CLI::App& app, int argc, char** argv, const std::function<exit_status()>& work)
try {
    require_exact_arithmetic();
    return flushed(app, parse_and_run(app, argc, argv, work));
} catch (const CLI::Success& e) {
    app.exit(e);
    return flushed(app, exit_converged);
} catch (const CLI::ParseError& e) {
    return complain(app, exit_bad_input, option_error(app, e));
} catch (const input_error& e) {
    return complain(app, exit_bad_input, e.what());
} catch (const error& e) {
    return complain(app, exit_failure, e.what());
} catch (const std::bad_alloc&) {
    return complain(app, exit_failure, "out of memory");
} catch (const std::exception& e) {
    return complain(app, exit_failure, std::string("internal error: ") + e.what());
}

}  // namespace ddla::cli
