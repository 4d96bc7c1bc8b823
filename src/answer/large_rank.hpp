// What L U by supernodes modulo two primes tells of a large A: rank, consistency, zeros of x.
#pragma once

#include "answer.hpp"
#include "errors/kept_factors.hpp"
#include "stages.hpp"

namespace ddla::refine {

/// Within a stage of a solve, whose work it counts.  Where A is small, or has several entries at
/// one place, or a limit would be passed, nothing is found.
template <scalar V>
class large_rank {
public:
    /// Is told the bytes held on the way, beside bytes().
    using byte_count = std::function<void(std::int64_t)>;

    large_rank(const host_system<V>& system, const answer_request& request, stage_recorder& stages,
               factor_watch watch);

    /// Whether A has full rank for certain, by one prime.  The factors are not kept.
    bool proves_full_rank(const byte_count& count);
    /// Rank and consistency: of both primes the larger rank counts; full rank is proved by one.
    /// Nothing where one of them ended early, or does not know.
    std::optional<rank_report> find(const byte_count& count);

    /// Whether LU by columns modulo a prime is expected to pass most_work: A is of a symmetric
    /// pattern, and supernodes take twice as much.
    bool is_too_large_for_columns();

    /// Keeps the factors of both primes, for zeros(); whether both found full rank.
    bool prepare_zeros(const byte_count& count);
    bool can_tell_zeros() const;
    /// Of `suspects`, those that are zero modulo both primes.
    std::vector<index_t> zeros(std::vector<index_t> suspects) const;

    /// Lets go of all factors: LU by columns tells more.
    void let_go() { held() = {}; }
    std::int64_t bytes() const;

private:
    using residues = kept_factors::residues_modulo_both;

    residues& held() { return request_.kept ? request_.kept->residues : own_; }
    const residues& held() const { return request_.kept ? request_.kept->residues : own_; }
    std::optional<factor::residue_report>& proof()
    {
        return request_.kept ? request_.kept->full_rank : own_proof_;
    }
    bool suits() const;
    factor::static_options options() const;
    /// Null: it ended early, or did not suit.
    const factor::residue_factors* made(factor::residue_modulus modulo, const byte_count& count);

    const host_system<V>& system_;
    const answer_request& request_;
    stage_recorder& stages_;
    const factor_watch watch_;
    residues own_;
    std::optional<factor::residue_report> own_proof_;
};

}  // namespace ddla::refine
