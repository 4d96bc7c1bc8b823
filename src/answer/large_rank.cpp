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
bool large_rank<V>::suits() const
{
    return may_have_static_pivots(static_cast<double>(system_.size())) &&
           !has_shared_places(system_.matrix());
}

template <scalar V>
factor::static_options large_rank<V>::options() const
{
    return {.common = options_of(request_.factorisation, true, watch_),
            .most_operations = request_.factorisation.most_work * 1e9 /
                               (work_of_supernodes<double>(1) * factor::work_of_residue),
            .least_operations = factor::least_static_operations<double>};
}

template <scalar V>
const residue_factors* large_rank<V>::made(residue_modulus modulo, const byte_count& count)
{
    if (!suits()) return nullptr;
    std::optional<residue_factors>& of = held()[static_cast<std::size_t>(modulo)];
    if (!of) {
        auto now = residue_factors::make(system_.matrix(), options(), modulo);
        stages_.count(work_of_supernodes<double>(now.about().done) * factor::work_of_residue);
        count(now.about().making_bytes);
        if (!was_stopped(now.about().end)) of = std::move(now);
    }
    return of && of->about().rank ? &*of : nullptr;
}

template <scalar V>
bool large_rank<V>::proves_full_rank(const byte_count& count)
{
    if (proof()) return true;
    const residue_factors* const first = made(residue_modulus::first, count);
    if (!first || !first->about().is_nonsingular()) return false;
    proof() = first->about();
    if (!held()[1]) let_go();  // both are there for zeros
    return true;
}

template <scalar V>
bool large_rank<V>::is_too_large_for_columns()
{
    if (!suits()) return false;
    const std::optional<residue_factors>& first = held()[0];
    const factor::residue_report about = proof() ? *proof()
                                         : first
                                             ? first->about()
                                             : residue_factors::count(system_.matrix(), options());
    const double most = options_of(request_.factorisation, true, {}).most_operations;
    return about.has_symmetric_pattern && about.operations > 2 * most;
}

template <scalar V>
std::optional<rank_report> large_rank<V>::find(const byte_count& count)
{
    const residue_factors *const first = made(residue_modulus::first, count), *larger = first;
    if (!first) return {};
    bool consistent = true;
    const vec<const dd_real> b = system_.right_hand_side();
    if (!first->about().is_nonsingular()) {
        const residue_factors* const second = made(residue_modulus::second, count);
        if (!second) return {};
        if (*second->about().rank > *first->about().rank) larger = second;
        // What a prime that divides a minor says of b means nothing.
        consistent = larger->is_consistent(b) &&
                     (*second->about().rank != *first->about().rank || second->is_consistent(b));
        stages_.count(2 * work_of_modular_solve * static_cast<double>(larger->about().entries));
    }
    std::optional<rank_report> mine;
    std::optional<rank_report>& rank = request_.kept ? request_.kept->rank_by_supernodes : mine;
    if (!rank) rank = rank_of(*larger, system_.matrix(), 1e9 * request_.factorisation.most_work);
    rank_report of_b = *rank;
    of_b.consistent = consistent;
    return of_b;
}

template <scalar V>
bool large_rank<V>::prepare_zeros(const byte_count& count)
{
    if (made(residue_modulus::first, count)) made(residue_modulus::second, count);
    return can_tell_zeros();
}

template <scalar V>
bool large_rank<V>::can_tell_zeros() const
{
    return std::all_of(held().begin(), held().end(),
                       [](const auto& of) { return of && of->about().is_nonsingular(); });
}

template <scalar V>
std::vector<index_t> large_rank<V>::zeros(std::vector<index_t> suspects) const
{
    for (const auto& of : held()) {
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
    for (const auto& of : held())
        if (of && of->about().end == factor::factor_end::complete) sum += of->about().bytes;
    return sum;
}

template class large_rank<double>;
template class large_rank<dd_real>;

}  // namespace ddla::refine
