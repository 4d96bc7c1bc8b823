// What is out of the range of an option is refused, by the library and by the command, which name
// the option.
#include "catch.hpp"
#include "process.hpp"

#include "ddla/ddla.hpp"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

using namespace ddla;

namespace {

/// Values just outside; none of names and flags.
std::vector<double> outside(const about::whole_numbers& all)
{
    std::vector<double> values{static_cast<double>(all.least) - 1};
    if (all.most < (std::int64_t{1} << 53)) values.push_back(static_cast<double>(all.most) + 1);
    if (all.multiple_of > 1) values.push_back(static_cast<double>(all.least) + 1);
    return values;
}
std::vector<double> outside(const about::numbers& all)
{
    std::vector<double> values{NAN, all.above_least ? all.least : all.least - 1};
    if (std::isfinite(all.most)) values.push_back(all.below_most ? all.most : all.most + 1);
    return values;
}
std::vector<double> outside(const auto&)
{
    return {};
}

template <class To>
void set(To& to, double value)
{
    if constexpr (requires { to.has_value(); })
        to = static_cast<typename To::value_type>(value);
    else if constexpr (std::is_arithmetic_v<To>)
        to = static_cast<To>(value);
}

/// use(options, the option, who looks at it) of options of which one is just outside.
int for_each_outside(auto options, const auto& use)
{
    using Options = decltype(options);
    int count = 0;
    const Options presets;
    describe(
        described<Options>(),
        [&](const auto& about, auto& field, const auto& preset) {
            for (const double value : outside(about.values)) {
                INFO(about.name << " = " << value);
                set(field, value);
                use(options, std::string(about.name), std::string(about.read_by));
                ++count;
            }
            field = preset;
        },
        options, presets);
    return count;
}

std::string refusal(const std::function<void()>& work)
{
    try {
        work();
    } catch (const input_error& e) {
        return e.what();
    }
    return "nothing was refused";
}

csr_matrix<double> one_by_one()
{
    return csr_matrix<double>(1, 1, {0, 1}, {0}, {2.0});
}

std::string refusal_of_solve(const solve_options& o)
{
    const vector<dd_real> b(1, 1.0);
    vector<dd_real> x(1);
    return refusal([&] { solve(one_by_one(), b, x, o); });
}

preconditioning kind_of(const std::string& names)
{
    for (const auto& [name, kind] : preconditioning_names)
        if (names.substr(0, names.find(',')) == name) return kind;
    return preconditioning::ilu;
}

}  // namespace

TEST_CASE("the library refuses what is outside of a range, and names the option")
{
    const auto names_it = [](const std::string& text, const std::string& name) {
        INFO(text);
        CHECK(text.find(name + " must be ") != std::string::npos);
    };
    CHECK(for_each_outside(solve_options(), [&](const auto& o, const auto& name, const auto&) {
              names_it(refusal_of_solve(o), name);
          }) > 10);
    CHECK(for_each_outside(
              factorisation_options(), [&](const auto& o, const auto& name, const auto&) {
                  names_it(refusal_of_solve({.factorisation = o}), name);
                  names_it(refusal([&] { lu_factors<double>(one_by_one(), o); }), name);
              }) > 2);
    CHECK(for_each_outside(preconditioner_options(),
                           [&](const auto& o, const auto& name, const auto& of) {
                               names_it(refusal_of_solve({.method = method::bicgstab,
                                                          .precond = kind_of(of),
                                                          .preconditioner = o}),
                                        name);
                           }) > 10);
}

TEST_CASE("the command refuses what is outside of a range, and names the option")
{
    const cli_test::scratch folder;
    const std::string a =
        folder.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 2.0\n");
    int count = 0;
    const auto look = [&](const auto& about) {
        std::string option = "--" + std::string(about.command.empty() ? about.name : about.command);
        for (char& c : option) c = c == '_' ? '-' : c;
        for (const double value : outside(about.in_command.value_or(about.values))) {
            const std::string text = std::isnan(value) ? "nan" : to_string(value);
            const cli_test::result r = cli_test::run({"solve", a, option, text});
            INFO(option << ' ' << text << ": " << r.err);
            CHECK(r.exit_status == 2);
            CHECK(r.err.starts_with("ddla: " + option + ": \"" + text + "\" is not "));
            ++count;
        }
    };
    const auto look_at_all = [&](auto options) {
        describe(
            described<decltype(options)>(),
            [&](const auto& about, const auto&) {
                if (about.not_in_command.empty()) look(about);
            },
            options);
    };
    look_at_all(solve_options());
    look_at_all(factorisation_options());
    look_at_all(preconditioner_options());
    CHECK(count > 20);
}
