#include "ddla/option_effects.hpp"

#include "plan.hpp"
#include "solve_on.hpp"

#include <algorithm>

namespace ddla {
namespace {

using words = std::vector<std::string_view>;

/// What a solve has that takes options, in the names of about::option::taken_by.
words takers_in(const solve_options& o, bool has_preconditioner)
{
    words all;
    for (const auto& [name, m] : method_names)
        if (m == o.method) all.push_back(name);
    if (!api::uses_factors(o.method))
        all.emplace_back("krylov");
    else if (!api::corrects_by_iterations(has_preconditioner, o))
        all.emplace_back("factors");
    if (o.method == method::automatic) return all;
    all.push_back(name_of(o.precond));
    if (o.precond == preconditioning::polynomial)
        all.push_back(name_of(o.preconditioner.polynomial));
    return all;
}

words split(std::string_view names)
{
    words all;
    for (;;) {
        const std::size_t comma = names.find(", ");
        all.push_back(names.substr(0, comma));
        if (comma == names.npos) return all;
        names.remove_prefix(comma + 2);
    }
}

bool is_among(std::string_view one, const words& all)
{
    return std::find(all.begin(), all.end(), one) != all.end();
}

bool is_judged_elsewhere(std::string_view name)
{
    return name == "digits" || name == "normwise" || name == "certify";
}

template <class Options>
std::optional<idle_option> first_idle(const words& given, const words& here)
{
    std::optional<idle_option> idle;
    describe(described<Options>(), [&](const auto& about) {
        const std::string_view takers = takers_of(about);
        if (idle || takers.empty() || is_judged_elsewhere(about.name) ||
            !is_among(about.name, given))
            return;
        const words all = split(takers);
        const auto is_here = [&](std::string_view one) { return is_among(one, here); };
        if (std::none_of(all.begin(), all.end(), is_here)) idle = {about.name, all};
    });
    return idle;
}

}  // namespace

std::optional<idle_option> option_without_effect(const solve_options& options,
                                                 const std::vector<std::string_view>& given,
                                                 bool has_preconditioner)
{
    const words here = takers_in(options, has_preconditioner);
    auto idle = first_idle<solve_options>(given, here);
    if (!idle) idle = first_idle<preconditioner_options>(given, here);
    if (!idle) idle = first_idle<factorisation_options>(given, here);
    return idle;
}

}  // namespace ddla
