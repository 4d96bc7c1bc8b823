// A step with a member that is missing, misspelt or of a wrong type is none, and no backend takes
// it.
#include "catch.hpp"

#include "host/backend.hpp"
#include "steps/blas.hpp"

using ddla::dd_real;
using ddla::index_t;
using ddla::sums;
using ddla::vec;
using namespace ddla::steps;

namespace {

template <class Step>
concept runs = requires(ddla::host_backend::backend& on, const Step& step)
{
    on.run(step, index_t{1});
};
template <class Step>
concept runs_over_rows = requires(ddla::host_backend::backend& on, const Step& step,
                                  const ddla::csr<double>& a)
{
    on.run(step, a);
};

struct state {
    double sum;
};

/// Over elements, with all that a step over elements may have.
struct right {
    using sum = sums<double, 1>;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true, .prepare = true};
    vec<const double> x;
    vec<double> y;
    state* shared;
    static bool stopped(const state&) { return false; }
    vec<const double> reads() const { return x; }
    vec<double> writes() const { return y; }
    sums<double, 1> operator()(index_t, double x_i, const state&) const { return {x_i}; }
    void prepare(state&) const {}
    void finish(const sums<double, 1>& total, state& q) const { q.sum = total.value[0]; }
};

/// Over rows, likewise.
struct right_over_rows : always {
    using sum = void;
    static constexpr over sweeps = over::rows;
    static constexpr abilities has = {.reads = true, .room = true};
    vec<const double> operand, b;
    vec<double> r;
    vec<const double> reads() const { return b; }
    vec<double> room() const { return r; }
    void operator()(index_t i, double ax, double b_i, no_scalars) const { r.set(i, b_i - ax); }
};

/// The product of a solver.
struct right_product {
    using sum = sums<double, 1>;
    static constexpr over sweeps = over::rows;
    static constexpr abilities has = {.reads = true, .product = true};
    vec<const double> operand, w;
    vec<double> v;
    state* shared;
    static bool stopped(const state&) { return false; }
    vec<const double> reads() const { return w; }
    vec<double> product_vector() const { return v; }
    double power() const { return 1; }
    sums<double, 1> operator()(index_t, double ax, double w_i, const state&) const
    {
        return {ax * w_i};
    }
    void finish(const sums<double, 1>&, state&) const {}
};

// A deleted member hides the right one, so that the name is there and cannot be used ...
#define WITHOUT(base, name)                                                                        \
    struct base##_without_##name : base {                                                          \
        template <int>                                                                             \
        void name() const = delete;                                                                \
    }
WITHOUT(right, reads);
WITHOUT(right, writes);
WITHOUT(right, prepare);
WITHOUT(right, finish);
WITHOUT(right, stopped);
WITHOUT(right_over_rows, reads);
WITHOUT(right_over_rows, room);
WITHOUT(right_product, product_vector);
WITHOUT(right_product, power);
#undef WITHOUT

/// ... and a step that does not say what it has might as well have misspelt it.
template <class Step, abilities Has>
struct that_says : Step {
    static constexpr abilities has = Has;
};

/// Whether it reads or not, operator() is there: only the declaration tells.
struct right_either_way : right {
    using right::operator();
    sums<double, 1> operator()(index_t, const state&) const { return {0}; }
};
struct right_over_rows_either_way : right_over_rows {
    using right_over_rows::operator();
    void operator()(index_t, double, no_scalars) const {}
};

struct with_wrong_prepare : right {
    int prepare(state&) const { return 0; }
};
struct with_wrong_room : right_over_rows {
    vec<const double> room() const { return b; }
};
struct with_wrong_element : right {
    sums<double, 1> operator()(index_t, const state&) const { return {0}; }
};
struct with_wrong_sum : right {
    double operator()(index_t, double x_i, const state&) const { return x_i; }
};
struct with_wrong_power : right_product {
    dd_real power() const { return 1; }
};
struct with_reads_of_no_element : right {
    double reads() const { return 0; }
};
struct with_wrong_finish : right {
    void finish(const sums<double, 1>&) const {}
};
struct with_finish_without_sum : right_over_rows {
    void finish() const {}
};

}  // namespace

TEST_CASE("a step that is spelt right is one", "[steps]")
{
    STATIC_REQUIRE(element_step<right>);
    STATIC_REQUIRE(row_step<right_over_rows>);
    STATIC_REQUIRE(row_step<right_product>);
    STATIC_REQUIRE(runs<right>);
    STATIC_REQUIRE(runs_over_rows<right_over_rows>);
    STATIC_REQUIRE(runs_over_rows<right_product>);
    STATIC_REQUIRE(!runs<right_over_rows>);
    STATIC_REQUIRE(!runs_over_rows<right>);
    STATIC_REQUIRE(element_step<sums_after_product<right_product>>);
    STATIC_REQUIRE(element_step<summed_by_tiles<right_product>>);
}

TEST_CASE("what a step declares must be there", "[steps]")
{
    STATIC_REQUIRE(!runs<right_without_reads>);
    STATIC_REQUIRE(!runs<right_without_writes>);
    STATIC_REQUIRE(!runs<right_without_prepare>);
    STATIC_REQUIRE(!runs<right_without_finish>);
    STATIC_REQUIRE(!runs<right_without_stopped>);
    STATIC_REQUIRE(!runs_over_rows<right_over_rows_without_reads>);
    STATIC_REQUIRE(!runs_over_rows<right_over_rows_without_room>);
    STATIC_REQUIRE(!runs_over_rows<right_product_without_product_vector>);
    STATIC_REQUIRE(!runs_over_rows<right_product_without_power>);
}

TEST_CASE("what is there must be declared", "[steps]")
{
    constexpr abilities all = right::has;
    STATIC_REQUIRE(runs<that_says<right, all>>);
    STATIC_REQUIRE(!runs<that_says<right, {.writes = true, .prepare = true}>>);
    STATIC_REQUIRE(runs<that_says<right_either_way, all>>);
    STATIC_REQUIRE(!runs<that_says<right_either_way, {.writes = true, .prepare = true}>>);
    STATIC_REQUIRE(runs_over_rows<that_says<right_over_rows_either_way, right_over_rows::has>>);
    STATIC_REQUIRE(!runs_over_rows<that_says<right_over_rows_either_way, {.room = true}>>);
    STATIC_REQUIRE(!runs<that_says<right, {.reads = true, .prepare = true}>>);
    STATIC_REQUIRE(!runs<that_says<right, {.reads = true, .writes = true}>>);
    STATIC_REQUIRE(!runs_over_rows<that_says<right_over_rows, {.reads = true}>>);
    STATIC_REQUIRE(!runs_over_rows<that_says<right_over_rows, {.room = true}>>);
    STATIC_REQUIRE(!runs_over_rows<that_says<right_product, {.reads = true}>>);
}

TEST_CASE("what a step has must be of the right type", "[steps]")
{
    STATIC_REQUIRE(!runs<with_wrong_prepare>);
    STATIC_REQUIRE(!runs_over_rows<with_wrong_room>);
    STATIC_REQUIRE(!runs<with_wrong_element>);
    STATIC_REQUIRE(!runs<with_wrong_sum>);
    STATIC_REQUIRE(!runs_over_rows<with_wrong_power>);
    STATIC_REQUIRE(!runs<with_reads_of_no_element>);
    STATIC_REQUIRE(!runs<with_wrong_finish>);
    STATIC_REQUIRE(!runs_over_rows<with_finish_without_sum>);
}
