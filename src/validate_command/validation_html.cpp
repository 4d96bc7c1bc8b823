// The report as one page, without scripts and without other files.
#include "validation.hpp"

#include "bar_diagram.hpp"
#include "cli/report/convergence.hpp"
#include "cli/report/svg.hpp"
#include "cli/shell/text_format.hpp"

#include "ddla/version.hpp"

#include <algorithm>
#include <functional>

namespace ddla::validate {
namespace {

using namespace cli;
using svg::colours;
using svg::escaped;

/// Beside colours and diagrams.
const char* const page_style =
    "body { font-family: sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; "
    "color: var(--text); background: var(--page); overflow-wrap: anywhere; }\n"
    ".wide { overflow-x: auto; margin: 1em 0; }\n"
    "table { border-collapse: collapse; }\n"
    "th, td { border: 1px solid var(--line); padding: 0.3em 0.8em; text-align: right; "
    "overflow-wrap: normal; }\n"
    "th:first-child { text-align: left; }\n"
    "td.pair, th.pair { font-family: monospace; white-space: pre; text-align: left; }\n"
    ".note { font-size: 0.9em; }\n"
    ".verdict { font-size: 1.2em; font-weight: bold; }\n"
    ".pass { color: var(--pass); }\n"
    ".fail { color: var(--fail); }\n"
    "figure { margin: 1em 0; }\n"
    ".key { display: inline-block; width: 0.8em; height: 0.8em; margin: 0 0.4em 0 1em; }\n"
    ".key.s0 { background: var(--s0); }\n"
    ".key.s1 { background: var(--s1); }\n"
    "svg { display: block; width: 100%; max-width: 720px; height: auto; font-size: 13px; }\n"
    "@media (max-width: 600px) { svg { font-size: 24px; } polyline { stroke-width: 3; } "
    "th, td { padding: 0.3em 0.4em; } td.pair, th.pair { font-size: 0.75em; } }\n";

const char* const meanings =
    "<p class=\"note\">r = b - A x; norms are maximum norms. Right digits: "
    "-log10(|x - ref| / |ref|) of a component, from 0 to 40; normwise: of the norms. "
    "FERR (LAPACK): estimated bound of ||x - ref|| / ||x||. "
    "BERR (LAPACK): largest |r| / (|A| |x| + |b|) of a row. "
    "omega1, omega2 (MUMPS): the same of rows where |A| |x| + |b| is not tiny, and of those where "
    "it is, with a larger denominator. eta: ||r|| / (||A|| ||x|| + ||b||).</p>\n";

std::string row(const validation& v, const std::string& label,
                const std::function<std::string(const judged&)>& cell)
{
    std::string text = "<tr><th scope=\"row\">" + escaped(label) + "</th>";
    for (const judged& x : v.all) text += "<td>" + escaped(cell(x)) + "</td>";
    return text + "</tr>\n";
}

std::string measures(const validation& v)
{
    const auto number = [&](const char* label, auto get) {
        return row(v, label, [&](const judged& x) { return scientific(get(x)); });
    };
    const auto digits = [&](const char* label, auto get) {
        return row(v, label, [&](const judged& x) { return print("%.1f", get(x)); });
    };
    using x = const judged&;
    return digits("right digits, worst", [](x j) { return j.digits.worst; }) +
           digits("right digits, median", [](x j) { return j.digits.median; }) +
           digits("right digits, normwise", [](x j) { return j.digits.normwise; }) +
           number("forward error, normwise", [](x j) { return j.digits.error; }) +
           number("FERR, estimated bound", [](x j) { return j.bound; }) +
           number("BERR, componentwise", [](x j) { return j.backward.berr; }) +
           number("omega1", [](x j) { return j.backward.omega1; }) +
           number("omega2", [](x j) { return j.backward.omega2; }) +
           number("eta, normwise backward", [](x j) { return j.backward.eta; });
}

std::string table(const validation& v)
{
    std::string text = "<div class=\"wide\"><table>\n<tr><td></td>";
    for (const judged& x : v.all) text += "<th scope=\"col\">" + escaped(x.title) + "</th>";
    text += "</tr>\n";
    if (!v.all.empty() && v.all.front().solve) {
        text += row(v, "status", [](const judged& x) {
            if (x.solve->interrupted) return std::string("interrupted");
            std::string status(to_string(x.solve->status));
            std::replace(status.begin(), status.end(), '_', ' ');
            return status;
        });
        text += row(v, "iterations",
                    [](const judged& x) { return std::to_string(x.solve->iterations); });
        text += row(v, "residual, true",
                    [](const judged& x) { return scientific(x.solve->true_relative_residual); });
    }
    return text + (v.reference ? measures(v) : "") + "</table></div>\n" +
           (v.reference ? meanings : "");
}

std::string key_of(const validation& v)
{
    std::vector<std::string> names;
    for (const judged& x : v.all) names.push_back(x.title);
    return "<figcaption>" + colour_key(names);
}

std::string convergence(const validation& v)
{
    std::vector<curve> curves;
    for (const judged& x : v.all)
        if (x.solve) curves.push_back({x.title, x.solve->history});
    if (curves.empty()) return "";
    return "<h2>Convergence</h2>\n<figure>\n" + convergence_diagram(curves, v.tolerance) +
           key_of(v) +
           "&#160; relative residual of the recurrence; dashed: the tolerance</figcaption>\n"
           "</figure>\n";
}

/// Why components may have no right digit although they are small.
std::string tiny_components(const validation& v)
{
    std::string text;
    for (const judged& x : v.all)
        if (x.digits.tiny > 0)
            text +=
                print("<p>Of the reference %lld components are 0 or below 2.2e-308; of these %lld "
                      "have no right digit in ",
                      static_cast<long long>(x.digits.tiny),
                      static_cast<long long>(x.digits.wrong_tiny)) +
                escaped(x.title) + ".</p>\n";
    return text;
}

std::string distribution(const validation& v)
{
    if (!v.reference) return "";
    std::vector<bars> series;
    for (const judged& x : v.all)
        series.push_back({x.title, {x.digits.histogram.begin(), x.digits.histogram.end()}});
    return "<h2>Right digits</h2>\n<figure>\n" + bar_diagram(series) + key_of(v) +
           "</figcaption>\n</figure>\n" + tiny_components(v);
}

/// With a blank in place of a plus, so that digits stand below each other.
std::string aligned(const std::string& number)
{
    return (number.front() == '-' ? "" : "\u00a0") + escaped(number);
}

std::string worst_components(const judged& x)
{
    if (x.digits.worst_five.empty()) return "";
    std::string text = "<h2>Worst components of " + escaped(x.title) +
                       "</h2>\n<div class=\"wide\"><table>\n<tr><th scope=\"col\">index</th>"
                       "<th scope=\"col\">right digits</th>"
                       "<th scope=\"col\" class=\"pair\">x, below it the reference</th></tr>\n";
    for (const component& c : x.digits.worst_five)
        text += print("<tr><th scope=\"row\">%lld</th><td>%.1f</td>",
                      static_cast<long long>(c.index), c.digits) +
                "<td class=\"pair\">" + aligned(c.x) + "<br/>" + aligned(c.reference) +
                "</td></tr>\n";
    return text + "</table></div>\n";
}

std::string reference_text(const reference_facts& r)
{
    return print("<p>Reference: agreed to %.0f digits, by LU in %d and %d bits with %lld entries. "
                 "RCOND %s, Skeel's cond(A, x) %s; both estimated.</p>\n",
                 std::min(r.agreed_digits, 999.0), r.lower_bits, r.bits,
                 static_cast<long long>(r.entries), scientific(r.rcond).c_str(),
                 scientific(r.skeel).c_str());
}

}  // namespace

std::string validation_html(const validation& v)
{
    const std::string name = escaped(v.matrix.filename().string());
    std::string page =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<title>ddla-validate: " +
        name + "</title>\n<style>\n" + colours + svg::style + page_style +
        "</style>\n</head>\n<body>\n<h1>" + name + "</h1>\n<p>" +
        print("%s%lld x %lld, %lld nonzeros. ",
              v.is_complex ? "Real form of a complex matrix: " : "", static_cast<long long>(v.rows),
              static_cast<long long>(v.rows), static_cast<long long>(v.nonzeros)) +
        escaped(v.how + (v.how.empty() ? "b = " : ", b = ") + v.right_hand_side) +
        ".</p>\n<p class=\"verdict " + (v.passed() ? "pass" : "fail") + "\">" +
        escaped(verdict(v)) + "</p>\n" + table(v);
    if (v.reference) page += reference_text(*v.reference);
    page += distribution(v) + convergence(v);
    if (v.reference)
        for (const judged& x : v.all) page += worst_components(x);
    return page + "<p>ddla " DDLA_VERSION "</p>\n</body>\n</html>\n";
}

}  // namespace ddla::validate
