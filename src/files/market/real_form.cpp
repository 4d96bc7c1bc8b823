#include "real_form.hpp"

#include "entry_line.hpp"

namespace ddla::text {
namespace {

template <scalar V>
complex_number<V> mirrored(const complex_number<V>& z, symmetry symmetry)
{
    switch (symmetry) {
    case symmetry::hermitian:
        return {z.real, -z.imag};
    case symmetry::skew_symmetric:
        return {-z.real, -z.imag};
    case symmetry::symmetric:
    case symmetry::general:
        break;
    }
    return z;
}

/// Where value number `ordinal` of an array file is.
const char* position_of(characters text, const header& about, index_t ordinal)
{
    const char* p = next_entry(about.data, text.last);
    for (index_t k = 0; k < ordinal; ++k) p = next_entry(line_end(p, text.last), text.last);
    return p;
}

}  // namespace

header real_form_of(const header& about)
{
    header form = about;
    form.symmetry = symmetry::general;
    form.rows *= 2;
    form.columns *= 2;
    form.entries = std::min(about.entries, INT64_MAX / 4) * 4;
    return form;
}

template <scalar V>
std::vector<placed_entry<V>> in_real_form(std::span<const placed_entry<complex_number<V>>> entries,
                                          symmetry symmetry)
{
    std::vector<placed_entry<V>> form;
    form.reserve(entries.size() * (symmetry == symmetry::general ? 4 : 8));
    const auto put = [&](index_t row, index_t column, V value) {
        form.push_back({static_cast<column_t>(row), static_cast<column_t>(column), value});
    };
    for (const auto& [row, column, value] : entries) {
        put_real_form(row, column, value, put);
        if (symmetry != symmetry::general && row != column)
            put_real_form(column, row, mirrored(value, symmetry), put);
    }
    return form;
}

template <scalar V>
void check_hermitian(characters text, const header& about,
                     const array_values<complex_number<V>>& values)
{
    if (about.symmetry != symmetry::hermitian) return;
    index_t ordinal = 0, row = 0, next_diagonal = 0;
    for (const auto& piece : values)
        for (const complex_number<V>& value : piece) {
            if (ordinal == next_diagonal) {
                if (!is_real(value)) fail_hermitian(position_of(text, about, ordinal), row);
                next_diagonal += about.rows - row++;
            }
            ++ordinal;
        }
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template std::vector<placed_entry<T>> in_real_form(                                            \
        std::span<const placed_entry<complex_number<T>>>, symmetry);                               \
    template void check_hermitian(characters, const header&,                                       \
                                  const array_values<complex_number<T>>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::text
