#include "ddla/binary_matrix.hpp"

#include "binary_file.hpp"

#include "ddla/blas.hpp"
#include "ddla/error.hpp"
#include "ddla/output_file.hpp"

#include <cmath>

namespace ddla {
namespace {

/// What is written, and how much of it there is already.
class binary_writer {
public:
    explicit binary_writer(const std::filesystem::path& file) : to_(file) {}

    void write(const void* bytes, std::size_t count)
    {
        if (count > 0) to_.write({static_cast<const char*>(bytes), count});
        written_ += count;
    }
    void fill_up_to(std::uint64_t begin)
    {
        static constexpr char zeros[64] = {};
        write(zeros, begin - written_);
    }
    void commit() { to_.commit(); }

private:
    output_file to_;
    std::uint64_t written_ = 0;
};

template <scalar V>
void require_finite(const std::filesystem::path& file, const csr<V>& a)
{
    for (int w = 0; w < words_of<V>; ++w)
        for (index_t k = 0; k < a.nonzeros(); ++k)
            if (!std::isfinite(a.value.word(w)[k]))
                throw input_error(file.string() + ": entry " + std::to_string(k + 1) +
                                  " is not finite, and would not be read again");
}

}  // namespace

template <scalar V>
void write_binary_matrix(const std::filesystem::path& file, const csr_matrix<V>& a, bool is_complex)
{
    if (!a.where().is_host())
        throw input_error(file.string() + ": the matrix lives at " + to_string(a.where()) +
                          ", and must be on the host");
    require_name_of(file_form::binary_matrix, file);
    const csr<V> from = a.view();
    if (is_complex && (from.rows % 2 != 0 || from.columns % 2 != 0))
        throw input_error(file.string() + ": a real form of " + std::to_string(from.rows) + " x " +
                          std::to_string(from.columns) + " is of no complex matrix");
    require_finite(file, from);
    const text::binary_header about{.words = words_of<V>,
                                    .rows = from.rows,
                                    .columns = from.columns,
                                    .entries = from.nonzeros(),
                                    .is_complex = is_complex};
    const text::binary_layout layout(about);
    const auto entries = static_cast<std::size_t>(from.nonzeros());
    binary_writer out(file);
    out.write(&about, sizeof about);
    // Of a csr_matrix: always wide.
    out.write(from.row_begin.wide(), static_cast<std::size_t>(from.rows + 1) * sizeof(index_t));
    out.fill_up_to(layout.column);
    out.write(from.column, entries * sizeof(column_t));
    out.fill_up_to(layout.value);
    for (int w = 0; w < words_of<V>; ++w) out.write(from.value.word(w), entries * sizeof(double));
    out.commit();
}

template void write_binary_matrix(const std::filesystem::path&, const csr_matrix<double>&, bool);
template void write_binary_matrix(const std::filesystem::path&, const csr_matrix<dd_real>&, bool);

}  // namespace ddla
