#include "moved.hpp"

#include <algorithm>
#include <cstring>

namespace ddla::ranks {

ranges ranges_of(communicator& among, index_t mine)
{
    std::vector<index_t> begin{0};
    for (const index_t n : gathered(among, mine)) begin.push_back(begin.back() + n);
    return ranges(std::move(begin));
}

void move_elements(communicator& among, const ranges& from, const ranges& to, std::size_t bytes,
                   const void* mine, void* result)
{
    const int me = among.rank();
    std::vector<communicator::outgoing> sent;
    std::vector<communicator::incoming> received;
    const auto offset = [&](index_t n) { return static_cast<std::size_t>(n) * bytes; };
    for (int r = 0; r < among.size(); ++r) {
        const index_t out = std::max(from.begin(me), to.begin(r)),
                      out_end = std::min(from.end(me), to.end(r));
        const index_t in = std::max(from.begin(r), to.begin(me)),
                      in_end = std::min(from.end(r), to.end(me));
        const auto* const source = static_cast<const std::byte*>(mine);
        auto* const target = static_cast<std::byte*>(result);
        if (r == me && out < out_end)
            std::memcpy(target + offset(in - to.begin(me)), source + offset(out - from.begin(me)),
                        offset(out_end - out));
        else if (out < out_end)
            sent.push_back({r, {source + offset(out - from.begin(me)), offset(out_end - out)}});
        if (r != me && in < in_end)
            received.push_back({r, {target + offset(in - to.begin(me)), offset(in_end - in)}});
    }
    among.start_exchange(sent, received);
    among.finish_exchange();
}

std::vector<index_t> counts_from_each(communicator& among, const std::vector<index_t>& going)
{
    const std::size_t ranks = going.size();
    std::vector<index_t> all(ranks * ranks), mine;
    among.all_gather(std::as_bytes(std::span(going)), std::as_writable_bytes(std::span(all)),
                     std::vector<std::size_t>(ranks, ranks * sizeof(index_t)));
    for (std::size_t r = 0; r < ranks; ++r)
        mine.push_back(all[r * ranks + static_cast<std::size_t>(among.rank())]);
    return mine;
}

}  // namespace ddla::ranks
