#include "lu_preconditioner.hpp"

#include "ddla/fp_mode.hpp"

#include "calls/at_host.hpp"
#include "calls/function_maps.hpp"
#include "calls/stopwatch.hpp"
#include "make_preconditioner.hpp"
#include "refine/factor_stages.hpp"
#include "triangles/placed_triangles.hpp"

#include "factor/supernodal/factor_operations.hpp"
#include "factor/supernodal/static_factors.hpp"

#include "ddla/factors.hpp"
#include "ddla/text.hpp"

namespace ddla {

using namespace api;

namespace {

template <scalar F>
void require_pivots(const char* call, const factor::report& about)
{
    if (about.rank == about.n) return;
    throw input_error(std::string(call) + ": LU found a pivot in " + std::to_string(about.rank) +
                      " of " + std::to_string(about.n) + " columns, the smallest " +
                      to_string(dd_real(about.smallest_pivot), 3) +
                      "; a matrix without inverse has no LU preconditioner (method::automatic says "
                      "more)");
}

/// The triangles of a solve with A.
template <scalar F>
placed_triangles<F> triangles_of(const factor::factors<F>& f, place where)
{
    using factor::factor_part;
    const auto link = [&](factor_part which) -> typename triangle_chain<F>::link {
        return {&f.part(which), &f.levels(which)};
    };
    return placed_triangles<F>({.links = {link(factor_part::lower), link(factor_part::upper)},
                                .in = f.row_of(),
                                .out = f.column_of(),
                                .scale_in = &f.scaling().row,
                                .scale_out = &f.scaling().column},
                               where);
}

/// At the host the factors themselves.
template <scalar T, class Factors>
auto maps_at_host(const Factors& f)
{
    return maps_of_function<T>(
        "preconditioner", f.about().n, f.about().n,
        host_function<T>([f](vec<const T> r, vec<T> z) { f.template solve<T>(r, z); }));
}

/// At the host triangles of their own: solves bind them, and vectors of a device are copied.
template <scalar T>
auto maps_at_host(std::shared_ptr<const linear_map<T>> map)
{
    const auto copied = maps_of_function<T>("preconditioner", map->rows(), map->columns(),
                                            host_function<T>([map](vec<const T> r, vec<T> z) {
                                                map->bind(engine_at(host))->apply(r, 1, z);
                                            }));
    return [map, copied](place where) -> std::shared_ptr<const linear_map<T>> {
        if (where.is_host()) return map;
        return copied(where);
    };
}

template <scalar T>
auto maps_at_device(std::shared_ptr<const linear_map<T>> map)
{
    return [map](place where) -> std::shared_ptr<const linear_map<T>> {
        require_same_place("apply", "the preconditioner", map->where(), "the vectors", where);
        return map;
    };
}

/// Of factors that stay at a device, for vectors there.
template <scalar T, scalar F>
class map_there final : public linear_map<T> {
public:
    explicit map_there(const factor::static_factors<F>& f) : of_(f) {}

    index_t rows() const override { return of_.about().n; }
    index_t columns() const override { return of_.about().n; }
    place where() const override { return device(of_.device()); }
    bool is_recordable() const override { return false; }
    std::unique_ptr<bound_map<T>> bind(engine& here) const override
    {
        return std::make_unique<bound>(of_.template solver_there<T>(*here.factors()));
    }

private:
    class bound final : public bound_map<T> {
    public:
        explicit bound(std::unique_ptr<factor::placed_solver<T>> by) : by_(std::move(by)) {}
        void apply(vec<const T> x, double, vec<T> y) override { by_->solve(x, y); }

    private:
        std::unique_ptr<factor::placed_solver<T>> by_;
    };

