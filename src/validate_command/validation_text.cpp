// The report for people.
#include "validation.hpp"

#include "cli/report/read_notes.hpp"
#include "cli/shell/text_format.hpp"

#include <algorithm>
#include <functional>

namespace ddla::validate {
namespace {

using namespace cli;

std::string line(const std::string& label, const validation& v,
                 const std::function<std::string(const judged&)>& cell)
{
    std::string text = print("  %-30s", label.c_str());
    for (const judged& x : v.all) text += print("  %18s", cell(x).c_str());
    return text + '\n';
}

std::string digits_text(double digits)
{
    return digits >= most_digits ? print("%d or more", most_digits) : print("%.1f", digits);
}

std::string short_title(const judged& x)
{
    const std::string title = one_line(x.title);
    return title.size() <= 18 ? title : "..." + title.substr(title.size() - 15);
}

std::string status_text(const judged& x)
{
    if (!x.solve) return "given";
    if (x.solve->interrupted) return "interrupted";
    std::string text(to_string(x.solve->status));
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string solve_lines(const validation& v)
{
    std::string text = line("", v, short_title) + line("status", v, status_text);
    if (v.all.empty() || !v.all.front().solve) return text;
    return text +
           line("iterations", v,
                [](const judged& x) { return std::to_string(x.solve->iterations); }) +
           line("residual, true", v,
                [](const judged& x) { return scientific(x.solve->true_relative_residual); });
}

std::string measure_lines(const validation& v)
{
    const auto row = [&](const char* label, auto get) {
        return line(label, v, [&](const judged& x) { return get(x); });
    };
    using x = const judged&;
    return row("right digits, worst", [](x j) { return digits_text(j.digits.worst); }) +
           row("right digits, median", [](x j) { return digits_text(j.digits.median); }) +
           row("right digits, normwise", [](x j) { return digits_text(j.digits.normwise); }) +
           row("forward error, normwise", [](x j) { return scientific(j.digits.error); }) +
           row("FERR, estimated bound", [](x j) { return scientific(j.bound); }) +
           row("BERR, componentwise", [](x j) { return scientific(j.backward.berr); }) +
           row("omega1", [](x j) { return scientific(j.backward.omega1); }) +
           row("omega2", [](x j) { return scientific(j.backward.omega2); }) +
           row("eta, normwise backward", [](x j) { return scientific(j.backward.eta); });
}

std::string conditions(const reference_facts& r)
{
    return print("\nReference: agreed to %s%.0f digits (LU in %d and %d bits, %lld entries, %s).\n"
                 "RCOND %s (1-norm), Skeel's cond(A, x) %s; both estimated.\n",
                 r.agreed_digits > 999 ? "more than " : "", std::min(r.agreed_digits, 999.0),
                 r.lower_bits, r.bits, static_cast<long long>(r.entries),
                 seconds(r.seconds).c_str(), scientific(r.rcond).c_str(),
                 scientific(r.skeel).c_str());
}

/// Bars of at most 50 characters; digits that no component has are left out.
std::string histogram(const judged& x)
{
    const auto& counts = x.digits.histogram;
    const index_t most = *std::max_element(counts.begin(), counts.end());
    std::string text = "\nRight digits of " + one_line(x.title) + ": components\n";
    for (int d = 0; d <= most_digits; ++d) {
        const index_t count = counts[static_cast<std::size_t>(d)];
        if (count == 0) continue;
        const auto length = static_cast<std::size_t>((50 * count + most - 1) / most);
        text += print("  %2d%s  %9lld  ", d, d == most_digits ? "+" : " ",
                      static_cast<long long>(count)) +
                std::string(length, '#') + '\n';
    }
    if (x.digits.tiny > 0)
        text += print("  reference 0 or below 2.2e-308: %lld, of these %lld wrong\n",
                      static_cast<long long>(x.digits.tiny),
                      static_cast<long long>(x.digits.wrong_tiny));
    return text;
}

std::string worst_components(const judged& x)
{
    if (x.digits.worst_five.empty()) return "";
    std::string text = "The worst components of " + one_line(x.title) + ":\n";
    for (const component& c : x.digits.worst_five)
        text +=
            print("  %-10lld digits %4.1f   x  %s\n%26s ref  %s\n", static_cast<long long>(c.index),
                  c.digits, c.x.c_str(), "", c.reference.c_str());
    return text;
}

}  // namespace

std::string verdict(const validation& v)
{
    if (!v.reference) return "INTERRUPTED: there is no reference solution, nothing was validated.";
    const judged& x = v.all.back();
    const char* const how = v.normwise ? "normwise" : "in each component";
    const double digits = v.decisive_digits(x);
    const std::string right =
        digits >= most_digits ? print("%d or more", most_digits) : print("%.1f", digits);
    return std::string(v.passed() ? "PASS: " : "FAIL: ") + one_line(x.title) + " has " + right +
           " right digits " + how + print(", %d were asked for.", v.wanted_digits);
}

std::string validation_text(const validation& v)
{
    std::string text = matrix_line({v.rows, v.rows, v.nonzeros, v.matrix.string(), v.is_complex}) +
                       one_line(v.how + (v.how.empty() ? "b = " : ", b = ") + v.right_hand_side) +
                       '\n' + read_notes(v.read) + '\n' + solve_lines(v);
    if (v.reference) {
        text += measure_lines(v) + conditions(*v.reference);
        for (const judged& x : v.all) text += histogram(x) + worst_components(x);
    }
    return text + '\n' + verdict(v) + '\n';
}

}  // namespace ddla::validate
