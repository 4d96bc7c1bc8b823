// What the command says to try next, and whether it helps.
#pragma once

#include "catch.hpp"
#include "process.hpp"
#include "support/patterns.hpp"

#include <algorithm>
#include <sstream>

namespace cli_test {

/// The only line "try: ..." of both outputs; empty if there is none.
inline std::string advice_of(const result& r)
{
    const std::string text = '\n' + r.out + r.err;
    const auto all = test::matches_in(text, "\ntry: ([^\n]*)");
    CHECK(all.size() <= 1);
    return all.empty() ? "" : all.front()[1];
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

/// Files of a system near powers of two with a weak coupling, so that corrections contract slowly:
/// its digits end at some 20 in double-double and 53 in four words.
struct system_near_powers {
    std::string a, b;

    explicit system_near_powers(const scratch& folder)
        : a(folder.write("hard.mtx", "%%MatrixMarket matrix array real general\n4 4\n"
                                     "70368744177664\n70368744177663\n0\n1\n"
                                     "70368744177665\n70368744177664\n0\n0\n"
                                     "0\n1e-30\n70368744177664\n70368744177665\n"
                                     "0\n0\n70368744177665\n70368744177664\n")),
          b(folder.write("hard_b.mtx",
                         "%%MatrixMarket matrix array real general\n4 1\n70368744177664\n"
                         "70368744177663\n70368744177664\n70368744177666\n"))
    {
    }
};

/// A file of 8 x 8 integers near 2^52 on three diagonals, nearly singular: beyond double-double.
inline std::string nearly_singular(const scratch& folder)
{
    std::string text = "%%MatrixMarket matrix coordinate real general\n8 8 22\n";
    for (int i = 1; i <= 8; ++i)
        for (int j = std::max(1, i - 1); j <= std::min(8, i + 1); ++j)
            text += std::to_string(i) + ' ' + std::to_string(j) + ' ' +
                    std::to_string((1LL << 52) + j - i) + '\n';
    return folder.write("harder.mtx", text);
}

}  // namespace cli_test