    factor::static_factors<F> of_;
};

/// Of factors by supernodes, which are solved with where they are.  For vectors at another place
/// than that these are copied.
template <scalar T, scalar F>
preconditioner<T> by_supernodes(const factor::static_factors<F>& f, place where,
                                const build_report& built)
{
    const auto maps = maps_at_host<T>(f);
    if (where.is_host()) return {"lu", f.about().n, where, maps, built};
    if (f.device() == where.device_index)
        return {"lu", f.about().n, where,
                maps_at_device<T>(std::make_shared<const map_there<T, F>>(f)), built};
    const auto at_device = [maps, where](place of_vectors) {
        require_same_place("apply", "the preconditioner", where, "the vectors", of_vectors);
        return maps(of_vectors);
    };
    return {"lu", f.about().n, where, at_device, built};
}

/// Applying triangles at their place.
template <scalar T, class Map>
preconditioner<T> of_triangles(std::shared_ptr<const Map> map, build_report built)
{
    built.bytes = map->bytes();
    const std::shared_ptr<const linear_map<T>> applied = map;
    const place at = map->where();
    if (at.is_host()) return {"lu", map->rows(), at, maps_at_host<T>(applied), built};
    return {"lu", map->rows(), at, maps_at_device<T>(applied), built};
}

template <scalar F>
std::shared_ptr<const preconditioner<double>>
in_double_of(std::shared_ptr<const placed_triangles<F>> triangles, const build_report& built)
{
    return std::make_shared<const preconditioner<double>>(of_triangles<double>(
        std::make_shared<const triangular_map_in_double<F>>(std::move(triangles)), built));
}

}  // namespace

template <scalar T, scalar F>
preconditioner<T> api::lu_preconditioner(const char* call, const factor::factors<F>& f,
                                         const factored& factors, place where, keep_factors keep)
{
    const stopwatch clock;
    const factor::report& about = f.about();
    require_pivots<F>(call, about);
    build_report built = build_report_of(about, factors.nonzeros);
    if (where.is_host() && keep == keep_factors::shared) {
        built.seconds = factors.seconds + clock.seconds();
        preconditioner<T> k("lu", about.n, where, maps_at_host<T>(f), built);
        k.keep_for_double([f, built] {
            return std::make_shared<const preconditioner<double>>("lu", f.about().n, host,
                                                                  maps_at_host<double>(f), built);
        });
        return k;
    }
    const auto triangles = std::make_shared<const placed_triangles<F>>(triangles_of(f, where));
    built.seconds = factors.seconds + clock.seconds();
    auto k = of_triangles<T>(std::make_shared<const triangular_map<T, F>>(triangles), built);
    k.keep_for_double([triangles, built] { return in_double_of(triangles, built); });
    return k;
}

template <scalar T>
template <scalar F>
preconditioner<T> preconditioner<T>::lu(const lu_factors<F>& factors, place where)
{
    const fp_mode_guard exact;
    const factorisation_report& about = factors.about();
    if (const auto* const f = factors.by_columns())
        return lu_preconditioner<T>("preconditioner", *f, {about.nonzeros, about.seconds}, where);
    const factor::static_factors<F>& f = *factors.by_supernodes();
    const build_report built = build_report_of(about, about.nonzeros);
    auto k = by_supernodes<T>(f, where, built);
    k.keep_for_double([f, where, built] {
        return std::make_shared<const preconditioner<double>>(
            by_supernodes<double>(f, where, built));
    });
    return k;
}

namespace {

template <scalar F, scalar T, scalar V>
std::optional<preconditioner<T>> lu_in(place where, const csr<V>& a, const solve_options& o)
{
    const stopwatch clock;
    const auto watch = watch_of_factors(o);
    const rows_at_host<V> rows(a, where);
    const auto f = refine::factor_in<F>(rows.view(), o.factorisation,
                                        [&](double done) { return !watch || watch(done); });
    const factor::report& about = f.about();
    if (about.end == factor::factor_end::stopped) return {};
    if (const auto limit = refine::limit_passed_by(about, o.factorisation))
        throw limit->error_of("solve");
    if (about.end != factor::factor_end::complete)
        throw input_error("solve: the numbers of the factors pass the range of double");
    return lu_preconditioner<T>("solve", f, {a.nonzeros(), clock.seconds()}, where);
}

}  // namespace

template <scalar T, scalar V>
std::optional<preconditioner<T>> api::lu_for_solve(engine& here, place where, const csr<V>& a,
                                                   const solve_options& options)
{
    here.wait();
    return options.factorisation.factors == factor_precision::in_double_double
               ? lu_in<dd_real, T>(where, a, options)
               : lu_in<double, T>(where, a, options);
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template std::optional<preconditioner<T>> api::lu_for_solve(engine&, place, const csr<V>&,     \
                                                                const solve_options&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

#define DDLA_INSTANTIATE(T, F)                                                                     \
    template preconditioner<T> api::lu_preconditioner(const char*, const factor::factors<F>&,      \
                                                      const factored&, place, keep_factors);       \
    template preconditioner<T> preconditioner<T>::lu(const lu_factors<F>&, place);
DDLA_INSTANTIATE(double, double)
DDLA_INSTANTIATE(double, dd_real)
DDLA_INSTANTIATE(dd_real, double)
DDLA_INSTANTIATE(dd_real, dd_real)
#undef DDLA_INSTANTIATE

}  // namespace ddla
