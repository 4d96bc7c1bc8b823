// A scenario with calls that fail: what must come of it.
#pragma once

#include "calls.hpp"
#include "scenarios.hpp"

#include <optional>
#include <set>

namespace test {

/// How a run ended: with a hash, or with an exception of ddla.
struct outcome {
    std::optional<std::uint64_t> hash;
    std::string what;
    enum class type { none, input, resource, internal, foreign } thrown = type::none;
};

outcome run_with(const scenario& s, ddla::place at, const calls::failure& wanted,
                 calls::seen& seen);

/// What is wrong with it; empty if nothing is: either the exception that include/ddla/error.hpp
/// promises, with a sentence that names the call and its status, or the right result where ddla can
/// do without the calls that failed.
std::string complaint_about(const outcome& o, const scenario& s, const calls::failure& wanted,
                            const calls::seen& seen, std::uint64_t expected);

/// Calls whose failure need not be told: those that free or put back, those that are made while
/// something is freed, and those for which ddla finds another way.
bool may_go_on_without(const calls::call& c, cudaError_t status);

/// Sums over all scenarios.
struct totals {
    std::set<std::string> functions;
    std::set<std::uint64_t> sites, paths;
    std::int64_t runs = 0, threw = 0, went_on = 0, not_reached = 0, first_uses = 0, remembered = 0;
};
totals& all_together();

}  // namespace test
