// Chains of supernodes, and their heights in the tree.
#include "fronts.hpp"

#include <algorithm>
#include <numeric>

namespace ddla::factor {

namespace {

bool goes_on(const supernodes& s, column_t q)
{
    return s.parent[as_size(q)] == q + 1 && s.below(q) == s.width(q + 1) + s.below(q + 1);
}

}  // namespace

fronts fronts_of(const supernodes& s)
{
    fronts f;
    std::vector<column_t> front(as_size(s.size()));
    for (column_t q = 0; q < s.size(); ++q) {
        if (q == 0 || !goes_on(s, q - 1)) f.first.push_back(q);
        front[as_size(q)] = static_cast<column_t>(f.first.size()) - 1;
    }
    std::vector<column_t> level(f.first.size(), 0);
    for (column_t q = 0; q < s.size(); ++q) {
        const column_t p = s.parent[as_size(q)], own = front[as_size(q)];
        if (p < 0 || front[as_size(p)] == own) continue;
        column_t& above = level[as_size(front[as_size(p)])];
        above = std::max(above, level[as_size(own)] + 1);
    }
    const column_t levels = level.empty() ? 0 : *std::max_element(level.begin(), level.end()) + 1;
    f.level_begin.assign(as_size(levels) + 1, 0);
    for (const column_t l : level) ++f.level_begin[as_size(l) + 1];
    std::partial_sum(f.level_begin.begin(), f.level_begin.end(), f.level_begin.begin());
    f.by_level.resize(level.size());
    std::vector<column_t> next(f.level_begin.begin(), f.level_begin.end() - 1);
    for (std::size_t k = 0; k < level.size(); ++k)
        f.by_level[as_size(next[as_size(level[k])]++)] = static_cast<column_t>(k);
    f.first.push_back(s.size());
    return f;
}

}  // namespace ddla::factor
