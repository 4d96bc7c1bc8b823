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

}  // namespace

rank_sums::rank_sums(std::shared_ptr<communicator> among, ranges of,
                     std::shared_ptr<common_answer> answer, std::shared_ptr<traffic> counted,
                     std::size_t most_to_all)
    : among_(std::move(among)), of_(std::move(of)), answer_(std::move(answer)),
      counted_(std::move(counted)), most_to_all_(most_to_all),
      plan_(of_, among_->rank(), most_to_all), bytes_(static_cast<std::size_t>(among_->size())),
      offset_(bytes_.size())
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
    plan_of_columns_.emplace(of_columns_, among_->rank(), most_to_all_);
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

void rank_sums::complete(rank_tiles& mine, index_t n, const summand& of)
{
    const sum_plan& plan = plan_for(n);
    const std::size_t count = mine.count();
    std::size_t end = 0;
    for (std::size_t r = 0; r < bytes_.size(); ++r) {
        offset_[r] = end;
        bytes_[r] = head + count * plan.sent_by(static_cast<int>(r)) * of.bytes;
        end += bytes_[r];
    }
    all_.resize(end);
    mine_.resize(bytes_[static_cast<std::size_t>(among_->rank())]);
    const std::uint64_t opinion = answer_->mine();
    leave(plan, mine, of, append(mine_.data(), reinterpret_cast<const std::byte*>(&opinion), head));
    among_->all_gather(mine_, all_, bytes_);
    counted_->sums += 1;
    counted_->numbers += count * plan.sent_by(among_->rank());
    hear_all();
    if (plan.is_empty()) return;
    for (std::size_t j = 0; j < count; ++j) mine.set(j, add(plan, j, of));
}

void rank_sums::leave(const sum_plan& plan, rank_tiles& mine, const summand& of, std::byte* to)
{
    if (plan.stages().empty()) return mine.pack(plan.levels(), to);
    const std::size_t count = mine.count();
    mine.pack(plan.levels(), stages_.room(plan, count, of));
    counted_->numbers += stages_.run(plan, count, of, *among_);
    stages_.leave(plan, count, of, to);
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

const std::byte* rank_sums::add(const sum_plan& plan, std::size_t j, const summand& of)
{
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
    return slots_.data() + plan.result() * of.bytes;
}

}  // namespace ddla::ranks
