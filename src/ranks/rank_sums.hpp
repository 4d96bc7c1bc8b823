// Sums over the elements of all ranks, and what else the ranks agree on with them.
#pragma once

#include "ddla/communicator.hpp"
#include "engine/shared_sums.hpp"
#include "owner_stages.hpp"
#include "sum_plan.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ddla::ranks {

/// What all ranks answer in the same way, though each has an opinion of its own: whether a solve
/// goes on.  Opinions travel with the next sum, so that asking costs nothing.
class common_answer {
public:
    /// What this rank says from now on.
    void say_stop() { mine_ = 1; }
    /// Whether no rank had said stop when the last sum was completed; of one that works alone,
    /// whether it has not.
    bool goes_on() const { return is_alone_ ? mine_ == 0 : all_go_on_; }
    /// There are no others, or they wait for what this rank does by itself.
    void set_alone(bool is) { is_alone_ = is; }

    std::uint64_t mine() const { return mine_; }
    void hear(bool all_go_on) { all_go_on_ = all_go_on; }

private:
    std::uint64_t mine_ = 0;
    bool all_go_on_ = true, is_alone_ = false;
};

/// What calls have sent.
struct traffic {
    std::uint64_t sums = 0;      ///< exchanges of sums; several may be one exchange
    std::uint64_t numbers = 0;   ///< sums of tiles and of nodes that this rank has sent
    std::uint64_t products = 0;  ///< exchanges of elements
    std::uint64_t messages = 0;  ///< to neighbours, for products
    std::uint64_t bytes = 0;     ///< in these messages
};

/// Over vectors of one size; elements are shared as `of` says.
class rank_sums final : public shared_sums {
public:
    /// most_to_all: see sum_plan.
    rank_sums(std::shared_ptr<communicator> among, ranges of, std::shared_ptr<common_answer> answer,
              std::shared_ptr<traffic> counted, std::size_t most_to_all = sum_plan::usual_most);

    /// Sums may also be over elements that are shared in this way: which it is the ranks find out
    /// each time.
    void add_columns(ranges of);

    index_t first_element(index_t n) override;
    index_t all_elements() const override { return of_.all(); }
    bool anywhere(bool here) override;
    index_t largest(index_t here) override;
    void complete(rank_tiles& mine, index_t n, const summand& of) override;

private:
    /// Writes what this rank sends to all.
    void leave(const sum_plan& plan, rank_tiles& mine, const summand& of, std::byte* to);
    /// Sum j of those that all ranks have sent; nothing without elements.
    const std::byte* add(const sum_plan& plan, std::size_t j, const summand& of);
    void hear_all();
    /// The plan of a sum over so many elements of this rank.
    const sum_plan& plan_for(index_t n);
    const std::byte* from_rank(int rank) const
    {
        return all_.data() + offset_[static_cast<std::size_t>(rank)];
    }

    std::shared_ptr<communicator> among_;
    ranges of_, of_columns_;
    std::shared_ptr<common_answer> answer_;
    std::shared_ptr<traffic> counted_;
    std::size_t most_to_all_;
    sum_plan plan_;
    std::optional<sum_plan> plan_of_columns_;
    owner_stages stages_;
    std::vector<std::byte> mine_, all_, slots_, terms_;
    std::vector<std::size_t> bytes_, offset_;
};

}  // namespace ddla::ranks
