// What L U by supernodes modulo two primes tells of a large A.
#include "large_rank.hpp"

#include "errors/proof_parts.hpp"
#include "errors/rank.hpp"
#include "refine/factor_stages.hpp"

namespace ddla::refine {

using factor::residue_factors;
using factor::residue_modulus;

template <scalar V>
large_rank<V>::large_rank(const host_system<V>& system, const answer_request& request,
                          stage_recorder& stages, factor_watch watch)
    : system_(system), request_(request), stages_(stages), watch_(std::move(watch))
{
}

template <scalar V>
const residue_factors* large_rank<V>::made(residue_modulus modulo, const byte_count& count)
{
    if (!may_have_static_pivots(static_cast<double>(system_.size())) ||
        has_shared_places(system_.matrix()))
        return nullptr;
    std::optional<residue_factors>& of =
        (request_.kept ? request_.kept->residues : own_)[static_cast<std::size_t>(modulo)];
    if (!of) {
        const factor::static_options options{
            .common = options_of(request_.factorisation, true, watch_),
            .most_operations = request_.factorisation.most_work * 1e9 /
                               (work_of_supernodes<double>(1) * factor::work_of_residue),
            .least_operations = factor::least_static_operations<double>};
        const std::int64_t beside = bytes();
        of = residue_factors::make(system_.matrix(), options, modulo);
        stages_.count(work_of_supernodes<double>(of->about().done) * factor::work_of_residue);
        count(beside + of->about().making_bytes);
    }
    if (was_stopped(of->about().end)) of.reset();
    return of && of->about().rank ? &*of : nullptr;
}

template <scalar V>
bool large_rank<V>::proves_full_rank(const byte_count& count)
{
    std::optional<factor::residue_report>& proof =
        request_.kept ? request_.kept->full_rank : own_proof_;
    if (proof) return true;
    const residue_factors* const first = made(residue_modulus::first, count);
    if (!first || !first->about().is_nonsingular()) return false;
    proof = first->about();
    (request_.kept ? request_.kept->residues : own_)[0].reset();
    return true;
}

template <scalar V>
bool large_rank<V>::is_too_large_for_columns(const byte_count& count)
{
    const residue_factors* const first = made(residue_modulus::first, count);
    return first && first->about().has_symmetric_pattern &&
           first->about().operations > options_of(request_.factorisation, true, {}).most_operations;
}

template <scalar V>
std::optional<rank_report> large_rank<V>::find(const byte_count& count)
{
    const residue_factors* const first = made(residue_modulus::first, count);
    if (!first) return {};
    if (first->about().is_nonsingular()) return rank_of(*first, system_.matrix(), true, 0);
    const residue_factors* const second = made(residue_modulus::second, count);
    if (!second) return {};
    const residue_factors& larger = *second->about().rank > *first->about().rank ? *second : *first;
    const vec<const dd_real> b = system_.right_hand_side();
    // … and two null vectors.
    stages_.count(4 * work_of_modular_solve * static_cast<double>(larger.about().entries));
    return rank_of(larger, system_.matrix(), first->is_consistent(b) && second->is_consistent(b),
                   1e9 * request_.factorisation.most_work);
}

template <scalar V>
bool large_rank<V>::prepare_zeros(const byte_count& count)
{
    made(residue_modulus::first, count) && made(residue_modulus::second, count);
    return can_tell_zeros();
}

template <scalar V>
bool large_rank<V>::can_tell_zeros() const
{
    return std::all_of(kept().begin(), kept().end(),
                       [](const auto& of) { return of && of->about().is_nonsingular(); });
}

template <scalar V>
std::vector<index_t> large_rank<V>::zeros(std::vector<index_t> suspects) const
{
    for (const auto& of : kept()) {
        const std::vector<bool> zero = of->zeros_of_solution(system_.right_hand_side());
        std::erase_if(suspects, [&](index_t i) { return !zero[static_cast<std::size_t>(i)]; });
        stages_.count(work_of_modular_solve * static_cast<double>(of->about().entries));
    }
    return suspects;
}

template <scalar V>
std::int64_t large_rank<V>::bytes() const
{
    std::int64_t sum = 0;
    for (const auto& of : kept())
        if (of && of->about().end == factor::factor_end::complete) sum += of->about().bytes;
    return sum;
}

template class large_rank<double>;
template class large_rank<dd_real>;

}  // namespace ddla::refine
