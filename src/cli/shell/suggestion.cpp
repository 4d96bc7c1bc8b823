// The name that was meant.
#include "suggestion.hpp"

#include <algorithm>

namespace ddla::cli {
namespace {

/// Characters to change, to add, to leave out or to swap with the next one.
std::size_t distance(const std::string& a, const std::string& b)
{
    std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
    for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i)
        for (std::size_t j = 1; j <= b.size(); ++j) {
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1,
                                d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

}  // namespace

std::string suggestion(const std::string& given, const std::vector<std::string>& names)
{
    constexpr std::size_t longest = 40;  // no word is longer: the table stays small
    if (given.size() > longest) return "";
    const std::string* nearest = nullptr;
    std::size_t least = std::max<std::size_t>(1, given.size() / 3) + 1;
    for (const std::string& name : names)
        if (const std::size_t d = distance(given, name); d < least) {
            least = d;
            nearest = &name;
        }
    return nearest == nullptr ? "" : ": did you mean \"" + *nearest + "\"?";
}

}  // namespace ddla::cli
