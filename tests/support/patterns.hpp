// Regular expressions in texts, compiled once for all tests: std::regex takes the compiler seconds.
#pragma once

#include <string>
#include <vector>

namespace test {

/// Whether the pattern (ECMAScript) fits a part of the text, or all of it.
bool has_match(const std::string& text, const std::string& pattern);
bool is_match(const std::string& text, const std::string& pattern);
/// What fits, one after the other: each all of it, then its groups.
std::vector<std::vector<std::string>> matches_in(const std::string& text,
                                                 const std::string& pattern);
std::string replaced(const std::string& text, const std::string& pattern, const std::string& by);

}  // namespace test
