// Options of Python, by name, and the watch of a solve.
#pragma once

#include "arrays.hpp"

#include "ddla/option_names.hpp"

#include <nanobind/stl/vector.h>

#include <chrono>

namespace ddla::python {

/// Of a solve with this preconditioner object, or None.  ValueError for an option that would have
/// no effect.
solve_options solve_options_of(const nb::dict& given, const nb::object& k = nb::none());
check_options check_options_of(const nb::dict& given);
/// What counts where an option that is a number is not given, by name.
nb::dict usual_options();
/// Keywords are the names in the descriptions (ddla/describe.hpp).  What was taken goes out of
/// `left`; the rest is for the caller to refuse.
factorisation_options take_factorisation(const nb::dict& given, nb::dict& left);
/// The keywords of factors hold for incomplete ones, too.
preconditioner_options take_preconditioner(const nb::dict& given, nb::dict& left);
/// Assignment alone would share the entries.
nb::dict copy_of(const nb::dict& given);
/// TypeError unless it is empty.
void require_empty(const nb::dict& given);

/// Calls a function of Python, or none, at each look, and sees to Ctrl-C every 50 ms: exceptions of
/// both pass through the solve.  The function returns False to end the solve.
class watcher {
public:
    explicit watcher(nb::object callback) : callback_(std::move(callback)) {}
    bool operator()(const solve_progress& p)
    {
        const auto now = std::chrono::steady_clock::now();
        const bool calls = !callback_.is_none();
        if (!calls && now - last_ < std::chrono::milliseconds(50)) return true;
        last_ = now;
        const nb::gil_scoped_acquire held;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (!calls) return true;
        const nb::object done =
            p.done < 0 ? nb::object(nb::none()) : nb::object(nb::float_(p.done));
        return nb::cast<bool>(
            callback_(p.iterations, p.relative_residual, std::string(p.stage), done));
    }

private:
    nb::object callback_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace ddla::python
