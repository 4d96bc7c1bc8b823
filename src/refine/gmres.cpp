// GMRES-IR.
#include "gmres.hpp"

#include "factor_stages.hpp"

#include "ddla/vector.hpp"

#include <algorithm>
#include <cmath>

namespace ddla::refine {
namespace {

double scale_at(const shared_scale& scale, index_t i)
{
    return scale.empty() ? 1 : scale[i];
}

/// z -> C^-1 B A C z.
template <scalar V>
class scaled_map final : public ddla::linear_map<dd_real> {
public:
    scaled_map(const csr<V>& a, const correction& b, const shared_scale& scale)
        : a_(a), b_(b), scale_(scale)
    {
    }
    index_t rows() const override { return a_.rows; }
    index_t columns() const override { return a_.columns; }
    place where() const override { return host; }
    bool is_recordable() const override { return false; }
    std::unique_ptr<bound_map<dd_real>> bind(engine& here) const override
    {
        return std::make_unique<bound>(*this, here.matrices<dd_real, V>().product(a_));
    }

private:
    class bound final : public bound_map<dd_real> {
    public:
        bound(const scaled_map& of, std::unique_ptr<bound_map<dd_real>> product)
            : of_(of), product_(std::move(product)), z_(of.rows()), az_(of.rows())
        {
        }
        void apply(vec<const dd_real> z, double power, vec<dd_real> y) override
        {
            for (index_t i = 0; i < z.size; ++i) z_.set(i, z.get(i) * scale_at(of_.scale_, i));
            product_->apply(std::as_const(z_).view(), power, az_.view());
            of_.b_(az_.view(), y);
            for (index_t i = 0; i < z.size; ++i) y.set(i, y.get(i) * (1 / scale_at(of_.scale_, i)));
        }

    private:
        const scaled_map& of_;
        std::unique_ptr<bound_map<dd_real>> product_;
        vector<dd_real> z_, az_;
    };

    csr<V> a_;
    const correction& b_;
    const shared_scale& scale_;
};

/// A multiplication of a solve takes as long as so many of a factorisation, which works on dense
/// blocks: 10 against 2.7 ns, with double-double on one core.
constexpr double work_in_solve = 4;
/// What refinement, both conditions and the probe took in 4 grids and 2 circuits, in the mean.
constexpr double usual_runs = 36;
constexpr index_t usual_iterations = 2;

/// Work of a run of k iterations: iteration j projects on j + 1 vectors twice, and x takes k.
double work_of_run(const gmres_budget& budget, index_t k)
{
    const auto iterations = static_cast<double>(k);
    return (iterations + 3) * budget.work_of_product +
           (2 * iterations * (iterations + 1) + iterations) * budget.work_of_vector;
}

/// The iterations that the budget allows.
index_t affordable(const gmres_budget& budget)
{
    index_t k = gmres_iterations;
    while (k > 0 && budget.work + work_of_run(budget, k) > budget.most_work) --k;
    return budget.stopped ? 0 : k;
}

void fill_with_nan(vec<dd_real> d)
{
    for (index_t i = 0; i < d.size; ++i)
        d.set(i, dd_real(std::numeric_limits<double>::quiet_NaN()));
}

/// d of the map and B r, scaled; z is room.
void run_gmres(const ddla::linear_map<dd_real>& map, vec<const dd_real> right, vec<dd_real> z,
               index_t limit, gmres_budget& budget)
{
    program_request<dd_real> q{{.b = right,
                                .x = z,
                                .method = method::fgmres,
                                .restart = limit,
                                .l = 1,
                                .s = 1,
                                .rule = {gmres_tolerance, limit, 1},
                                .history = nullptr,
                                .look = {}},
                               &map,
                               1};
    q.look = [&](index_t, double) {
        if (budget.watch && !budget.watch()) budget.stopped = true;
        return !budget.stopped;
    };
    const solve_result done = host_engine().programs<dd_real>().solve(q);
    budget.work += work_of_run(budget, done.ending.iterations);
    budget.bytes = std::max(budget.bytes, done.working_bytes);
}

template <scalar V>
void correct(const csr<V>& a, const correction& b, const shared_scale& scale, gmres_budget& budget,
             vec<const dd_real> r, vec<dd_real> d)
{
    const index_t limit = affordable(budget), n = r.size;
    if (limit == 0) return fill_with_nan(d);
    vector<dd_real> right(n), z(n);
    b(r, right.view());
    for (index_t i = 0; i < n; ++i) right.set(i, right[i] * (1 / scale_at(scale, i)));
    const double size = largest_magnitude(right.view());
    if (size == 0 || !std::isfinite(size)) {
        for (index_t i = 0; i < n; ++i) d.set(i, right[i]);
        return;
    }
    run_gmres(scaled_map<V>(a, b, scale), std::as_const(right).view(), z.view(), limit, budget);
    for (index_t i = 0; i < n; ++i) d.set(i, z[i] * scale_at(scale, i));
}

}  // namespace

std::optional<gmres_budget> budget_for_gmres(const factors_in_double& f, index_t nonzeros,
                                             const factorisation_options& asked)
{
    gmres_budget budget;
    budget.work_of_product = f.entries + static_cast<double>(nonzeros);
    budget.work_of_vector = static_cast<double>(f.about.n);
    budget.most_work = asked.most_work * 1e9;
    const bool others_follow = asked.factors == factor_precision::automatic &&
                               f.work_in_dd <= budget.most_work &&
                               2 * f.about.bytes <= asked.most_memory;
    if (!others_follow) return budget;
    budget.most_work = f.work / work_in_solve;
    if (usual_runs * work_of_run(budget, usual_iterations) > budget.most_work) return std::nullopt;
    return budget;
}

template <scalar V>
approximate_inverse inverse_by_gmres(const host_system<V>& system,
                                     const approximate_inverse& factors, gmres_budget& budget)
{
    return {[&](vec<const dd_real> r, vec<dd_real> d) {
                correct(system.matrix(), factors.solve, factors.column_scale, budget, r, d);
            },
            [&](vec<const dd_real> r, vec<dd_real> d) {
                correct(system.transposed(), factors.solve_transposed, factors.row_scale, budget, r,
                        d);
            },
            factors.column_scale, gmres_tolerance, factors.row_scale};
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template approximate_inverse inverse_by_gmres(const host_system<V>&,                           \
                                                  const approximate_inverse&, gmres_budget&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::refine
