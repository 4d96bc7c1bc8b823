// Calls of ddla.h on numbers, arrays, files, and what handles say of themselves.
#pragma once

#include "c_api_session.hpp"

#include "ddla/method.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

namespace fuzz {

/// A temporary folder for files, removed at the end.
class scratch_folder {
public:
    static std::string file(const std::string& name)
    {
        static const scratch_folder one;
        return one.path_ + "/" + name;
    }

private:
    scratch_folder() : path_((std::filesystem::temp_directory_path() / "ddla-fuzz-XXXXXX").string())
    {
        require(::mkdtemp(path_.data()) != nullptr, "a temporary folder");
    }
    ~scratch_folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::string path_;
};

#define DDLA_COUNT(...) +1
constexpr int methods = 0 DDLA_FOR_METHODS(DDLA_COUNT);
#undef DDLA_COUNT

class data_calls : protected session {
protected:
    using session::session;

    void numbers()
    {
        const ddla_dd x = in_.pair(), y = in_.pair();
        const std::array<ddla_dd, 6> results{ddla_dd_add(x, y),      ddla_dd_subtract(x, y),
                                             ddla_dd_multiply(x, y), ddla_dd_divide(x, y),
                                             ddla_dd_sqrt(x),        ddla_dd_abs(x)};
        const ddla_dd one = results[static_cast<std::size_t>(in_.below(6))];
        std::array<char, 400> text = {};
        const bool is_short = in_.one_in(8);
        const std::size_t room = is_short ? std::size_t(in_.below(9)) : text.size();
        const std::int32_t digits = in_.one_in(4) ? in_.below(40) - 2 : 0;
        const ddla_status written = ddla_dd_format(one, digits, text.data(), room);
        check(written);
        ddla_dd back;
        if (written != DDLA_OK) text = {"1e"};
        const ddla_status read = ddla_dd_parse(text.data(), in_.one_in(16) ? nullptr : &back);
        check(read);
        const bool is_number = one.hi - one.hi == 0 && one.hi + one.lo == one.hi;
        if (written == DDLA_OK && read == DDLA_OK && digits == 0 && is_number)
            require(back.hi == one.hi && back.lo == one.lo, text.data());
        require(!(ddla_dd_less(x, y) && ddla_dd_less(y, x)));
    }

    void about_the_machine()
    {
        std::int32_t number = 0;
        std::array<char, 300> text = {}, other = {};
        const std::size_t room = in_.one_in(4) ? std::size_t(in_.below(9)) : text.size();
        require(*ddla_version() != '\0');
        require(ddla_last_limit() >= DDLA_NO_LIMIT && ddla_last_limit() <= DDLA_MOST_FILL);
        const std::int32_t method = in_.below(11) - 1;
        require((ddla_method_name(method) != nullptr) == (method >= 0 && method < methods));
        std::int64_t lost = 0;
        check(ddla_last_read(&lost, &lost, in_.one_in(8) ? nullptr : &lost));
        check(ddla_host_threads(in_.one_in(8) ? nullptr : &number));
        check(ddla_set_host_threads(in_.below(3) - 1));
        check(ddla_device_count(&number));
        ddla_device device;
        device.size = size_of(sizeof device);
        check(ddla_device_state(in_.below(3) - 1, &device));
        check(ddla_release_kept_memory(in_.below(3) - 1));
        check(ddla_why_no_device(text.data(), room));
        check(ddla_cuda_versions(text.data(), in_.one_in(8) ? nullptr : other.data(), room));
        check(ddla_place_of_memory(in_.one_in(4) ? nullptr : text.data(), &number));
    }

    void assemble()
    {
        constexpr std::size_t most = 12;
        std::array<std::int64_t, most> row = {}, column = {};
        std::array<double, most> hi = {}, lo = {};
        ddla_coordinates from;
        check(ddla_coordinates_init(&from, sizeof from));
        from.size = size_of(sizeof from);
        from.rows = small();
        from.columns = in_.one_in(4) ? small() : from.rows;
        from.nonzeros = in_.below(most + 1);
        from.index_base = in_.one_in(4);
        for (std::size_t k = 0; k < most; ++k) {
            row[k] = in_.below(9) - in_.one_in(64);
            column[k] = in_.below(9);
            hi[k] = in_.number();
            lo[k] = hi[k] * 0x1p-60;
        }
        from.row = row.data(), from.column = in_.one_in(32) ? nullptr : column.data();
        from.index_bits = in_.one_in(32) ? 32 : 64;
        from.hi = hi.data();
        if (in_.one_in(2)) from.lo = lo.data();
        check(ddla_matrix_assemble(&from, place(), a_.fresh(in_)));
    }

    /// Of arrays that outlive all handles; only calls on a stream take such a matrix.
    void borrow()
    {
        static const std::array<std::int32_t, 4> row_begin{0, 2, 3, 5};
        static const std::array<std::int32_t, 5> column{0, 2, 1, 0, 2};
        static const std::array<double, 5> hi{4, -1, 3, 0.5, 2}, lo{};
        ddla_csr from;
        check(ddla_csr_init(&from, sizeof from));
        from.size = size_of(sizeof from);
        from.rows = from.columns = 3;
        from.nonzeros = 5;
        from.row_begin = row_begin.data(), from.column = column.data();
        from.hi = hi.data();
        if (in_.one_in(2)) from.lo = lo.data();
        if (in_.one_in(8)) from.index_base = 1;
        check(ddla_matrix_borrow(&from, place(), a_.fresh(in_)));
    }

