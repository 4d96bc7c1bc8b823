// Vectors from and to files.
#include "arrays.hpp"

#include "interruptible_work.hpp"

#include "ddla/matrix_market.hpp"

#include <utility>

namespace ddla::python {
namespace {

vector_part part_of(const std::string& name)
{
    const std::pair<const char*, vector_part> parts[] = {
        {"right_hand_side", vector_part::right_hand_side},
        {"guess", vector_part::guess},
        {"solution", vector_part::solution}};
    for (const auto& [each, part] : parts)
        if (name == each) return part;
    throw nb::value_error(
        ("part \"" + name + "\" is none of right_hand_side, guess, solution").c_str());
}

/// The columns, one after the other.
template <scalar T>
vector<T> joined(const std::vector<vector<T>>& columns)
{
    const index_t n = columns.empty() ? 0 : columns[0].size();
    vector<T> all(n * static_cast<index_t>(columns.size()));
    for (int w = 0; w < words_of<T>; ++w)
        for (std::size_t j = 0; j < columns.size(); ++j)
            std::copy_n(columns[j].word(w).data(), n,
                        all.word(w).data() + static_cast<index_t>(j) * n);
    return all;
}

/// The words of all columns, how many there are, whether they are real forms of complex ones, and
/// how many values became 0 or keep fewer digits because they are small.
template <scalar T>
nb::tuple read_columns(const std::string& file, std::size_t memory_limit, vector_part part)
{
    read_losses lost;
    vector<T> all;
    std::size_t count = 0;
    bool is_complex = false;
    {
        const interruptible_work released;
        const auto found = read_any_vectors<T>(file, 0, &lost, memory_limit, part);
        all = joined(found.numbers);
        count = found.numbers.size();
        is_complex = found.is_complex;
    }
    return nb::make_tuple(words_of_vector(all), count, is_complex, lost.underflowed,
                          lost.subnormal);
}

nb::tuple read_vector_file(const nb::bytes& file, const std::string& precision,
                           std::size_t memory_limit, const std::string& part)
{
    const vector_part which = part_of(part);
    return in_precision(
        precision, [&]<scalar T>() { return read_columns<T>(path_of(file), memory_limit, which); });
}

/// In double-double whatever x has, so that the text reads back the same in both precisions.
void write_vector_file(const nb::bytes& file, const words_in& x, index_t count, bool is_complex,
                       const std::string& comment)
{
    const std::vector<vector<dd_real>> columns = columns_of<dd_real>(x, count);
    const std::string path = path_of(file);
    const interruptible_work released;
    if (is_complex)
        write_complex_vectors(path, columns, comment);
    else
        write_vectors(path, columns, comment);
}

}  // namespace

void bind_vectors(nb::module_& m)
{
    m.def("read_vector", read_vector_file);
    m.def("write_vector", write_vector_file);
}

}  // namespace ddla::python
