// How factorisations end: one vocabulary for all of them, with its names.
#pragma once

#include "ddla/error.hpp"
#include "ddla/factorisation.hpp"

#include <optional>
#include <string>

namespace ddla::factor {

enum class factor_end {
    complete,       ///< LU: with as many pivots as the rank; other rows and columns are left over
    over_work,      ///< more operations than allowed; L D L^T, whose pattern and matching tell that
                    ///< beforehand: than will be needed
    over_memory,    ///< more bytes than allowed: likewise
    stopped,        ///< by `watch`
    not_finite,     ///< an entry overflowed, or was not finite
    singular,       ///< QR: a column depends on those before it, as far as the numbers can tell
    not_definite,   ///< L L^T: a pivot is not positive
    no_pivots,      ///< L D L^T: singular by its pattern, no product of n entries
    not_symmetric,  ///< L D L^T: an entry differs from its mirror image
    bad_pivot,      ///< incomplete factors: refused, see bad_row
    unsuited,       ///< static pivots: threshold pivots take less, as far as is known
};

inline constexpr named<factor_end> factor_end_names[] = {
    {"complete", factor_end::complete},           {"over_work", factor_end::over_work},
    {"over_memory", factor_end::over_memory},     {"stopped", factor_end::stopped},
    {"not_finite", factor_end::not_finite},       {"singular", factor_end::singular},
    {"not_definite", factor_end::not_definite},   {"no_pivots", factor_end::no_pivots},
    {"not_symmetric", factor_end::not_symmetric}, {"bad_pivot", factor_end::bad_pivot},
    {"unsuited", factor_end::unsuited},
};
constexpr const auto& names_of(factor_end)
{
    return factor_end_names;
}

/// Which made the numbers; the bits are the same.
enum class factor_maker_is {
    host,
    device,
    host_for_room,  ///< the device had no room
};

/// What reports of factors have in common.
struct ended_report : factorisation_report {
    factor_end end = factor_end::complete;
    factor_maker_is maker = factor_maker_is::host;
};

/// The limit that ended it, if one did.
constexpr std::optional<limit_kind> limit_of(factor_end end)
{
    if (end == factor_end::over_work) return limit_kind::work;
    if (end == factor_end::over_memory) return limit_kind::memory;
    return std::nullopt;
}

/// Throws input_error, which names the end, unless there are factors to solve with.
inline void require_complete(factor_end end)
{
    if (end != factor_end::complete)
        throw input_error("a factorisation that ended early (" + std::string(name_of(end)) +
                          ") cannot solve");
}

}  // namespace ddla::factor
