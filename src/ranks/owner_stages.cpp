#include "owner_stages.hpp"

#include "ddla/summation.hpp"

#include <cstring>

namespace ddla::ranks {
namespace {

void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes)
{
    if (bytes > 0) std::memcpy(to, from, bytes);
}

std::size_t travelling_of(const sum_plan& plan)
{
    index_t all = 0;
    for (const node_level& one : plan.levels()) all += one.travelling();
    return static_cast<std::size_t>(all);
}

}  // namespace

std::byte* owner_stages::room(const sum_plan& plan, std::size_t count, const summand& of)
{
    packed_.resize(count * travelling_of(plan) * of.bytes);
    slots_.resize(count * plan.slots_of_stages() * of.bytes);
    terms_.resize(tile_size * of.bytes);
    return packed_.data();
}

std::byte* owner_stages::at(const sum_plan& plan, std::size_t j, std::size_t slot,
                            const summand& of)
{
    return slots_.data() + (j * plan.slots_of_stages() + slot) * of.bytes;
}

std::size_t owner_stages::run(const sum_plan& plan, std::size_t count, const summand& of,
                              communicator& among)
{
    const std::size_t travelling = travelling_of(plan) * of.bytes;
    std::size_t sent = 0, next = travelling_of(plan);
    for (std::size_t j = 0; j < count; ++j)
        copy_bytes(at(plan, j, 0, of), packed_.data() + j * travelling, travelling);
    for (const sum_plan::stage& now : plan.stages()) {
        exchange(plan, now, count, of, among);
        for (const auto& part : now.sends) sent += count * part.slots.size();
        for (const auto& part : now.receives) next += part.slots.size();
        for (const sum_plan::fold& one : now.folds) {
            for (std::size_t j = 0; j < count; ++j) {
                for (std::size_t i = 0; i < one.size(); ++i)
                    copy_bytes(terms_.data() + i * of.bytes, at(plan, j, one[i], of), of.bytes);
                of.fold(terms_.data(), static_cast<int>(one.size()), at(plan, j, next, of));
            }
            ++next;
        }
    }
    return sent;
}

void owner_stages::exchange(const sum_plan& plan, const sum_plan::stage& now, std::size_t count,
                            const summand& of, communicator& among)
{
    std::vector<communicator::outgoing> sent;
    std::vector<communicator::incoming> received;
    out_.resize(now.sends.size());
    in_.resize(now.receives.size());
    for (std::size_t k = 0; k < now.sends.size(); ++k) {
        out_[k].clear();
        for (std::size_t j = 0; j < count; ++j)
            for (const std::size_t slot : now.sends[k].slots) {
                const std::byte* const from = at(plan, j, slot, of);
                out_[k].insert(out_[k].end(), from, from + of.bytes);
            }
        sent.push_back({now.sends[k].rank, out_[k]});
    }
    for (std::size_t k = 0; k < now.receives.size(); ++k) {
        in_[k].resize(count * now.receives[k].slots.size() * of.bytes);
        received.push_back({now.receives[k].rank, in_[k]});
    }
    among.start_exchange(sent, received);
    among.finish_exchange();
    for (std::size_t k = 0; k < now.receives.size(); ++k) {
        const std::byte* from = in_[k].data();
        for (std::size_t j = 0; j < count; ++j)
            for (const std::size_t slot : now.receives[k].slots) {
                copy_bytes(at(plan, j, slot, of), from, of.bytes);
                from += of.bytes;
            }
    }
}

void owner_stages::leave(const sum_plan& plan, std::size_t count, const summand& of, std::byte* to)
{
    for (std::size_t j = 0; j < count; ++j)
        for (const std::size_t slot : plan.leaving()) {
            copy_bytes(to, at(plan, j, slot, of), of.bytes);
            to += of.bytes;
        }
}

}  // namespace ddla::ranks
