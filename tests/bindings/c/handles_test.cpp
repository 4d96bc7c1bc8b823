// After a call that failed, each handle that it should have made reads NULL, whatever stood there.
#include "catch.hpp"

#include <ddla.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

/// A call that fails, with a place for each of its handles.
struct failing_call {
    std::string name;
    std::function<ddla_status()> call;
    std::vector<void**> places;
};

/// What stood in a handle before.
char anything;

template <class Handle>
struct place_of {
    Handle* h = reinterpret_cast<Handle*>(&anything);
    Handle** to = &h;
};

struct places {
    place_of<ddla_vector> v, w;
    place_of<ddla_matrix> m;
    place_of<ddla_operator> f;
    place_of<ddla_preconditioner> k;
    place_of<ddla_factors> lu;
    place_of<ddla_report> r;
    std::array<ddla_report*, 2> several{r.h, r.h};
    place_of<ddla_plan> p;
    place_of<ddla_stream> s;
    place_of<ddla_distributed> d;
};

template <class Handle>
void** raw(Handle** to)
{
    return reinterpret_cast<void**>(to);
}

int never(void*, int64_t, const double*, const double*, int64_t, double*, double*)
{
    return 0;
}
int never_there(void*, void*, int64_t, const double*, const double*, int64_t, double*, double*)
{
    return 0;
}

#define ONE(function, to, ...)                                                                     \
    {                                                                                              \
#function, [&] { return function(__VA_ARGS__); },                                          \
        {                                                                                          \
            raw(to)                                                                                \
        }                                                                                          \
    }

constexpr ddla_precision no_precision = 9;

std::vector<failing_call> of_data(places& p)
{
    static const ddla_csr no_arrays = {};
    static const ddla_coordinates no_entries = {};
    return {
        ONE(ddla_vector_create, p.v.to, no_precision, 4, DDLA_HOST, p.v.to),
        ONE(ddla_vector_copy_to, p.v.to, nullptr, DDLA_HOST, p.v.to),
        ONE(ddla_vector_read, p.v.to, "/no/such/file", DDLA_DD, p.v.to),
        ONE(ddla_matrix_create, p.m.to, &no_arrays, DDLA_HOST, p.m.to),
        ONE(ddla_matrix_borrow, p.m.to, &no_arrays, DDLA_HOST, p.m.to),
        ONE(ddla_matrix_assemble, p.m.to, &no_entries, DDLA_HOST, p.m.to),
        ONE(ddla_matrix_read, p.m.to, "/no/such/file", DDLA_DD, p.m.to),
        ONE(ddla_matrix_copy_to, p.m.to, nullptr, DDLA_HOST, p.m.to),
        ONE(ddla_matrix_transpose, p.m.to, nullptr, p.m.to),
        ONE(ddla_matrix_widen, p.m.to, nullptr, p.m.to),
        ONE(ddla_matrix_diagonal, p.v.to, nullptr, p.v.to),
        ONE(ddla_generate_poisson2d, p.m.to, -1, 2, p.m.to),
        ONE(ddla_generate_poisson3d, p.m.to, -1, 2, 2, p.m.to),
        ONE(ddla_generate_convection_diffusion, p.m.to, -1, 2, 2, 0, 0, p.m.to),
        ONE(ddla_generate_toeplitz, p.m.to, -1, 2, p.m.to),
        ONE(ddla_generate_hilbert_like, p.m.to, -1, 2, DDLA_DOUBLE, p.m.to),
        ONE(ddla_generate_random, p.m.to, -1, 2, 1, 1, p.m.to),
        ONE(ddla_generate_skewed, p.m.to, -1, 2, 1, 1, p.m.to),
        ONE(ddla_matrix_real_form, p.m.to, nullptr, nullptr, p.m.to),
        ONE(ddla_matrix_create_complex, p.m.to, nullptr, DDLA_HOST, p.m.to),
        ONE(ddla_vector_real_form, p.v.to, nullptr, nullptr, p.v.to),
        {"ddla_vector_complex_form",
         [&] { return ddla_vector_complex_form(nullptr, p.v.to, p.w.to); },
         {raw(p.v.to), raw(p.w.to)}},
        ONE(ddla_matrix_read_any, p.m.to, "/no/such/file", DDLA_DD, p.m.to, nullptr),
        ONE(ddla_vector_read_any, p.v.to, "/no/such/file", DDLA_DD, p.v.to, nullptr),
        ONE(ddla_stream_create, p.s.to, -7, nullptr, p.s.to),
        ONE(ddla_distributed_create, p.d.to, nullptr, &no_arrays, 4, 0, p.d.to),
    };
}

