// Options of `ddla solve` that would change nothing.
#include "effects.hpp"

#include "described_options.hpp"

#include "ddla/error.hpp"
#include "ddla/option_effects.hpp"

namespace ddla::cli {
namespace {

/// As the command line has it: "--precond ilut".
std::string in_words(std::string_view taker)
{
    const auto is_among = [taker](const auto& names) {
        return std::any_of(std::begin(names), std::end(names),
                           [taker](const auto& one) { return one.name == taker; });
    };
    const std::string name(taker);
    if (taker == "factors") return "factors of A (--method auto or refine)";
    if (taker == "krylov") return "methods that iterate";
    if (is_among(method_names)) return "--method " + name;
    return (is_among(polynomial_names) ? "--polynomial " : "--precond ") + name;
}

/// "--precond ilu, --precond ilut and --method auto"
std::string in_words(const std::vector<std::string_view>& takers)
{
    std::string text;
    for (std::size_t k = 0; k < takers.size(); ++k)
        text += (k == 0 ? "" : k + 1 == takers.size() ? " and " : ", ") + in_words(takers[k]);
    return text;
}

std::string solve_in_words(const solve_request& r)
{
    std::string text = "--method " + std::string(to_string(r.method));
    if (r.method == method::automatic) return text;
    const preconditioning k = r.used_precond();
    text += " and --precond " + std::string(to_string(k));
    if (k == preconditioning::polynomial)
        text += " --polynomial " + std::string(name_of(r.preconditioner.polynomial));
    return text;
}

/// The fields of the options that were given.
template <class Options>
void add_given(const solve_request& r, std::vector<std::string_view>& fields)
{
    describe(described<Options>(), [&](const auto& about) {
        if (about.not_in_command.empty() && r.has_given(dashed_name(about)))
            fields.push_back(about.name);
    });
}

std::string dashed_name_of(std::string_view field)
{
    std::string dashed;
    const auto look = [&](const auto& about) {
        if (about.name == field && about.not_in_command.empty()) dashed = dashed_name(about);
    };
    describe(described<solve_options>(), look);
    describe(described<preconditioner_options>(), look);
    describe(described<factorisation_options>(), look);
    return dashed;
}

std::string without_effect_of_library(const solve_request& r)
{
    std::vector<std::string_view> given;
    add_given<solve_options>(r, given);
    add_given<preconditioner_options>(r, given);
    add_given<factorisation_options>(r, given);
    // --precond auto is what automatic solves do.
    if (r.chooses_precond && r.method == method::automatic) std::erase(given, "precond");
    solve_options chosen = r;
    chosen.precond = r.used_precond();
    const auto idle = option_without_effect(chosen, given);
    if (!idle) return "";
    return dashed_name_of(idle->name) + ": has no effect with " + solve_in_words(r) +
           "; it is for " + in_words(idle->takers);
}

/// Those of the command alone.
std::string without_effect_of_command(const solve_request& r)
{
    if (r.has_given("--format") && r.method == method::refinement && r.uses_factors())
        return "--format: has no effect with " + solve_in_words(r) +
               ", which multiplies by A in no format";
    if (r.has_given("--rhs-values") && !r.right_hand_side_is_file())
        return "--rhs-values: has no effect without a file of --rhs";
    return "";
}

}  // namespace

std::string without_effect(const solve_request& r)
{
    const std::string refusal = without_effect_of_library(r);
    return refusal.empty() ? without_effect_of_command(r) : refusal;
}

void check_effects(const solve_request& r)
{
    const std::string refusal = without_effect(r);
    if (!refusal.empty()) throw input_error(refusal);
}

}  // namespace ddla::cli
