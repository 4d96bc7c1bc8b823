#include "support/patterns.hpp"

#include <regex>

namespace test {

bool has_match(const std::string& text, const std::string& pattern)
{
    return std::regex_search(text, std::regex(pattern));
}

bool is_match(const std::string& text, const std::string& pattern)
{
    return std::regex_match(text, std::regex(pattern));
}

std::vector<std::vector<std::string>> matches_in(const std::string& text,
                                                 const std::string& pattern)
{
    const std::regex wanted(pattern);
    std::vector<std::vector<std::string>> all;
    for (std::sregex_iterator i(text.begin(), text.end(), wanted), end; i != end; ++i)
        all.emplace_back(i->begin(), i->end());
    return all;
}

std::string replaced(const std::string& text, const std::string& pattern, const std::string& by)
{
    return std::regex_replace(text, std::regex(pattern), by);
}

}  // namespace test