std::vector<failing_call> of_maps(places& p)
{
    return {
        ONE(ddla_operator_create, p.f.to, no_precision, 4, 4, never, nullptr, p.f.to),
        ONE(ddla_operator_create_on_device, p.f.to, DDLA_DD, 4, 4, DDLA_HOST, never_there, nullptr,
            0, p.f.to),
        ONE(ddla_operator_create_matrix, p.f.to, nullptr, DDLA_DD, p.f.to),
        ONE(ddla_factors_create, p.lu.to, nullptr, DDLA_DD, nullptr, p.lu.to),
        ONE(ddla_preconditioner_create, p.k.to, no_precision, "k", 4, never, nullptr, p.k.to),
        ONE(ddla_preconditioner_create_on_device, p.k.to, DDLA_DD, "k", 4, DDLA_HOST, never_there,
            nullptr, 0, p.k.to),
        ONE(ddla_preconditioner_create_none, p.k.to, no_precision, p.k.to),
        ONE(ddla_preconditioner_create_jacobi, p.k.to, nullptr, DDLA_DD, p.k.to),
        ONE(ddla_preconditioner_create_lu, p.k.to, nullptr, DDLA_DD, DDLA_HOST, p.k.to),
        ONE(ddla_preconditioner_create_matrix, p.k.to, nullptr, DDLA_DD, DDLA_ILU, nullptr, p.k.to),
    };
}

std::vector<failing_call> of_solves(places& p)
{
    static const ddla_vector* const no_b[] = {nullptr, nullptr};
    static ddla_vector* const no_x[] = {nullptr, nullptr};
    return {
        ONE(ddla_solve, p.r.to, nullptr, nullptr, nullptr, nullptr, nullptr, p.r.to),
        {"ddla_solve_several",
         [&] {
             return ddla_solve_several(nullptr, nullptr, 2, no_b, no_x, nullptr, p.several.data());
         },
         {raw(&p.several[0]), raw(&p.several[1])}},
        ONE(ddla_solve_operator, p.r.to, nullptr, nullptr, nullptr, nullptr, nullptr, p.r.to),
        ONE(ddla_solve_factors, p.r.to, nullptr, nullptr, nullptr, nullptr, nullptr, p.r.to),
        ONE(ddla_solve_four_words, p.r.to, nullptr, nullptr, nullptr, nullptr, nullptr, p.r.to),
        ONE(ddla_check, p.r.to, nullptr, nullptr, nullptr, nullptr, p.r.to),
        ONE(ddla_check_four_words, p.r.to, nullptr, nullptr, nullptr, nullptr, nullptr, p.r.to),
        ONE(ddla_distributed_solve, p.r.to, nullptr, nullptr, nullptr, nullptr, p.r.to),
        ONE(ddla_stream_solve, p.r.to, nullptr, nullptr, {}, {}, nullptr, p.r.to),
        ONE(ddla_plan_solve, p.p.to, nullptr, nullptr, nullptr, nullptr, nullptr, p.p.to),
        ONE(ddla_plan_solve_operator, p.p.to, nullptr, nullptr, nullptr, nullptr, nullptr, p.p.to),
        ONE(ddla_plan_solve_four_words, p.p.to, nullptr, nullptr, nullptr, nullptr, nullptr,
            p.p.to),
    };
}

std::vector<failing_call> all_calls(places& p)
{
    std::vector<failing_call> all = of_data(p);
    for (const auto& more : {of_maps(p), of_solves(p)})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

/// The functions of ddla.h with a pointer to a handle that is written.
std::set<std::string> makers_in_header()
{
    std::ifstream file(DDLA_C_HEADER);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const std::regex declaration("ddla_status (ddla_[a-z0-9_]+)\\(([^;]*)\\);"),
        handle("(^|[,\\s])ddla_[a-z]+\\*\\* [a-z_]+|ddla_report\\*\\* reports");
    std::set<std::string> found;
    for (std::sregex_iterator i(text.begin(), text.end(), declaration), end; i != end; ++i)
        if (const std::string arguments = (*i)[2]; std::regex_search(arguments, handle))
            found.insert((*i)[1]);
    return found;
}

}  // namespace

TEST_CASE("the handles of a failed call read NULL, whatever stood there")
{
    places p;
    for (const failing_call& one : all_calls(p)) {
        INFO(one.name);
        for (void** const place : one.places) *place = &anything;
        CHECK(one.call() != DDLA_OK);
        for (void** const place : one.places) CHECK(*place == nullptr);
    }
}

TEST_CASE("each function that makes a handle is among them")
{
    places p;
    std::set<std::string> tried;
    for (const failing_call& one : all_calls(p)) tried.insert(one.name);
    const std::set<std::string> makers = makers_in_header();
    CHECK(makers.size() > 40);
    CHECK(tried == makers);
}

TEST_CASE("where one of two places is missing, the other one reads NULL")
{
    places p;
    CHECK(ddla_vector_complex_form(nullptr, nullptr, p.w.to) == DDLA_MISUSE);
    CHECK(p.w.h == nullptr);
    CHECK(ddla_vector_complex_form(nullptr, p.v.to, nullptr) == DDLA_MISUSE);
    CHECK(p.v.h == nullptr);
}
