// Options of `ddla solve` that would change nothing.
#include "effects.hpp"

#include "described_options.hpp"

#include "ddla/error.hpp"

namespace ddla::cli {
namespace {

/// What a solve has that takes options, in the names of about::option::taken_by.
std::vector<std::string_view> takers_in(const solve_request& r)
{
    std::vector<std::string_view> all;
    for (const auto& [name, method] : method_names)
        if (method == r.method) all.push_back(name);
    if (r.uses_factors()) all.emplace_back("factors");
    const bool is_krylov = r.method != method::automatic && r.method != method::refinement;
    if (is_krylov) all.emplace_back("krylov");
    if (r.method == method::automatic) return all;
    all.push_back(name_of(r.used_precond()));
    if (r.used_precond() == preconditioning::polynomial)
        all.push_back(name_of(r.preconditioner.polynomial));
    return all;
}

std::vector<std::string_view> split(std::string_view names)
{
    std::vector<std::string_view> all;
    for (;;) {
        const std::size_t comma = names.find(", ");
        all.push_back(names.substr(0, comma));
        if (comma == names.npos) return all;
        names.remove_prefix(comma + 2);
    }
}

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

bool is_judged_elsewhere(std::string_view name)
{
    return name == "digits" || name == "normwise" || name == "certify";
}

template <class Options>
std::string without_effect_of(const solve_request& r, const std::vector<std::string_view>& here)
{
    std::string refusal;
    describe(described<Options>(), [&](const auto& about) {
        const std::string_view takers = takers_of(about);
        if (!refusal.empty() || takers.empty() || is_judged_elsewhere(about.name) ||
            !r.has_given(dashed_name(about)))
            return;
        const std::vector<std::string_view> all = split(takers);
        const auto is_here = [&](std::string_view one) {
            return std::find(here.begin(), here.end(), one) != here.end();
        };
        if (std::any_of(all.begin(), all.end(), is_here)) return;
        refusal = dashed_name(about) + ": has no effect with " + solve_in_words(r) +
                  "; it is for " + in_words(all);
    });
    return refusal;
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
    const std::vector<std::string_view> here = takers_in(r);
    // --precond auto is what automatic solves do.
    solve_request others = r;
    if (r.chooses_precond && r.method == method::automatic)
        std::erase(others.given, std::string("--precond"));
    for (const std::string& refusal : {without_effect_of<solve_options>(others, here),
                                       without_effect_of<preconditioner_options>(others, here),
                                       without_effect_of<factorisation_options>(others, here),
                                       without_effect_of_command(others)})
        if (!refusal.empty()) return refusal;
    return "";
}

void check_effects(const solve_request& r)
{
    const std::string refusal = without_effect(r);
    if (!refusal.empty()) throw input_error(refusal);
}

}  // namespace ddla::cli
