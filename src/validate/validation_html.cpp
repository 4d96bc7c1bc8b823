// The report as one page, without scripts and without other files.
#include "validation.hpp"

#include "svg.hpp"
#include "text_format.hpp"

#include "ddla/version.hpp"

#include <functional>

namespace ddla::validate {
namespace {

using namespace cli;

const char* const style =
    "body { font-family: sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; }\n"
    "table { border-collapse: collapse; margin: 1em 0; }\n"
    "th, td { border: 1px solid #cccccc; padding: 0.3em 0.8em; text-align: right; }\n"
    "th:first-child { text-align: left; }\n"
    ".verdict { font-size: 1.2em; font-weight: bold; }\n";

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
           number("FERR, its bound (estimate)", [](x j) { return j.bound; }) +
           number("BERR, componentwise", [](x j) { return j.backward.berr; }) +
           number("omega1", [](x j) { return j.backward.omega1; }) +
           number("omega2", [](x j) { return j.backward.omega2; }) +
           number("eta, normwise backward", [](x j) { return j.backward.eta; });
}

std::string table(const validation& v)
{
    std::string text = "<table>\n<tr><th></th>";
    for (const judged& x : v.all) text += "<th scope=\"col\">" + escaped(x.title) + "</th>";
    text += "</tr>\n";
    if (!v.all.empty() && v.all.front().solve) {
        text += row(v, "status", [](const judged& x) {
            return x.solve->interrupted ? "interrupted" : std::string(to_string(x.solve->status));
        });
        text += row(v, "iterations",
                    [](const judged& x) { return std::to_string(x.solve->iterations); });
        text += row(v, "residual, true",
                    [](const judged& x) { return scientific(x.solve->true_relative_residual); });
    }
    return text + (v.reference ? measures(v) : "") + "</table>\n";
}

std::string convergence(const validation& v)
{
    std::vector<curve> curves;
    for (const judged& x : v.all)
        if (x.solve) curves.push_back({x.title, x.solve->history});
    if (curves.empty()) return "";
    return "<h2>Convergence</h2>\n<p>Relative residual of the recurrence.</p>\n" +
           convergence_diagram(curves);
}

std::string distribution(const validation& v)
{
    if (!v.reference) return "";
    std::vector<bars> series;
    for (const judged& x : v.all)
        series.push_back({x.title, {x.digits.histogram.begin(), x.digits.histogram.end()}});
    return "<h2>Right digits</h2>\n" + bar_diagram(series);
}

std::string worst_components(const judged& x)
{
    if (x.digits.worst_five.empty()) return "";
    std::string text = "<h2>Worst components of " + escaped(x.title) +
                       "</h2>\n<table>\n<tr><th scope=\"col\">component</th>"
                       "<th scope=\"col\">right digits</th><th scope=\"col\">x</th>"
                       "<th scope=\"col\">reference</th></tr>\n";
    for (const component& c : x.digits.worst_five)
        text += print("<tr><th scope=\"row\">%lld</th><td>%.1f</td>",
                      static_cast<long long>(c.index), c.digits) +
                "<td>" + escaped(c.x) + "</td><td>" + escaped(c.reference) + "</td></tr>\n";
    return text + "</table>\n";
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
    std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                       "<title>ddla-validate: " +
                       name + "</title>\n<style>\n" + style + "</style>\n</head>\n<body>\n<h1>" +
                       name + "</h1>\n<p>" +
                       print("%lld x %lld, %lld nonzeros. ", static_cast<long long>(v.rows),
                             static_cast<long long>(v.rows), static_cast<long long>(v.nonzeros)) +
                       escaped(v.how + (v.how.empty() ? "b = " : ", b = ") + v.right_hand_side) +
                       ".</p>\n<p class=\"verdict\">" + escaped(verdict(v)) + "</p>\n" + table(v);
    if (v.reference) page += reference_text(*v.reference);
    page += distribution(v) + convergence(v);
    if (v.reference)
        for (const judged& x : v.all) page += worst_components(x);
    return page + "<p>ddla " DDLA_VERSION "</p>\n</body>\n</html>\n";
}

}  // namespace ddla::validate
