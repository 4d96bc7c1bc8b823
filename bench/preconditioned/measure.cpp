#include "measure.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace bench {

namespace {

struct method_pair {
    krylov_method method;
    factors_kind factors;
};

std::vector<method_pair> pairs_of(const contender& c, bool symmetric, bool fgmres)
{
    std::vector<method_pair> all = {{krylov_method::bicgstab, factors_kind::ilu}};
    const auto for_cg = c.has(factors_kind::ic) ? factors_kind::ic : factors_kind::ilu;
    if (fgmres) all.push_back({krylov_method::fgmres, factors_kind::ilu});
    if (symmetric) all.push_back({krylov_method::cg, for_cg});
    std::erase_if(all, [&](const method_pair& p) { return !c.has(p.method); });
    return all;
}

/// JSON has no NaN.
json number(double x)
{
    return std::isfinite(x) ? json(x) : json(nullptr);
}

/// The one with the median time of up to five, while they take less than a second together.
solve_outcome median_solve(contender& c, const demand& d)
{
    std::vector<solve_outcome> all = {c.solve(d)};
    double total = all[0].seconds;
    while (all.size() < 5 && total < 1) {
        all.push_back(c.solve(d));
        total += all.back().seconds;
    }
    std::sort(all.begin(), all.end(), [](const solve_outcome& one, const solve_outcome& other) {
        return one.seconds < other.seconds;
    });
    return all[all.size() / 2];
}

/// `work` fills the record; what it throws is said there.
template <class F>
json tried(json record, const F& work)
{
    try {
        work(record);
    } catch (const std::exception& e) {
        record["failed"] = e.what();
    }
    return record;
}

json build(contender& c, factors_kind kind)
{
    return tried({{"kind", to_string(kind)}}, [&](json& r) {
        const build_outcome b = c.build(kind);
        r["seconds"] = number(b.seconds);
        r["fill"] = number(b.fill);
        r["shifts"] = b.shifts;
        r["apply_seconds"] = number(c.apply_seconds());
    });
}

json solve(contender& c, const demand& d)
{
    const json what = {{"method", to_string(d.method)},
                       {"factors", to_string(d.factors)},
                       {"tolerance", d.tolerance}};
    return tried(what, [&](json& r) {
        const solve_outcome o = median_solve(c, d);
        r["status"] = o.status;
        r["claims"] = o.claims;
        r["iterations"] = o.iterations;
        r["seconds"] = number(o.seconds);
        r["true_relative_residual"] = number(o.true_residual);
        r["reached"] = o.claims && o.true_residual <= d.tolerance;
    });
}

void measure_pair(contender& c, const method_pair& p, std::optional<factors_kind>& built,
                  const measure_options& o, json& record)
{
    if (built != p.factors) {
        record["factors"].push_back(build(c, p.factors));
        built = p.factors;
    }
    const json& factors = record["factors"].back();
    if (factors.contains("failed")) return;
    for (const double tolerance : o.tolerances)
        if (c.can_reach(tolerance))
            record["solves"].push_back(
                solve(c, {p.method, p.factors, tolerance, o.most_seconds, o.most_iterations}));
}

}  // namespace

json measure_contender(const contender_maker& maker, const ddla::csr_matrix<double>& a,
                       bool symmetric, const measure_options& o)
{
    json record = maker.about;
    record["factors"] = record["solves"] = json::array();
    return tried(record, [&](json& r) {
        const std::unique_ptr<contender> c = maker.make(a);
        std::optional<factors_kind> built;
        for (const method_pair& p : pairs_of(*c, symmetric, o.fgmres))
            measure_pair(*c, p, built, o, r);
    });
}

void print(const json& c)
{
    const auto text = [](const json& r, const char* key) { return r[key].get<std::string>(); };
    const auto figure = [](const json& r, const char* key) {
        return r[key].is_null() ? NAN : r[key].get<double>();
    };
    std::string name = text(c, "who") + ", " + text(c, "place") + ", " + text(c, "precision");
    if (c.contains("threads")) name += ", " + std::to_string(c["threads"].get<int>());
    if (c.contains("failed"))
        std::printf("  %-36s failed: %s\n", name.c_str(), text(c, "failed").c_str());
    for (const json& f : c["factors"])
        if (f.contains("failed"))
            std::printf("  %-36s %s failed: %s\n", name.c_str(), text(f, "kind").c_str(),
                        text(f, "failed").c_str());
        else
            std::printf("  %-36s %s built in %.3g s, applied in %.4g ms\n", name.c_str(),
                        text(f, "kind").c_str(), figure(f, "seconds"),
                        figure(f, "apply_seconds") * 1e3);
    for (const json& s : c["solves"])
        if (s.contains("failed"))
            std::printf("  %-36s %s failed: %s\n", name.c_str(), text(s, "method").c_str(),
                        text(s, "failed").c_str());
        else
            std::printf("  %-36s %-8s %s %.0e: %s, %ld iterations, %.4g s, true residual %.2e\n",
                        name.c_str(), text(s, "method").c_str(), text(s, "factors").c_str(),
                        figure(s, "tolerance"), text(s, "status").c_str(),
                        s["iterations"].get<long>(), figure(s, "seconds"),
                        figure(s, "true_relative_residual"));
}

}  // namespace bench
