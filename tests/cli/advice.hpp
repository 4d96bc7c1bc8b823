// What the command says to try next, and whether it helps.
#pragma once

#include "catch.hpp"
#include "process.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

namespace cli_test {

/// The only line "try: ..." of both outputs; empty if there is none.
inline std::string advice_of(const result& r)
{
    const std::string text = '\n' + r.out + r.err;
    const std::regex line("\ntry: ([^\n]*)");
    std::vector<std::string> all;
    for (std::sregex_iterator i(text.begin(), text.end(), line), end; i != end; ++i)
        all.push_back((*i)[1]);
    CHECK(all.size() <= 1);
    return all.empty() ? "" : all.front();
}

/// The options of an advice: what stands before a comma.
inline arguments options_of(const std::string& advice)
{
    arguments options;
    std::istringstream words(advice.substr(0, advice.find(',')));
    for (std::string word; words >> word;) options.push_back(word);
    return options;
}

/// The line with these options, which replace those that it has.
inline arguments replaced(const arguments& line, const arguments& added)
{
    arguments again{line[0]};
    std::size_t k = 1;
    for (; k < line.size() && line[k].rfind("--", 0) != 0; ++k) again.push_back(line[k]);
    for (; k + 1 < line.size(); k += 2)
        if (std::find(added.begin(), added.end(), line[k]) == added.end())
            again.insert(again.end(), {line[k], line[k + 1]});
    again.insert(again.end(), added.begin(), added.end());
    return again;
}

/// A solve that fails with this advice, and reaches the goal with it.
inline void fails_then_succeeds(const arguments& line, const std::string& advice)
{
    const result failed = run(line);
    const std::string said = advice_of(failed);
    INFO(failed.out << failed.err);
    CHECK(failed.exit_status != 0);
    CHECK(said.find(advice) == 0);
    const arguments again = replaced(line, options_of(said));
    const result next = run(again);
    INFO(next.out << next.err);
    CHECK(next.exit_status == 0);
    CHECK(advice_of(next) == "");
}

}  // namespace cli_test