    void complex_forms()
    {
        static const std::array<std::int32_t, 3> row_begin{0, 2, 3}, column{0, 1, 1};
        static const std::array<double, 6> values{4, 1, 0, -1, 3, 0};
        ddla_csr from;
        switch (in_.below(4)) {
        case 0:
            check(ddla_csr_init(&from, sizeof from));
            from.size = size_of(sizeof from);
            from.rows = from.columns = 2;
            from.nonzeros = in_.one_in(8) ? in_.below(9) - 4 : 3;
            from.row_begin = row_begin.data(), from.column = column.data();
            from.hi = values.data();
            return check(ddla_matrix_create_complex(&from, place(), a_.fresh(in_)));
        case 1:
            return matrix_form();
        case 2:
            return vector_form();
        default:
            return check(ddla_vector_complex_form(x_.get(in_), x_.fresh(in_), x_.fresh(in_)));
        }
    }

    /// Twice the size, which must end somewhere: files of them are written, too.
    static constexpr std::int64_t largest_form = 8;

    void matrix_form()
    {
        const ddla_matrix* const a = a_.get(in_);
        std::int64_t rows = 0, columns = 0, nonzeros = 0;
        check(ddla_matrix_shape(a, &rows, &columns, &nonzeros));
        if (std::max(rows, columns) > largest_form) return;
        const ddla_matrix* const imag = in_.one_in(2) ? a_.get(in_) : nullptr;
        check(ddla_matrix_real_form(a, imag, a_.fresh(in_)));
    }
    void vector_form()
    {
        const ddla_vector* const x = x_.get(in_);
        std::int64_t n = 0;
        check(ddla_vector_size(x, &n));
        if (n > largest_form) return;
        const ddla_vector* const imag = in_.one_in(2) ? x_.get(in_) : nullptr;
        check(ddla_vector_real_form(x, imag, x_.fresh(in_)));
    }

    void files()
    {
        const std::string name = in_.one_in(8) ? "" : in_.one_in(8) ? "none.mtx" : "one.mtx";
        const std::string file = scratch_folder::file(name);
        const char* const at = in_.one_in(16) ? nullptr : file.c_str();
        const char* const comment = in_.one_in(2) ? nullptr : "a comment\nof two lines";
        std::int32_t is_complex = 0;
        switch (in_.below(7)) {
        case 0:
            return check(ddla_vector_write(x_.get(in_), at, comment));
        case 1:
            return check(ddla_vector_write_complex(x_.get(in_), at, comment));
        case 2:
            return check(ddla_matrix_write(a_.get(in_), at, comment));
        case 3:
            return check(ddla_vector_read(at, precision(), x_.fresh(in_)));
        case 4:
            return check(ddla_vector_read_any(at, precision(), x_.fresh(in_), &is_complex));
        case 5:
            return check(ddla_matrix_read(at, precision(), a_.fresh(in_)));
        default:
            return check(ddla_matrix_read_any(at, precision(), a_.fresh(in_), &is_complex));
        }
    }

    void about_handles()
    {
        const ddla_matrix* const a = a_.get(in_);
        ddla_vector* const x = x_.get(in_);
        std::int64_t rows = 0, columns = 0, nonzeros = 0, n = 0;
        ddla_precision of_a = 0, of_x = 0;
        ddla_place at = 0;
        double *hi = nullptr, *lo = nullptr;
        std::uint64_t hash = 0;
        check(ddla_matrix_shape(a, &rows, &columns, in_.one_in(8) ? nullptr : &nonzeros));
        check(ddla_matrix_precision(a, &of_a));
        check(ddla_matrix_place(a, &at));
        check(ddla_vector_size(x, &n));
        check(ddla_vector_precision(x, &of_x));
        check(ddla_vector_place(x, &at));
        check(ddla_hash(x, in_.one_in(8) ? nullptr : &hash));
        const ddla_status status = ddla_vector_words(x, &hi, &lo);
        check(status);
        if (status != DDLA_OK) return;
        require(n == 0 || hi != nullptr);
        require((lo != nullptr) == (of_x == DDLA_DD) || n == 0);
        for (std::int64_t i = 0; i < n; ++i) hi[i] = in_.number();
        if (lo && n > 0) std::fill_n(lo, n, 0.0);
        check(ddla_vector_set_words(x, n, hi, in_.one_in(8) ? nullptr : lo));
    }

    void generate_others()
    {
        const std::int64_t n = in_.below(4), m = in_.below(4);
        const auto seed = static_cast<std::uint64_t>(in_.byte());
        ddla_matrix** const to = a_.fresh(in_);
        switch (in_.below(6)) {
        case 0:
            return check(ddla_generate_poisson2d(n, m, to));
        case 1:
            return check(ddla_generate_poisson3d(n, m, in_.below(4), to));
        case 2:
            return check(
                ddla_generate_convection_diffusion(n, m, 2, in_.number(), in_.number(), to));
        case 3:
            return check(ddla_generate_hilbert_like(small(), in_.below(5) - 1, precision(), to));
        case 4:
            return check(ddla_generate_random(small(), m, in_.number(), seed, to));
        default:
            return check(ddla_generate_skewed(small(), m, in_.number(), seed, to));
        }
    }

    void formats()
    {
        ddla_format_options o;
        check(ddla_format_options_init(&o, size_of(sizeof o)));
        ddla_format_report report;
        report.size = size_of(sizeof report);
        check(ddla_matrix_format(a_.get(in_), &report));
    }
};

}  // namespace fuzz
