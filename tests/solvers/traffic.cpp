// What a step says that it moves is what it moves; and the bytes of an iteration follow from that.
#include "catch.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"
#include "ddla/solve.hpp"
#include "ddla/sparse_format.hpp"
#include "steps/methods/bicgstab.hpp"
#include "steps/methods/bicgstabl.hpp"
#include "steps/methods/cg.hpp"
#include "steps/methods/fgmres.hpp"
#include "steps/methods/idr.hpp"
#include "steps/methods/lsmr.hpp"
#include "steps/methods/minres.hpp"
#include "steps/solver.hpp"

#include <map>
#include <set>

using ddla::dd_real;
using ddla::vec;
using test::dd_dd;
using test::dd_double;
using test::double_double;
namespace steps = ddla::steps;

namespace {

/// Vectors of one element, by name, none of them a small number or another's.
template <class T>
class elements {
public:
    vec<T> operator[](const std::string& name)
    {
        const auto [at, is_new] = all_.try_emplace(name, number(all_.size()));
        return vec<T>::in_memory(reinterpret_cast<double*>(&at->second), 1);
    }
    void set(const std::string& name, T x) { all_.at(name) = x; }
    const std::map<std::string, T>& all() const { return all_; }

private:
    static T number(std::size_t k) { return T(1) + T(1) / T(static_cast<double>(3 + 2 * k)); }
    std::map<std::string, T> all_;
};

template <class T>
using values = std::map<std::string, T>;

/// The names of what is in a list of fields.
template <class T, class List>
std::set<std::string> names_of(const List& list, const elements<T>& memory)
{
    std::set<std::string> names;
    steps::each_vector(list, [&](const auto& vector) {
        for (const auto& [name, x] : memory.all())
            if (reinterpret_cast<const double*>(&x) == vector.word(0)) names.insert(name);
    });
    return names;
}

/// All vectors after the step, and its sums.
template <class T, class Step, class Scalars>
values<T> after(const Step& step, const Scalars& q, elements<T> from, elements<T>& memory)
{
    for (const auto& [name, x] : from.all()) memory.set(name, x);
    values<T> result;
    const auto keep = [&]<int K>(const ddla::sums<T, K>& sum) {
        for (int k = 0; k < K; ++k) result["sum " + std::to_string(k)] = sum.value[k];
    };
    if constexpr (Step::sweeps == steps::over::rows)
        keep(steps::at_row(step, 0, T(5) / T(7), q));
    else if constexpr (std::is_void_v<typename Step::sum>)
        steps::at_element(step, 0, q);
    else
        keep(steps::at_element(step, 0, q));
    for (const auto& [name, x] : memory.all()) result[name] = x;
    return result;
}

/// Read is what changes something else; written is what is not what it was.  Of a basis the lists
/// of a step do not know.
template <class T, class Step, class Scalars>
void check_step(const Step& step, const Scalars& q, elements<T>& memory,
                const std::set<std::string>& read_of_basis = {},
                const std::set<std::string>& written_of_basis = {})
{
    const elements<T> before = memory;
    auto says_read = names_of(step.reads(), memory);
    auto says_written = names_of(step.writes(), memory);
    says_read.insert(read_of_basis.begin(), read_of_basis.end());
    says_written.insert(written_of_basis.begin(), written_of_basis.end());
    std::set<std::string> read, written;
    const values<T> result = after(step, q, before, memory);
    for (const auto& [name, x] : before.all()) {
        elements<T> other = before;
        other.set(name, x + T(1) / T(11));
        values<T> changed = after(step, q, other, memory);
        if (result.at(name) != x) written.insert(name);
        if (!written.count(name)) changed[name] = x;
        if (changed != result) read.insert(name);
    }
    for (const auto& [name, x] : before.all()) memory.set(name, x);
    CHECK(says_read == read);
    CHECK(says_written == written);
}

template <class T, class K>
steps::bicgstab::vectors<T> vectors_of_bicgstab(elements<T>& e)
{
    const vec<T> p = e["p"], s = e["s"];
    return {e["b"],
            e["x"],
            e["r"],
            e["r0"],
            p,
            e["v"],
            s,
            e["t"],
            K::is_identity ? p : e["p_hat"],
            K::is_identity ? s : e["s_hat"]};
}

template <class T, class K>
void check_bicgstab(K k, elements<T>& memory, int vectors)
{
    const auto w = vectors_of_bicgstab<T, K>(memory);
    steps::bicgstab::scalars<T> q{};
    q.alpha = T(2) / T(3), q.omega = T(4) / T(3), q.beta = T(7) / T(3);
    const auto iteration = steps::bicgstab::iteration(&q, w, k, {});
    std::apply([&](const auto&... step) { (check_step(step, q, memory), ...); }, iteration.steps);
    CHECK(steps::traffic_of(iteration).products == 2);
    CHECK(steps::traffic_of(iteration).vectors == vectors);
}

template <class T, class K>
void check_cg(K k, elements<T>& memory, int vectors)
{
    const steps::cg::vectors<T> w{memory["b"], memory["x"], memory["r"], memory["p"], memory["v"]};
    steps::cg::scalars<T> q{};
    q.alpha = T(2) / T(3), q.beta = T(7) / T(3);
    const auto iteration = steps::cg::iteration(&q, w, k, {});
    std::apply([&](const auto&... step) { (check_step(step, q, memory), ...); }, iteration.steps);
    CHECK(steps::traffic_of(iteration).products == 1);
    CHECK(steps::traffic_of(iteration).vectors == vectors);
}

template <class T>
steps::multivector<T> basis_of_one(vec<T> v)
{
    return {v.word(0), 1, 1, 1};
}

/// The steps of FGMRES with one vector in the basis.
template <class T, class K>
void check_fgmres(K k, elements<T>& e, const std::set<std::string>& kept,
                  const std::set<std::string>& found)
{
    namespace gmres = steps::fgmres;
    const T coefficient = T(5) / T(3);
    gmres::vectors<T> w{e["b"], e["x"], e["v"], e["z"], e["w"], basis_of_one<T>(e["v0"]), {}, {}};
    if (K::is_identity) w.z = w.v;
    w.directions = K::is_identity ? w.basis : basis_of_one<T>(e["z0"]);
    gmres::scalars<T> q{};
    q.inverse = T(4) / T(3);
    using fused = steps::fused_or_none<T, K>;
    using whole = steps::whole_or_none<T, K>;
    const gmres::inner_step<T, steps::identity<T>, 1> inner{{&q, w, {}, {}}};
    const gmres::closing_step<T, 1> end{{&q, w, {}, {}}};
    check_step(gmres::start<T>{{{{&q, w, {}, {}}}}}, q, e);
    std::set<std::string> column{"v0"};
    column.insert(found.begin(), found.end());
    check_step(gmres::normalise<T, fused>{{{&q, w, steps::if_fused<T>(k), {}}}}, q, e, {}, column);
    check_step(steps::combined{gmres::subtract_first<T, whole>{{inner, w.basis, &coefficient}}}, q,
               e, {"v0"}, kept);
    check_step(steps::combined{gmres::subtract_again<T>{{inner, w.basis, &coefficient}}}, q, e,
               {"v0"});
    check_step(gmres::restart<T>{{end}}, q, e);
    q.j = 1;
    check_step(steps::combined{gmres::update<T>{end, w.directions, &coefficient}}, q, e,
               {K::is_identity ? "v0" : "z0"});
}

/// The steps of BiCGStab(l) with l = 1.
template <class T>
void check_bicgstabl(elements<T>& e)
{
    namespace bl = steps::bicgstabl;
    // Bases of two vectors, whose distance is that of the elements: with words in one place only.
    static_assert(ddla::words_of<T> == 1);
    const vec<T> r0 = e["r 0"], r1 = e["r 1"], u0 = e["u 0"], u1 = e["u 1"];
    const auto basis = [](vec<T> first, vec<T> second) -> steps::multivector<T> {
        return {first.word(0), 1, 2, second.word(0) - first.word(0)};
    };
    bl::vectors<T> w{e["b"], e["x"], e["y"], e["r0"], e["hat"], basis(r0, r1), basis(u0, u1), {}};
    T coefficient = T(5) / T(3);
    w.p.l = 1;
    bl::scalars<T> q{};
    q.alpha = T(2) / T(3), q.beta = T(7) / T(3), q.tau = T(4) / T(3), q.l = 1;
    const bl::step_of<T, 1> one{{&q, w, {}, {}}};
    const bl::step_of<T, 2> two{{&q, w, {}, {}}};
    const bl::check_of<T, 1> end{{&q, w, {}, {}}};
    check_step(bl::start<T>{{two}}, q, e);
    check_step(bl::check<T>{{end}}, q, e);
    check_step(bl::complete<T>{end}, q, e);
    check_step(bl::subtract<T>{one, bl::factor::beta, r0, u0, u0}, q, e);
    check_step(bl::advance<T>{one}, q, e);
    check_step(bl::dot<T>{one, bl::factor::alpha, u1, w.r0}, q, e);
    check_step(bl::measure<T>{two, 1}, q, e);
    check_step(steps::combined{bl::add_to_solution<T>{{one, w.r, &coefficient, w.y}}}, q, e,
               {"r 0"});
    check_step(
        steps::combined{bl::take_from_direction<T>{{one, basis_of_one<T>(u1), &coefficient, u0}}},
        q, e, {"u 1"});
    check_step(steps::combined{bl::take_from_residual<T>{two, basis_of_one<T>(r1), &coefficient}},
               q, e, {"r 1"});
}

template <class T, class K>
void check_minres(elements<T>& e)
{
    namespace mr = steps::minres;
    const vec<T> r2 = e["r2"];
    const mr::vectors<T> w{e["b"],  e["x"], K::is_identity ? r2 : e["r"],
                           e["r1"], r2,     K::is_identity ? r2 : e["z"],
                           e["v"],  e["t"], e["w1"],
                           e["w2"]};
    mr::scalars<T> q{};
    q.before = T(2) / T(3), q.over_beta = T(7) / T(3), q.inverse_beta = T(4) / T(3);
    q.of_w1 = T(5) / T(3), q.of_w2 = T(8) / T(3), q.inverse_gamma = T(10) / T(3);
    q.phi = T(11) / T(3), q.shrink = T(13) / T(3), q.of_lanczos = T(14) / T(3);
    const mr::step_of<T, 1> one{{&q, w, {}, {}}};
    check_step(mr::start<T, K>{{{{&q, w, {}, {}}}}}, q, e);
    check_step(mr::check<T, K>{{{{&q, w, {}, {}}}}}, q, e);
    if (!K::is_identity) check_step(mr::measure<T, false>{one}, q, e);
    check_step(mr::normalise<T>{one}, q, e);
    check_step(mr::subtract_before<T>{one}, q, e);
    check_step(mr::subtract_last<T, K>{one}, q, e);
    check_step(mr::update<T, K>{one}, q, e);
}

/// The steps of IDR(1), but for those that write numbers.
template <class T>
void check_idr(elements<T>& e)
{
    namespace idr = steps::idr;
    const auto basis = [&](const char* name) { return basis_of_one<T>(e[name]); };
    const idr::vectors<T> w{e["b"], e["x"],     e["r"],     e["v"],     e["hat"],
                            e["t"], basis("p"), basis("g"), basis("u"), {}};
    const T coefficient = T(5) / T(3);
    idr::scalars<T> q{};
    q.omega = T(2) / T(3), q.beta = T(7) / T(3), q.s = 1, q.k = 0;
    const idr::step_of<T, 1> one{{&q, w, {}, {}}};
    const vec<T> g = e["g"], u = e["u"];
    check_step(idr::start<T>{{{{&q, w, {}, {}}}}}, q, e);
    check_step(idr::check<T>{{{{&q, w, {}, {}}}}}, q, e);
    check_step(steps::combined{idr::combine<T, true>{one, w.g, &coefficient, w.r, w.v}}, q, e,
               {"g"});
    check_step(steps::combined{idr::direction<T>{one, w.u, &coefficient, u}}, q, e, {"u"});
    check_step(idr::update<T, false>{one, g, u}, q, e);
    check_step(idr::update<T, true>{one, w.t, w.hat}, q, e);
    check_step(idr::measure<T>{{{&q, w, {}, {}}}}, q, e);
}

template <class T>
void check_lsmr(elements<T>& e)
{
    namespace ls = steps::lsmr;
    const ls::vectors<T> w{e["b"],     e["x"],          e["u"], e["of_rows"], e["v"], e["h"],
                           e["h_bar"], e["of_columns"], 1};
    ls::scalars<T> q{};
    q.alpha = T(2) / T(3), q.beta = T(7) / T(3), q.inverse_alpha = T(4) / T(3);
    q.inverse_beta = T(5) / T(3), q.of_h_bar = T(8) / T(3), q.of_x = T(10) / T(3);
    q.of_h = T(11) / T(3);
    const ls::step_of<T> one{{&q, w, {}, {}}};
    check_step(ls::start<T>{{{{&q, w, {}, {}}}}}, q, e);
    check_step(ls::check<T>{{{{&q, w, {}, {}}}}}, q, e);
    check_step(ls::check_normal<T>{{{&q, w, {}, {}}}}, q, e);
    check_step(ls::normalise_u<T>{one}, q, e);
    check_step(ls::first_v<T>{one}, q, e);
    check_step(ls::first_directions<T>{one}, q, e);
    check_step(ls::next_u<T>{one}, q, e);
    check_step(ls::next_v<T>{one}, q, e);
    check_step(ls::update<T>{one}, q, e);
}

}  // namespace

