// How programs of the command line fail.
#pragma once

#include "catch.hpp"
#include "process.hpp"

#include <algorithm>

namespace cli_test {

/// One line, from that program, that holds `parts`; nothing on the standard output.
inline void check_failure_of(const std::string& program, const result& r, int exit_status,
                             const std::vector<std::string>& parts)
{
    INFO("stderr: " << r.err);
    CHECK(r.exit_status == exit_status);
    CHECK(r.out == "");
    CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
    CHECK(r.err.rfind(program + ": ", 0) == 0);
    CHECK(r.err.back() == '\n');
    for (const std::string& part : parts) {
        INFO("missing: " << part);
        CHECK(r.err.find(part) != std::string::npos);
    }
}

struct bad_options {
    arguments options;
    std::vector<std::string> parts;
};

}  // namespace cli_test
