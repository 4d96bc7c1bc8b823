#include "options.hpp"

namespace ddla::c {
namespace {

/// One value for C.  Lists are two fields there, which the caller sees to.
template <class Values, class From, class To>
void copy_to_c(const about::option<Values>& about, const From& from, To& to)
{
    if constexpr (std::is_same_v<Values, about::ends_of_parts>)
        return;
    else if constexpr (std::is_enum_v<From>)
        to = to_c(from);
    else if constexpr (requires { *from; })
        to = from ? static_cast<To>(*from) : static_cast<To>(about.not_given);
    else
        to = static_cast<To>(from);
}

template <class Values, class From, class To>
void copy_from_c(const about::option<Values>& about, const From& from, To& to)
{
    if constexpr (std::is_same_v<Values, about::ends_of_parts>)
        return;
    else if constexpr (std::is_enum_v<To>)
        to = from_c<To>(from, std::string(about.name).c_str());
    else if constexpr (requires { *to; })
        to = from == static_cast<From>(about.not_given) ? To() : To(from);
    else if constexpr (std::is_same_v<To, bool>)
        to = from != 0;
    else
        to = from;
}

/// The defaults of C++.
template <class Options, class COptions>
COptions defaults()
{
    const Options of_cpp;
    COptions o = {};
    describe(
        described<Options>(),
        [](const auto& about, const auto& from, auto& to) { copy_to_c(about, from, to); }, of_cpp,
        o);
    return o;
}

template <class Options, class COptions>
Options described_part(const COptions& o)
{
    Options to;
    describe(
        described<Options>(),
        [](const auto& about, const auto& from, auto& value) { copy_from_c(about, from, value); },
        o, to);
    return to;
}

const auto default_factor_options = defaults<factorisation_options, ddla_factor_options>;
const auto default_preconditioner_options =
    defaults<preconditioner_options, ddla_preconditioner_options>;
const auto default_solve_options = defaults<solve_options, ddla_solve_options>;
const auto default_check_options = defaults<check_options, ddla_check_options>;

}  // namespace

factorisation_options options_of(const ddla_factor_options* options)
{
    return described_part<factorisation_options>(
        given(options, default_factor_options(), "factorisation"));
}

preconditioner_options options_of(const ddla_preconditioner_options* options)
{
    const ddla_preconditioner_options o =
        given(options, default_preconditioner_options(), "preconditioner");
    auto to = described_part<preconditioner_options>(o);
    if (o.blocks_length < 0)
        throw misuse("blocks_length cannot be " + std::to_string(o.blocks_length));
    const int64_t* const blocks = required_array(o.blocks, o.blocks_length, "blocks");
    to.blocks.assign(blocks, blocks + o.blocks_length);
    return to;
}

solve_options options_of(const ddla_solve_options* options)
{
    const ddla_solve_options o = given(options, default_solve_options(), "options");
    auto to = described_part<solve_options>(o);
    to.factorisation = options_of(o.factorisation);
    to.preconditioner = options_of(o.preconditioner);
    if (o.iterations_on < 0)
        throw misuse("iterations_on cannot be " + std::to_string(o.iterations_on));
    if (o.iterations_on > 0)
        to.place_of_iterations = [at = place_of(o.iterations_on - 1)] { return at; };
    to.watch = watch_of(o.watch, o.watch_data);
    return to;
}

check_options options_of(const ddla_check_options* options)
{
    const ddla_check_options o = given(options, default_check_options(), "options");
    auto to = described_part<check_options>(o);
    to.factorisation = options_of(o.factorisation);
    to.watch = watch_of(o.watch, o.watch_data);
    return to;
}

}  // namespace ddla::c

using namespace ddla::c;

extern "C" {

ddla_status ddla_factor_options_init(ddla_factor_options* options, size_t size)
{
    return init(default_factor_options(), options, size);
}

ddla_status ddla_preconditioner_options_init(ddla_preconditioner_options* options, size_t size)
{
    return init(default_preconditioner_options(), options, size);
}

ddla_status ddla_solve_options_init(ddla_solve_options* options, size_t size)
{
    return init(default_solve_options(), options, size);
}

ddla_status ddla_check_options_init(ddla_check_options* options, size_t size)
{
    return init(default_check_options(), options, size);
}
}