TEMPLATE_TEST_CASE(
    "steps of BiCGStab(l), MINRES, IDR(s) and LSMR move the vectors that they declare", "[solvers]",
    double, dd_real)
{
    using T = TestType;
    elements<T> for_bicgstabl, for_minres, for_minres_with_k, for_idr, for_lsmr, with_diagonal;
    if constexpr (ddla::words_of<T> == 1) check_bicgstabl<T>(for_bicgstabl);
    check_minres<T, steps::identity<T>>(for_minres);
    check_minres<T, steps::applied<T>>(for_minres_with_k);
    check_idr<T>(for_idr);
    check_lsmr<T>(for_lsmr);
    check_step(
        steps::times_diagonal<T>{{}, with_diagonal["d"], with_diagonal["v"], with_diagonal["z"]},
        steps::no_scalars{}, with_diagonal);
}

TEMPLATE_TEST_CASE("steps of FGMRES move the vectors that they declare", "[solvers]", double,
                   dd_real)
{
    using T = TestType;
    elements<T> plain, with_diagonal, with_object;
    check_fgmres<T>(steps::identity<T>{}, plain, {}, {});
    check_fgmres<T>(steps::jacobi<T>{with_diagonal["d"]}, with_diagonal, {}, {"z0"});
    check_fgmres<T>(steps::applied<T>{}, with_object, {"z0"}, {});
}

