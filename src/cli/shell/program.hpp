// What the mains of the programs have in common: every failure is one line on the standard error
// output and an exit status (command.hpp).
#pragma once

#include "command.hpp"

#include <exception>
#include <new>

namespace ddla::cli {

/// Parses the command line, then runs `work`.
/// Messages begin with the name of the program.  Without arguments: the help, and exit_bad_input.
/// Throws bad_alloc, and nothing else.
int run_program(CLI::App& app, int argc, char** argv, const std::function<exit_status()>& work);

/// "NAME: out of memory" on the standard error output, for which it needs none.
exit_status complain_of_memory(const char* name) noexcept;

/// While it lives, a lack of memory ends the process with that sentence also where an exception
/// cannot pass: destructors of the JSON library take memory.
class memory_guard {
public:
    explicit memory_guard(const char* name) noexcept;
    memory_guard(const memory_guard&) = delete;
    memory_guard& operator=(const memory_guard&) = delete;
    ~memory_guard();

private:
    std::new_handler new_before_;
    std::terminate_handler end_before_;
};

/// f(); where memory is out, at whatever moment, that sentence and exit_failure.
template <class F>
int within_memory(const char* name, const F& f)
try {
    const memory_guard guard(name);
    return f();
} catch (const std::bad_alloc&) {
    return complain_of_memory(name);
}

}  // namespace ddla::cli
