// Complex systems from C: (1 + i, 2 - i, -3) solves this one, of Gaussian integers.
#include "catch.hpp"

#include <ddla.h>

#include <complex>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace {

using number = std::complex<double>;

const std::int32_t row_begin[] = {0, 2, 3, 5}, column[] = {0, 1, 1, 0, 2};
const number value[] = {{4, 1}, {1, -1}, {0, 3}, {0, 2}, {2, 0}};
const number right[] = {{4, 2}, {3, 6}, {-8, 2}};
const double solution[] = {1, 1, 2, -1, -3, 0};

ddla_csr rows_of(const double* hi)
{
    ddla_csr arrays;
    REQUIRE(ddla_csr_init(&arrays, sizeof arrays) == DDLA_OK);
    arrays.rows = arrays.columns = 3;
    arrays.nonzeros = 5;
    arrays.row_begin = row_begin;
    arrays.column = column;
    arrays.hi = hi;
    return arrays;
}

ddla_vector* right_hand_side(ddla_precision precision)
{
    const double zeros[6] = {};
    ddla_vector* b = nullptr;
    REQUIRE(ddla_vector_create(precision, 6, DDLA_HOST, &b) == DDLA_OK);
    REQUIRE(ddla_vector_set_words(b, 6, reinterpret_cast<const double*>(right),
                                  precision == DDLA_DD ? zeros : nullptr) == DDLA_OK);
    return b;
}

/// The hash of x of A x = b, both in double-double.
std::uint64_t solved(const ddla_matrix* a, const ddla_vector* b)
{
    std::uint64_t hash = 0;
    ddla_vector* x = nullptr;
    REQUIRE(ddla_vector_create(DDLA_DD, 6, DDLA_HOST, &x) == DDLA_OK);
    REQUIRE(ddla_solve(a, nullptr, b, x, nullptr, nullptr) == DDLA_OK);
    double hi[6], lo[6];
    REQUIRE(ddla_vector_get_words(x, 6, hi, lo) == DDLA_OK);
    for (int i = 0; i < 6; ++i) CHECK((hi[i] == solution[i] && lo[i] == 0));
    REQUIRE(ddla_hash(x, &hash) == DDLA_OK);
    ddla_vector_destroy(x);
    return hash;
}

}  // namespace

TEST_CASE("complex systems are solved from C")
{
    const ddla_csr arrays = rows_of(reinterpret_cast<const double*>(value));
    ddla_matrix* a = nullptr;
    REQUIRE(ddla_matrix_create_complex(&arrays, DDLA_HOST, &a) == DDLA_OK);
    std::int64_t rows = 0, columns = 0, nonzeros = 0;
    REQUIRE(ddla_matrix_shape(a, &rows, &columns, &nonzeros) == DDLA_OK);
    CHECK((rows == 6 && columns == 6 && nonzeros == 14));
    ddla_vector* b = right_hand_side(DDLA_DD);
    solved(a, b);

    double re[5], im[5];
    for (int k = 0; k < 5; ++k) {
        re[k] = value[k].real();
        im[k] = value[k].imag();
    }
    const ddla_csr of_re = rows_of(re), of_im = rows_of(im);
    ddla_matrix *real = nullptr, *imag = nullptr, *form = nullptr;
    REQUIRE(ddla_matrix_create(&of_re, DDLA_HOST, &real) == DDLA_OK);
    REQUIRE(ddla_matrix_create(&of_im, DDLA_HOST, &imag) == DDLA_OK);
    REQUIRE(ddla_matrix_real_form(real, imag, &form) == DDLA_OK);
    CHECK(solved(form, b) == solved(a, b));
    ddla_matrix_destroy(form);
    REQUIRE(ddla_matrix_real_form(real, nullptr, &form) == DDLA_OK);
    REQUIRE(ddla_matrix_shape(form, &rows, &columns, &nonzeros) == DDLA_OK);
    CHECK((rows == 6 && nonzeros == 6));
    for (ddla_matrix* m : {a, real, imag, form}) ddla_matrix_destroy(m);
    ddla_vector_destroy(b);
}

TEST_CASE("complex vectors go both ways and to files from C")
{
    for (const ddla_precision precision : {DDLA_DOUBLE, DDLA_DD}) {
        ddla_vector *b = right_hand_side(precision), *real = nullptr, *imag = nullptr;
        REQUIRE(ddla_vector_complex_form(b, &real, &imag) == DDLA_OK);
        ddla_dd re[3], im[3];
        REQUIRE(ddla_vector_get_pairs(real, 3, re) == DDLA_OK);
        REQUIRE(ddla_vector_get_pairs(imag, 3, im) == DDLA_OK);
        for (int i = 0; i < 3; ++i) CHECK(number(re[i].hi, im[i].hi) == right[i]);
        std::uint64_t wanted = 0, hash = 0;
        REQUIRE(ddla_hash(b, &wanted) == DDLA_OK);
        ddla_vector *joined = nullptr, *back = nullptr;
        REQUIRE(ddla_vector_real_form(real, imag, &joined) == DDLA_OK);
        REQUIRE(ddla_hash(joined, &hash) == DDLA_OK);
        CHECK(hash == wanted);

        const auto file = std::filesystem::temp_directory_path() /
                          ("ddla-complex-" + std::to_string(::getpid()) + ".mtx");
        REQUIRE(ddla_vector_write_complex(b, file.c_str(), "b") == DDLA_OK);
        std::stringstream text;
        text << std::ifstream(file).rdbuf();
        CHECK(text.str() == "%%MatrixMarket matrix array complex general\n% b\n"
                            "3 1\n4 2\n3 6\n-8 2\n");
        std::int32_t is_complex = 0;
        REQUIRE(ddla_vector_read_any(file.c_str(), precision, &back, &is_complex) == DDLA_OK);
        REQUIRE(ddla_hash(back, &hash) == DDLA_OK);
        CHECK((is_complex == 1 && hash == wanted));
        ddla_matrix* a = nullptr;
        REQUIRE(ddla_matrix_read_any(file.c_str(), precision, &a, &is_complex) == DDLA_OK);
        std::int64_t rows = 0, columns = 0, nonzeros = 0;
        REQUIRE(ddla_matrix_shape(a, &rows, &columns, &nonzeros) == DDLA_OK);
        CHECK((is_complex == 1 && rows == 6 && columns == 2 && nonzeros == 12));
        std::filesystem::remove(file);
        for (ddla_vector* v : {b, real, imag, joined, back}) ddla_vector_destroy(v);
        ddla_matrix_destroy(a);
    }
}
