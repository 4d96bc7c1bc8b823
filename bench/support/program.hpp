// The main of a benchmark: its command line, its exit status, the option of its results.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>

namespace bench {

/// The command line asks for what cannot be, in one sentence.
struct usage_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// For write_results().
inline void add_json(CLI::App& app, std::string& file)
{
    app.add_option("--json", file, "file to write the results to");
}

/// Reads the command line as `app` has it, and measures.  The exit status: what measure() returns,
/// 0 or, if results disagree, 1; 2 for bad usage; 3 if something failed.
template <class F>
int run_program(const char* name, CLI::App& app, int argc, char** argv, const F& measure)
{
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // each line when it is measured
    try {
        app.parse(argc, argv);
        return measure();
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? 0 : 2;
    } catch (const usage_error& e) {
        std::cerr << name << ": " << e.what() << '\n';
        return 2;
    } catch (const std::exception& e) {
        std::cerr << name << ": " << e.what() << '\n';
        return 3;
    }
}

}  // namespace bench
