// ddla in double or double-double, at the host or a device; in double-double also by corrections in
// double.
#include "contender.hpp"

#include "support/data.hpp"

#include "engine/engine.hpp"

#include "ddla/host_threads.hpp"
#include "ddla/solve.hpp"

namespace bench {

using namespace ddla;

namespace {

constexpr double smallest_residual(double)
{
    return 1e-16;
}
constexpr double smallest_residual(dd_real)
{
    return 1e-31;
}

method method_of(krylov_method m)
{
    switch (m) {
    case krylov_method::bicgstab:
        return method::bicgstab;
    case krylov_method::cg:
        return method::cg;
    case krylov_method::fgmres:
        break;
    }
    return method::fgmres;
}

/// How x is found: by a method in its precision, or refined by corrections in double.
enum class way { directly, refining };

json about_ddla(place at, int threads, const char* precision, way by)
{
    json a = {{"who", by == way::refining ? "ddla refining" : "ddla"},
              {"place", at.is_host() ? "host" : "device"},
              {"precision", precision}};
    if (at.is_host()) a["threads"] = threads;
    return a;
}

template <scalar T>
constexpr const char* precision_of = words_of<T> == 1 ? "double" : "double-double";

template <scalar T>
class ddla_contender final : public contender {
public:
    ddla_contender(const csr_matrix<double>& a, place at, int threads, way by)
        : at_(at), threads_(threads), by_(by), a_(a.to(at)), b_(vector<T>(a.rows(), T(1)).to(at)),
          x_(a.columns(), at)
    {
        set_host_threads(threads);
        if (by == way::refining)
            set_format<double>(a_);
        else
            set_format<T>(a_);
    }

    json about() const override { return about_ddla(at_, threads_, precision_of<T>, by_); }
    /// Corrections have methods of their own: CG with IC(0), else BiCGStab.
    bool has(krylov_method m) const override
    {
        return by_ == way::directly || m != krylov_method::fgmres;
    }
    bool can_reach(double tolerance) const override { return tolerance >= smallest_residual(T()); }

    build_outcome build(factors_kind kind) override
    {
        set_host_threads(threads_);
        const auto begin = bench_clock::now();
        k_ = kind == factors_kind::ilu ? preconditioner<T>::ilu(a_, options())
                                       : preconditioner<T>::ic(a_, options());
        return {seconds_since(begin), k_.built().fill, k_.built().shifts};
    }

    double apply_seconds() override
    {
        set_host_threads(threads_);
        engine& here = at_.is_host() ? host_engine() : device_engine(at_.device_index);
        return by_ == way::refining ? apply_seconds(here, *k_.in_double())
                                    : apply_seconds(here, k_);
    }

    solve_outcome solve(const demand& d) override
    {
        set_host_threads(threads_);
        x_ = vector<T>(x_.size(), at_);
        const auto begin = bench_clock::now();
        solve_options o{.method = by_ == way::refining ? method::refinement : method_of(d.method),
                        .tolerance = d.tolerance};
        o.max_iterations = d.most_iterations;
        o.watch = [&](const solve_progress&) { return seconds_since(begin) < d.most_seconds; };
        const solve_report r = ddla::solve(a_, k_, b_, x_, o);
        // The report has wall-clock time; the processor's includes the recomputed residual.
        const double seconds = bench_clock::of_processor ? seconds_since(begin) : r.seconds;
        return {r.status == solve_status::converged, r.interrupted ? "time limit" : status_text(r),
                r.iterations, seconds, r.true_relative_residual};
    }

private:
    /// All that the matrices of this benchmark need.
    static preconditioner_options options() { return {.fill = 0, .most_work = 1000}; }
    template <scalar U>
    double apply_seconds(engine& here, const preconditioner<U>& k) const
    {
        const auto map = k.map_at(at_);
        const auto bound = map->bind(here);
        const vector<U> r = vector<U>(a_.rows(), U(1)).to(at_);
        vector<U> z(r.size(), at_);
        return seconds_of_call([&] { bound->apply(r.view(), 1, z.view()); }, [&] { here.wait(); });
    }
    static std::string status_text(const solve_report& r)
    {
        return std::string(ddla::to_string(r.status)) +
               (r.breakdown.empty() ? "" : " of " + r.breakdown);
    }

    place at_;
    int threads_;
    way by_;
    csr_matrix<double> a_;  ///< in the format for T, or for double where it is refined
    vector<T> b_, x_;
    preconditioner<T> k_;
};

template <scalar T>
contender_maker maker(place at, int threads, way by = way::directly)
{
    return {about_ddla(at, threads, precision_of<T>, by),
            [at, threads, by](const csr_matrix<double>& a) -> std::unique_ptr<contender> {
                return std::make_unique<ddla_contender<T>>(a, at, threads, by);
            }};
}

}  // namespace

std::vector<contender_maker> ddla_at(place at, int threads)
{
    return {maker<double>(at, threads), maker<dd_real>(at, threads),
            maker<dd_real>(at, threads, way::refining)};
}

}  // namespace bench
