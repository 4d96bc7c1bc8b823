// From the command line to the exit status.
#include "program.hpp"

#include "command_line.hpp"
#include "ranks.hpp"
#include "suggestion.hpp"
#include "text_format.hpp"

#include "ddla/error.hpp"
#include "ddla/self_test.hpp"
#include "ddla/watched_scope.hpp"

#include <CLI/CLI.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <new>
#include <poll.h>
#include <unistd.h>

namespace ddla::cli {
namespace {

/// With what to try next, if that is known.  Of ranks that all find it the first one speaks; a
/// failure is of one rank, unless it is common.
exit_status complain(const CLI::App& app, exit_status status, const std::string& cause,
                     const std::string& advice = "", bool is_common = true)
{
    if (is_common) note_common_end();
    if (is_common && !speaks_for_ranks()) return status;
    std::cerr << app.get_name() + ": " + one_line(cause) + '\n';
    if (!advice.empty()) std::cerr << "try: " + advice + '\n';
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
        const std::vector<std::string> rest = app.remaining(true);
        for (const std::string& argument : rest) text += " \"" + argument + "\"";
        if (app.get_subcommands().empty()) text += suggestion(rest.front(), names_of_commands(app));
    } else if (dynamic_cast<const CLI::RequiredError*>(&e)) {
        text = option + ": missing";
    } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&e)) {
        const bool none = text.find("missing") != std::string::npos;
        text = option + (none ? ": its value is missing" : ": given more than once");
    }
    return text + " (see " + command_name(app) + " --help)";
}

/// Whether the standard output is a pipe, or the like, that nobody reads any more.
bool reader_is_gone()
{
    pollfd out{STDOUT_FILENO, POLLOUT, 0};
    return ::poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

/// A full disk under standard output is reported only when it is flushed.  A pipe that nobody reads
/// ends the process as it ends others, by SIGPIPE, but only now: all files are written.
exit_status flushed(const CLI::App& app, exit_status status)
{
    if (std::cout.flush()) return status;
    if (reader_is_gone()) {
        std::signal(SIGPIPE, SIG_DFL);
        std::raise(SIGPIPE);
    }
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

const char* guarded_program = "";
std::terminate_handler usual_end = nullptr;
std::atomic<bool> memory_was_out = false;

void note_lack_of_memory()
{
    memory_was_out = true;
    throw std::bad_alloc();
}

/// Which exception could not pass is not known here.  No file is open then: the text of a report is
/// complete before it is written.
void end_for_memory()
{
    if (memory_was_out) ::_exit(complain_of_memory(guarded_program));
    usual_end();
}

}  // namespace

memory_guard::memory_guard(const char* name) noexcept
    : new_before_(std::set_new_handler(note_lack_of_memory)),
      end_before_(std::set_terminate(end_for_memory))
{
    guarded_program = name;
    usual_end = end_before_;
}

memory_guard::~memory_guard()
{
    std::set_terminate(end_before_);
    std::set_new_handler(new_before_);
}

int run_program(CLI::App& app, int argc, char** argv, const std::function<exit_status()>& work)
try {
    std::signal(SIGPIPE, SIG_IGN);  // see flushed()
    std::signal(SIGXFSZ, SIG_IGN);  // writing fails in its place, and is reported
    require_exact_arithmetic();
    return flushed(app, parse_and_run(app, argc, argv, work));
} catch (const CLI::Success& e) {
    app.exit(e);
    return flushed(app, exit_converged);
} catch (const CLI::ParseError& e) {
    return complain(app, exit_bad_input, option_error(app, e));
} catch (const advised_input_error& e) {
    return complain(app, exit_bad_input, e.what(), e.advice);
} catch (const input_error& e) {
    return complain(app, exit_bad_input, e.what());
} catch (const advised_error& e) {
    return complain(app, exit_failure, e.what(), e.advice);
} catch (const interrupted_error&) {
    return complain(app, exit_not_converged, "interrupted: there is no result yet");
} catch (const common_resource_error& e) {
    return complain(app, exit_failure, e.what());
} catch (const error& e) {
    return complain(app, exit_failure, e.what(), "", false);
} catch (const std::bad_alloc&) {
    throw;
} catch (const std::exception& e) {
    return complain(app, exit_failure, std::string("internal error: ") + e.what(), "", false);
}

exit_status complain_of_memory(const char* name) noexcept
{
    // In one call: lines of several processes do not mix.
    char line[80];
    const int length = std::snprintf(line, sizeof line, "%s: out of memory\n", name);
    [[maybe_unused]] const ssize_t written =
        ::write(STDERR_FILENO, line, static_cast<std::size_t>(length));
    return exit_failure;
}

}  // namespace ddla::cli
