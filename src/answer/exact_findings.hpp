// What integers tell of a system: its rank, whether b is in its range, which components are zero.
#pragma once

#include "answer.hpp"
#include "errors/zeros.hpp"
#include "large_rank.hpp"
#include "stages.hpp"

namespace ddla::refine {

/// Stages of a solve; what they find of the rank goes into the answer.
template <scalar V>
class exact_findings {
public:
    exact_findings(const host_system<V>& system, const answer_request& request,
                   stage_recorder& stages, answer& found);

    /// Eliminates modulo a prime, unless that was done.  Where A is large, and full rank is all
    /// that is asked, a proof of it by supernodes comes first; where the elimination passed a
    /// limit, supernodes tell the rest.  Without a rank where they did, too.  `count` is told the
    /// bytes held on the way.
    void look_at_rank(bool asks_for_zeros, const std::function<void(std::int64_t)>& count);
    /// Which components are zero modulo the prime can be found.
    bool can_tell_zeros() const
    {
        return has_passed_limit() ? large_.can_tell_zeros()
                                  : modular_ && modular_->about().is_nonsingular();
    }

    /// Marks all components that b cannot reach.  They become +0 in x.  Returns whether that moved
    /// one.  Looks once.
    bool mark_unreached(solution_view x);
    /// Marks those of `suspects` that are zero modulo the prime, likewise; A has full rank.
    bool find_zeros(const std::vector<index_t>& suspects, solution_view x);

    /// Components that are judged and may be zero: they are no larger than four times what they may
    /// be wrong by.  Not those that are marked.
    std::vector<index_t> suspects(const_solution_view x, const std::vector<double>& errors) const;

    const known_zeros& zeros() const { return zeros_; }
    /// The zeros if all are proved, by the pattern alone; else none.
    std::vector<bool> proved_zeros() const
    {
        return zeros_.certain == 0 ? zeros_.is : std::vector<bool>();
    }
    /// Why nothing is claimed of components that do not settle, if there are some.  Where x has
    /// settled as a whole, zeros were looked for.
    void explain(unsettled_components& open, bool has_settled, bool interrupted) const;
    std::int64_t bytes() const { return bytes_ + large_.bytes(); }

private:
    /// The elimination by columns, or it would.
    bool has_passed_limit() const
    {
        return is_too_large_ || (modular_ && modular_->about().end != factor::factor_end::complete);
    }
    /// Another solve has left them.
    bool knows_columns() const
    {
        return request_.kept && request_.kept->modular &&
               request_.kept->modular->about().end == factor::factor_end::complete;
    }
    void eliminate(const std::function<void(std::int64_t)>& count);
    void look_by_supernodes(bool asks_for_zeros, const std::function<void(std::int64_t)>& count);
    std::vector<index_t> zeros_among(const std::vector<index_t>& suspects);
    void look_at_null_vectors(const std::function<void(std::int64_t)>& count);
    factor_watch watch_of_factors();
    bool mark(const std::vector<index_t>& zero, solution_view x, std::int64_t& counted);

    const host_system<V>& system_;
    const answer_request& request_;
    stage_recorder& stages_;
    answer& to_;
    std::optional<factor::modular_factors> modular_;
    large_rank<V> large_;
    known_zeros zeros_;
    std::vector<bool> tested_;  ///< modulo the prime, each component; or none was
    bool knows_reach_ = false, is_too_large_ = false;
    std::int64_t bytes_;
};

}  // namespace ddla::refine
