#include "rank_sums.hpp"

#include "moved.hpp"

#include "ddla/error.hpp"
#include "ddla/summation.hpp"

#include <algorithm>
#include <cstring>

namespace ddla::ranks {
namespace {

/// The opinion of a rank, before its sums.
constexpr std::size_t head = sizeof(std::uint64_t);

std::byte* append(std::byte* to, const std::byte* from, std::size_t bytes)
{
    if (bytes > 0) std::memcpy(to, from, bytes);
    return to + bytes;
}

/// Sums of 256 neighbours each, to the beginning.
void fold_level(std::byte* first, index_t count, const summand& of)
{
    for (index_t i = 0, to = 0; i < count; i += tile_size, ++to)
        of.fold(first + static_cast<std::size_t>(i) * of.bytes,
                static_cast<int>(std::min<index_t>(tile_size, count - i)),
                first + static_cast<std::size_t>(to) * of.bytes);
}

}  // namespace

rank_sums::rank_sums(std::shared_ptr<communicator> among, ranges of,
                     std::shared_ptr<common_answer> answer, std::shared_ptr<traffic> counted)
    : among_(std::move(among)), of_(std::move(of)), answer_(std::move(answer)),
      counted_(std::move(counted)), plan_(of_, among_->rank()),
      bytes_(static_cast<std::size_t>(among_->size())), offset_(bytes_.size())
{
}

index_t rank_sums::first_element(index_t n)
{
    return (&plan_for(n) == &plan_ ? of_ : of_columns_).begin(among_->rank());
}

bool rank_sums::anywhere(bool here)
{
    return largest(here ? 1 : 0) == 1;
}

index_t rank_sums::largest(index_t here)
{
    const std::vector<index_t> all = gathered(*among_, here);
    return *std::max_element(all.begin(), all.end());
}

void rank_sums::add_columns(ranges of)
{
    of_columns_ = std::move(of);
    plan_of_columns_.emplace(of_columns_, among_->rank());
}

const sum_plan& rank_sums::plan_for(index_t n)
{
    const int me = among_->rank();
    if (plan_of_columns_ && anywhere(n != of_.size(me))) {
        if (n == of_columns_.size(me)) return *plan_of_columns_;
    } else if (n == of_.size(me)) {
        return plan_;
    }
    throw internal_error("ranks: a sum over " + std::to_string(n) + " elements of rank " +
                         std::to_string(me) + ", which has " + std::to_string(of_.size(me)));
}

void rank_sums::complete(std::span<std::byte* const> part, index_t n, const summand& of)
{
    const sum_plan& plan = plan_for(n);
    std::size_t end = 0;
    for (std::size_t r = 0; r < bytes_.size(); ++r) {
        offset_[r] = end;
        bytes_[r] = head + part.size() * plan.sent_by(static_cast<int>(r)) * of.bytes;
        end += bytes_[r];
    }
    const auto me = static_cast<std::size_t>(among_->rank());
    all_.resize(end);
    mine_.resize(bytes_[me]);
    const std::uint64_t opinion = answer_->mine();
    std::byte* to = append(mine_.data(), reinterpret_cast<const std::byte*>(&opinion), head);
    for (std::byte* const one : part) to = pack(plan, one, of, to);
    among_->all_gather(mine_, all_, bytes_);
    counted_->sums += 1;
    counted_->numbers += part.size() * plan.sent_by(among_->rank());
    hear_all();
    for (std::size_t j = 0; j < part.size(); ++j) add(plan, j, of, part[j]);
}

void rank_sums::hear_all()
{
    bool all_go_on = true;
    for (int r = 0; r < among_->size(); ++r) {
        std::uint64_t said;
        std::memcpy(&said, from_rank(r), head);
        all_go_on = all_go_on && said == 0;
    }
    answer_->hear(all_go_on);
}

std::byte* rank_sums::pack(const sum_plan& plan, std::byte* part, const summand& of,
                           std::byte* to) const
{
    for (const sum_plan::level& one : plan.levels()) {
        const auto place = [&](index_t node) {
            return part + static_cast<std::size_t>(node - one.first) * of.bytes;
        };
        const auto bytes = [&](index_t first, index_t end) {
            return static_cast<std::size_t>(end - first) * of.bytes;
        };
        to = append(to, part, bytes(one.first, one.kept_first));
        to = append(to, place(one.kept_end), bytes(one.kept_end, one.end));
        if (one.kept_first == one.kept_end) break;
        part = place(one.kept_first);
        fold_level(part, one.kept_end - one.kept_first, of);
    }
    return to;
}

void rank_sums::add(const sum_plan& plan, std::size_t j, const summand& of, std::byte* result)
{
    if (plan.is_empty()) return;
    slots_.resize((plan.gathered() + plan.folds().size()) * of.bytes);
    std::byte* next = slots_.data();
    for (int r = 0; r < among_->size(); ++r) {
        const std::size_t bytes = plan.sent_by(r) * of.bytes;
        next = append(next, from_rank(r) + head + j * bytes, bytes);
    }
    terms_.resize(tile_size * of.bytes);
    for (const sum_plan::fold& one : plan.folds()) {
        for (std::size_t i = 0; i < one.size(); ++i)
            append(terms_.data() + i * of.bytes, slots_.data() + one[i] * of.bytes, of.bytes);
        of.fold(terms_.data(), static_cast<int>(one.size()), next);
        next += of.bytes;
    }
    append(result, slots_.data() + plan.result() * of.bytes, of.bytes);
}

}  // namespace ddla::ranks
