#include "ranges.hpp"

#include "ddla/summation.hpp"

#include <algorithm>
#include <numeric>

namespace ddla::ranks {
namespace {

/// Parts of a rank that a unit of boundaries may not go below.
constexpr index_t fewest_parts = 16;

index_t round_up(index_t i, index_t unit)
{
    return (i + unit - 1) / unit * unit;
}

}  // namespace

int ranges::owner(index_t i) const
{
    return static_cast<int>(std::upper_bound(begin_.begin(), begin_.end(), i) - begin_.begin()) - 1;
}

ranges even_ranges(index_t all, int ranks, index_t aligned)
{
    index_t unit = std::lcm(aligned, index_t{tile_size});
    const index_t most = all / (fewest_parts * ranks);
    while (unit <= most / tile_size) unit *= tile_size;
    const index_t parts = (all + unit - 1) / unit;
    std::vector<index_t> begin;
    for (index_t r = 0; r <= ranks; ++r) begin.push_back(std::min(all, parts * r / ranks * unit));
    return ranges(std::move(begin));
}

ranges on_first_rank(index_t all, int ranks)
{
    std::vector<index_t> begin(static_cast<std::size_t>(ranks) + 1, all);
    begin.front() = 0;
    return ddla::ranks::ranges(std::move(begin));
}

ranges aligned_ranges(const ranges& asked, index_t aligned)
{
    std::vector<index_t> begin;
    for (int r = 0; r <= asked.count(); ++r)
        begin.push_back(std::min(
            asked.all(), round_up(r < asked.count() ? asked.begin(r) : asked.all(), aligned)));
    return ranges(std::move(begin));
}

}  // namespace ddla::ranks
