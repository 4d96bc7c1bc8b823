// The sparse operations and the solvers, on any backend.
#pragma once

#include "engine.hpp"
#include "steps/true_residual.hpp"

#include <type_traits>
#include <utility>

namespace ddla {

template <class Call>
std::size_t bytes_of(const Call& c)
{
    return c.memory.bytes() + c.backend.scratch_bytes();
}
/// Returns the first row without a diagonal entry that can be inverted.
template <class Call, scalar T, scalar V>
index_t invert_diagonal(Call& c, const csr<V>& a, vec<T> d)
{
    auto* const first = c.memory.template objects<steps::first_index>(1);
    c.backend.run(steps::invert_diagonal<T, V>{{}, a, d, first}, a.rows);
    return c.backend.read(first).value;
}

// Parts that are compiled apart, as each takes the compiler long: matrix_unit.in.

template <class Context>
using backend_of = std::remove_reference_t<decltype(std::declval<const Context&>().call().backend)>;

/// Products with several vectors, defined in several_products.hpp.  Returns those that are left to
/// be run one by one.
template <class Context, scalar T, scalar V>
struct several_products {
    static std::span<const steps::spmv<T>> run(backend_of<Context>& backend, const csr<V>& a,
                                               std::span<const steps::spmv<T>> all);
};

/// Residuals, defined in matrix_residuals.hpp.
template <class Context, scalar T, scalar V>
struct matrix_residuals {
    static void plain(const Context& context, const csr<V>& a, vec<const T> x, vec<const T> b,
                      vec<T> r);
    static void scaled(const Context& context, const csr<V>& a, vec<const T> x, vec<const T> b,
                       double scale, vec<dd_real> r);
    static scaled_norms norms(const Context& context, const csr<V>& a, vec<const T> x,
                              vec<const T> b);
};

/// Whole solves of the methods that have a schedule (has_schedule()), defined in
/// bicgstab_solves.hpp and cg_solves.hpp.
template <class Context, scalar T, scalar V>
struct bicgstab_solves {
    static solve_result solve(const Context& context, const matrix_request<T, V>& request);
};
template <class Context, scalar T, scalar V>
struct cg_solves {
    static solve_result solve(const Context& context, const matrix_request<T, V>& request);
};

/// `Context` makes a call: `on`, the backend, and `memory`, a workspace at its place.
template <class Context, scalar T, scalar V>
class matrix_operations_on final : public matrix_operations<T, V> {
public:
    explicit matrix_operations_on(Context context) : context_(context) {}

    void spmv(scalar_operand<T> alpha, const csr<V>& a, vec<const T> x, scalar_operand<T> beta,
              vec<T> y) override
    {
        context_.call().backend.run(steps::spmv<T>{{}, x, y, alpha, beta}, a);
    }
    void spmv_each(scalar_operand<T> alpha, const csr<V>& a,
                   std::span<const product_vectors<T>> all, scalar_operand<T> beta) override
    {
        auto c = context_.call();
        std::vector<steps::spmv<T>> each;
        for (const product_vectors<T>& of : all) each.push_back({{}, of.x, of.y, alpha, beta});
        run_each(c.backend, a, each);
    }
    std::size_t bytes_of_products(const csr<V>& a, std::size_t count) override
    {
        return backend_of<Context>::template bytes_of_products<T>(a, count);
    }
    bool gains_in_lockstep(const csr<V>& a) override
    {
        return backend_of<Context>::gains_in_lockstep(a);
    }
    void residual(const csr<V>& a, vec<const T> x, vec<const T> b, vec<T> r) override
    {
        residuals::plain(context_, a, x, b, r);
    }
    void scaled_residual(const csr<V>& a, vec<const T> x, vec<const T> b, double scale,
                         vec<dd_real> r) override
    {
        residuals::scaled(context_, a, x, b, scale, r);
    }
    scaled_norms true_residual(const csr<V>& a, vec<const T> x, vec<const T> b) override
    {
        return residuals::norms(context_, a, x, b);
    }
    index_t first_zero_diagonal(const csr<V>& a) override
    {
        auto c = context_.call();
        return ddla::invert_diagonal(c, a, c.memory.template room<T>(a.rows));
    }
    void invert_diagonal(const csr<V>& a, vec<T> d) override
    {
        auto c = context_.call();
        ddla::invert_diagonal(c, a, d);
    }
    std::unique_ptr<bound_map<T>> product(const csr<V>& a) override
    {
        return std::make_unique<bound_product>(context_, a);
    }
    solve_result solve(const matrix_request<T, V>& request) override
    {
        return request.method == method::bicgstab
                   ? bicgstab_solves<Context, T, V>::solve(context_, request)
                   : cg_solves<Context, T, V>::solve(context_, request);
    }

private:
    using residuals = matrix_residuals<Context, T, V>;

    static void run_each(backend_of<Context>& backend, const csr<V>& a,
                         std::span<const steps::spmv<T>> all)
    {
        for (const steps::spmv<T>& one : several_products<Context, T, V>::run(backend, a, all))
            backend.run(one, a);
    }

    class bound_product final : public bound_map<T> {
    public:
        bound_product(Context context, const csr<V>& a) : call_(context), a_(a) {}
        void apply(vec<const T> x, double power, vec<T> y) override
        {
            auto&& c = call_.now();
            c.backend.run(of(x, power, y), a_);
        }
        void apply_to_all(std::span<const map_product<T>> all) override
        {
            each_.clear();
            for (const map_product<T>& one : all) each_.push_back(of(one.x, one.power, one.y));
            auto&& c = call_.now();
            run_each(c.backend, a_, each_);
        }
        bool may_be_ended() const override { return true; }

    private:
        static steps::spmv<T> of(vec<const T> x, double power, vec<T> y)
        {
            return {{}, x, y, T(power), T(0), true};
        }

        typename Context::lasting_call call_;
        csr<V> a_;
        std::vector<steps::spmv<T>> each_;
    };

    Context context_;
};

}  // namespace ddla