TEMPLATE_TEST_CASE("steps move the vectors that they declare", "[solvers]", double, dd_real)
{
    using T = TestType;
    elements<T> for_bicgstab, for_cg;
    check_bicgstab<T>(steps::identity<T>{}, for_bicgstab, 19);
    check_cg<T>(steps::identity<T>{}, for_cg, 11);
    elements<T> with_hats, with_diagonal;
    check_bicgstab<T>(steps::jacobi<T>{with_hats["d"]}, with_hats, 25);
    check_cg<T>(steps::jacobi<T>{with_diagonal["d"]}, with_diagonal, 13);
}

TEMPLATE_TEST_CASE("the bytes of an iteration are its products and its vectors", "[solvers]",
                   double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    auto a = test::with_values<typename TestType::value>(ddla::generate::poisson2d(30, 20));
    const ddla::vector<T> b(a.rows(), T(1));
    const std::size_t one = 600 * sizeof(T);
    const auto bytes_of = [&](ddla::method m, ddla::preconditioning p) {
        ddla::vector<T> x(a.rows());
        return ddla::solve(a, b, x, {.method = m, .precond = p, .max_iterations = 2})
            .bytes_per_iteration;
    };
    for (const auto format : {ddla::sparse_format::csr, ddla::sparse_format::slices,
                              ddla::sparse_format::tiles, ddla::sparse_format::patterns}) {
        ddla::set_format(a, {.format = format});
        const std::size_t matrix = ddla::bytes_of_product<T>(a) - 2 * one;
        using enum ddla::preconditioning;
        CHECK(bytes_of(ddla::method::bicgstab, none) == 2 * matrix + 19 * one);
        CHECK(bytes_of(ddla::method::bicgstab, jacobi) == 2 * matrix + 25 * one);
        CHECK(bytes_of(ddla::method::cg, none) == matrix + 11 * one);
        CHECK(bytes_of(ddla::method::cg, jacobi) == matrix + 13 * one);
        // Two iterations, of which the second needs no next vector, and the end of their cycle.
        CHECK(bytes_of(ddla::method::fgmres, none) == (3 * matrix + (15 + 19 - 3 + 9) * one) / 2);
        CHECK(bytes_of(ddla::method::fgmres, jacobi) == (3 * matrix + (17 + 21 - 5 + 9) * one) / 2);
        // Two iterations, and the check at their end: l = 2, s = 4.
        const auto with_check = [&](std::size_t products, std::size_t vectors,
                                    std::size_t checked) {
            return ((2 * products + 1) * matrix + (2 * vectors + checked) * one) / 2;
        };
        CHECK(bytes_of(ddla::method::bicgstabl, none) == with_check(4, 60, 11));
        CHECK(bytes_of(ddla::method::bicgstabl, jacobi) == with_check(4, 72, 14));
        CHECK(bytes_of(ddla::method::minres, none) == with_check(1, 19, 10));
        CHECK(bytes_of(ddla::method::minres, jacobi) == with_check(1, 27, 16));
        CHECK(bytes_of(ddla::method::idr, none) == with_check(5, 150, 13));
        CHECK(bytes_of(ddla::method::idr, jacobi) == with_check(5, 166, 13));
        // What incomplete factors move is not counted, but their argument and their result.
        CHECK(bytes_of(ddla::method::bicgstab, ilu) == 2 * matrix + 27 * one);
        CHECK(bytes_of(ddla::method::cg, ic) == matrix + 17 * one);
        CHECK(bytes_of(ddla::method::fgmres, ilu) == (3 * matrix + (19 + 23 - 3 + 9) * one) / 2);
        CHECK(bytes_of(ddla::method::bicgstabl, ilu) == with_check(4, 68, 13));
        CHECK(bytes_of(ddla::method::minres, ic) == with_check(1, 26, 15));
        CHECK(bytes_of(ddla::method::idr, ilu) == with_check(5, 161, 13));
    }
}

TEST_CASE("the time of the iterations is a part of the time of the solve", "[solvers]")
{
    const auto a = ddla::generate::poisson2d(30, 20);
    const ddla::vector<double> b(a.rows(), 1.0);
    ddla::vector<double> x(a.rows());
    const auto report = ddla::solve(a, b, x, {.method = ddla::method::bicgstab});
    CHECK(report.iteration_seconds > 0);
    CHECK(report.iteration_seconds <= report.seconds);
    CHECK(report.seconds_per_iteration() * double(report.iterations) ==
          Approx(report.iteration_seconds));
    const ddla::vector<double> nothing(a.rows());
    const auto none = ddla::solve(a, nothing, x, {.method = ddla::method::bicgstab});
    CHECK(none.iterations == 0);
    CHECK(none.seconds_per_iteration() == 0);
    CHECK(none.bytes_per_iteration == 0);
}
