#include "halo.hpp"

#include "moved.hpp"

#include <algorithm>

namespace ddla::ranks {
namespace {

/// How many elements each rank needs of each: row r is what rank r needs.
std::vector<index_t> needs_of_all(communicator& among, const std::vector<halo::source>& mine)
{
    const auto ranks = static_cast<std::size_t>(among.size());
    std::vector<index_t> own(ranks), all(ranks * ranks);
    for (const halo::source& one : mine) own[static_cast<std::size_t>(one.rank)] = one.count;
    among.all_gather(std::as_bytes(std::span(own)), std::as_writable_bytes(std::span(all)),
                     std::vector<std::size_t>(ranks, ranks * sizeof(index_t)));
    return all;
}

std::vector<halo::source> sources_of(const ranges& of, const std::vector<index_t>& ghosts)
{
    std::vector<halo::source> all;
    for (std::size_t k = 0; k < ghosts.size(); ++k) {
        const int owner = of.owner(ghosts[k]);
        if (all.empty() || all.back().rank != owner)
            all.push_back({owner, static_cast<index_t>(k), 0});
        ++all.back().count;
    }
    return all;
}

}  // namespace

halo::halo(std::shared_ptr<communicator> among, const ranges& of,
           const std::vector<index_t>& ghosts)
    : among_(std::move(among)), ghosts_(static_cast<index_t>(ghosts.size())),
      receives_(sources_of(of, ghosts))
{
    const int me = among_->rank(), ranks = among_->size();
    const std::vector<index_t> needs = needs_of_all(*among_, receives_);
    is_empty_ = std::all_of(needs.begin(), needs.end(), [](index_t n) { return n == 0; });
    std::vector<communicator::outgoing> asked;
    std::vector<communicator::incoming> wanted;
    for (const source& one : receives_)
        asked.push_back({one.rank, std::as_bytes(std::span(ghosts).subspan(
                                       static_cast<std::size_t>(one.first),
                                       static_cast<std::size_t>(one.count)))});
    for (int r = 0; r < ranks; ++r) {
        const index_t count = needs[static_cast<std::size_t>(r * ranks + me)];
        if (count > 0) sends_.push_back({r, std::vector<index_t>(static_cast<std::size_t>(count))});
    }
    for (part& one : sends_)
        wanted.push_back({one.rank, std::as_writable_bytes(std::span(one.element))});
    among_->start_exchange(asked, wanted);
    among_->finish_exchange();
    for (part& one : sends_)
        for (index_t& i : one.element) i -= of.begin(me);
}

element_list::element_list(const std::vector<index_t>& elements, place at)
    : size_(static_cast<index_t>(elements.size())), elements_(elements.size() * sizeof(index_t), at)
{
    copy_bytes(elements_.data(), at, elements.data(), host, elements_.bytes());
}

std::vector<element_list> sent_elements(const halo& of, place at)
{
    std::vector<element_list> all;
    for (const halo::part& one : of.sends()) all.emplace_back(one.element, at);
    return all;
}

}  // namespace ddla::ranks
