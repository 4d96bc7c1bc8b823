// Factorisations by supernodes at a device, as an engine offers them.
#pragma once

#include "factor/columns.hpp"
#include "factor/factor_end.hpp"
#include "ldlt.hpp"
#include "place_of_factors.hpp"
#include "static_lu.hpp"

#include <atomic>
#include <memory>
#include <optional>

namespace ddla::factor {

/// In one precision.  The bits are those of the host, and so are the arguments; the factors have no
/// memory yet, and may leave their numbers there (llt_values::leave).  Nothing is returned where
/// the device has no room.  Throws resource_error where it fails.  A watch of the thread can end
/// the work (ddla/watched_scope.hpp).  `there`: the factors that stay there, for solves; none where
/// the device has no room for those.
template <scalar F>
class factors_elsewhere {
public:
    using placed = std::shared_ptr<placed_factors<F>>;

    virtual ~factors_elsewhere() = default;
    /// See llt.hpp.
    virtual std::optional<column_t> make_llt(const supernodes& s, const sparse_columns<F>& lower,
                                             llt_values<F>& l, std::atomic<double>& done,
                                             placed& there) = 0;
    /// See static_lu.hpp.
    virtual std::optional<column_t> make_static_lu(const supernodes& s,
                                                   const sparse_columns<F>& columns,
                                                   const sparse_columns<F>& rows,
                                                   const pivot_rule& rule, static_lu<F>& f,
                                                   std::atomic<double>& done, placed& there) = 0;
    /// See ldlt.hpp.
    virtual std::optional<column_t> make_ldlt(const supernodes& s, const sparse_columns<F>& lower,
                                              const pivot_rule& rule, ldlt_values<F>& f,
                                              std::atomic<double>& done, placed& there) = 0;
    /// On the engine's stream, with factors that stay at its device.  Throws resource_error where
    /// there is no room for some vectors.
    template <scalar T>
    std::unique_ptr<placed_solver<T>> solver(const placed& of, const placed_order& by)
    {
        return solver_of(of, by, T{});
    }

protected:
    virtual std::unique_ptr<placed_solver<double>> solver_of(const placed&, const placed_order&,
                                                             double) = 0;
    virtual std::unique_ptr<placed_solver<dd_real>> solver_of(const placed&, const placed_order&,
                                                              dd_real) = 0;
};

class factor_operations {
public:
    virtual ~factor_operations() = default;
    template <scalar F>
    factors_elsewhere<F>& in()
    {
        return for_numbers(F{});
    }

protected:
    virtual factors_elsewhere<double>& for_numbers(double) = 0;
    virtual factors_elsewhere<dd_real>& for_numbers(dd_real) = 0;
};

/// By what `at` says for so many operations, or, where there is no room, by the host.
template <scalar F, class Elsewhere, class Host>
column_t make_anywhere(const place_of_factors& at, ended_report& about, const Elsewhere& elsewhere,
                       const Host& at_host)
{
    about.maker = factor_maker_is::host;
    constexpr double in_double = words_of<F> == 1 ? 1 : supernodes_in_dd;
    if (factor_operations* const there = at ? at(in_double * about.operations) : nullptr) {
        if (const std::optional<column_t> failed = elsewhere(there->in<F>())) {
            about.maker = factor_maker_is::device;
            return *failed;
        }
        about.maker = factor_maker_is::host_for_room;
    }
    return at_host();
}

}  // namespace ddla::factor
