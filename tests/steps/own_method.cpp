// What a new method takes: a file with its steps and a class that makes programs of them.  Here the
// iteration of Richardson, x += omega K^-1 r; it runs on the host, as FGMRES does.
#include "catch.hpp"
#include "support/random.hpp"
#include "support/same_bits.hpp"

#include "ddla/generate.hpp"
#include "host/programs.hpp"
#include "operators/matrix_system.hpp"

using ddla::dd_real;
using ddla::vec;
namespace steps = ddla::steps;

namespace richardson {

template <class T>
struct scalars {
    steps::control<T> control;
};

template <class T>
struct vectors {
    vec<const T> b;
    vec<T> x, r;
};

template <class T, class K>
using shared_step = steps::solver_step<T, scalars<T>, vectors<T>, K, 2>;

/// r = b - A x, where r is A x
template <class T, class K, bool IsFirst>
struct residual : shared_step<T, K> {
    static constexpr auto sweeps = steps::over::elements;
    static constexpr steps::abilities has = {.reads = true, .writes = true};
    struct element {
        T b, ax;
    };
    DDLA_HD auto reads() const { return steps::fields<element>(this->all.b, this->all.r); }
    DDLA_HD vec<T> writes() const { return this->all.r; }
    DDLA_HD ddla::sums<T, 2> operator()(ddla::index_t i, const element& own,
                                        const scalars<T>&) const
    {
        const T r = own.b - own.ax;
        this->all.r.set(i, r);
        return {r * r, own.b * own.b};
    }
    DDLA_HD void finish(const ddla::sums<T, 2>& total, scalars<T>& q) const
    {
        if (IsFirst)
            q.control.begin(total.value[0], total.value[1]);
        else
            q.control.advance(total.value[0]);
        q.control.respect_limit();
    }
};

/// x += omega K^-1 r
template <class T, class K>
struct update : shared_step<T, K> {
    using sum = void;
    static constexpr auto sweeps = steps::over::elements;
    static constexpr steps::abilities has = {.reads = true, .writes = true};
    struct element {
        T x, r;
        [[no_unique_address]] typename update::own_of_k k;
    };
    DDLA_HD auto reads() const
    {
        return steps::fields<element>(this->all.x, this->all.r, this->precondition.reads());
    }
    DDLA_HD vec<T> writes() const { return this->all.x; }
    DDLA_HD void operator()(ddla::index_t i, const element& own, const scalars<T>&) const
    {
        this->all.x.set(i, own.x + T(0.125) * this->precondition(own.k, own.r));
    }
};

template <class T, class K>
class solver {
public:
    static constexpr bool has_cycles = false;

    template <class Memory>
    solver(Memory& memory, const steps::problem<T>& p, K k)
        : shared(memory.template objects<scalars<T>>(1)), k_(k), w_{p.b, p.x, {}}
    {
        w_.r = memory.template room<T>(p.b.size);
    }

    scalars<T>* shared;

    auto start() const { return steps::program_of(product(), residual<T, K, true>{base()}); }
    auto iteration() const
    {
        return steps::program_of(update<T, K>{base()}, product(), residual<T, K, false>{base()});
    }
    steps::iteration_traffic moved(const scalars<T>&) const { return traffic_of(iteration()); }

private:
    shared_step<T, K> base() const { return {shared, w_, k_, {}}; }
    steps::apply<T> product() const { return {steps::linear::system, w_.x, w_.r}; }

    K k_;
    vectors<T> w_;
};

}  // namespace richardson

TEMPLATE_TEST_CASE("a method of one's own", "[steps]", double, dd_real)
{
    using T = TestType;
    const auto a = ddla::generate::poisson2d(30, 31);
    const auto b = test::random_vector<T>(a.rows(), 71, 0);
    ddla::vector<T> x(a.rows()), y(a.rows()), r(a.rows());
    const ddla::api::matrix_system<T, double> system(a.view(), ddla::host);
    ddla::program_request<T> q{};
    q.b = b.view(), q.x = x.view(), q.system = &system;
    const steps::stopping rule{1e-2, 1000, 7};
    std::vector<double> history;
    const auto ended = [&] {
        ddla::host_backend::call c;
        ddla::host_backend::machine<T> machine(ddla::host_backend::context(), c, q);
        const richardson::solver<T, steps::identity<T>> solver(
            c.memory, {q.b, q.x, {}, 1, rule.max_iterations}, {});
        return steps::run_program(machine, c.memory, solver, rule, &history,
                                  [](const auto&) { return true; });
    }();
    CHECK(ended.end == steps::end_of_solve::recurrence_met);
    CHECK(ended.relative_residual <= 1e-2);
    CHECK(history.size() == std::size_t(ended.iterations) + 1);
    // A and 3 + 2 + 3 vectors.
    CHECK(ended.traffic.products == 1);
    CHECK(ended.traffic.vectors == 8);
    for (ddla::index_t k = 0; k < ended.iterations; ++k) {
        ddla::residual(a, y, b, r);
        ddla::axpy<T>(T(0.125), r, y);
    }
    CHECK(test::same_bits(x, y));
}
