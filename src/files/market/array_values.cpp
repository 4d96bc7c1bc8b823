#include "array_values.hpp"

#include "complex_value.hpp"
#include "files/decimal/decimal_read.hpp"
#include "files/parallel.hpp"

namespace ddla::text {
namespace {

/// A position in the part of a matrix that an array file holds: all of it, or the triangle that
/// begins `below` the diagonal (0 with the diagonal, 1 without).
class array_place {
public:
    array_place(const header& about, index_t ordinal)
        : rows_(about.rows), triangle_(about.symmetry != symmetry::general),
          below_(about.symmetry == symmetry::skew_symmetric ? 1 : 0)
    {
        if (triangle_) {
            row_ = below_;
            pass_columns(ordinal);
        } else if (rows_ > 0) {
            column_ = ordinal / rows_;
            row_ = ordinal % rows_;
        }
    }
    column_t row() const { return static_cast<column_t>(row_); }
    column_t column() const { return static_cast<column_t>(column_); }
    void next()
    {
        if (++row_ < rows_) return;
        ++column_;
        row_ = triangle_ ? column_ + below_ : 0;
    }

private:
    void pass_columns(index_t ordinal)
    {
        while (row_ < rows_ && ordinal >= rows_ - row_) {
            ordinal -= rows_ - row_;
            ++column_;
            row_ = column_ + below_;
        }
        row_ += ordinal;
    }

    index_t rows_;
    bool triangle_;
    index_t below_;
    index_t row_ = 0;
    index_t column_ = 0;
};

template <scalar V>
std::vector<placed_entry<V>> nonzeros(const std::vector<V>& values, array_place place)
{
    std::vector<placed_entry<V>> entries;
    for (const V& value : values) {
        if (!is_zero(value)) entries.push_back({place.row(), place.column(), value});
        place.next();
    }
    return entries;
}

}  // namespace

template <scalar V>
array_values<V> parse_array(characters text, const header& about, sharing how)
{
    array_values<V> values(piece_count(text, about, how));
    parse_entries<V>(text, about, how,
                     [&](int, std::size_t piece, std::span<const placed_entry<V>> entries) {
                         values[piece].reserve(entries.size());
                         for (const auto& entry : entries) values[piece].push_back(entry.value);
                     });
    return values;
}

template <scalar V>
void give_places(const header& about, const array_values<V>& values, sharing how,
                 const piece_sink<V>& sink)
{
    std::vector<index_t> ordinal(values.size());
    index_t passed = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        ordinal[i] = passed;
        passed += static_cast<index_t>(values[i].size());
    }
    parallel_for(how.threads, values.size(), [&](int worker, std::size_t i) {
        sink(worker, i, nonzeros(values[i], array_place(about, ordinal[i])));
    });
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template array_values<T> parse_array(characters, const header&, sharing);                      \
    template void give_places(const header&, const array_values<T>&, sharing, const piece_sink<T>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
DDLA_INSTANTIATE(complex_number<double>)
DDLA_INSTANTIATE(complex_number<dd_real>)
#undef DDLA_INSTANTIATE
template array_values<four_words> parse_array(characters, const header&, sharing);
template array_values<complex_number<four_words>> parse_array(characters, const header&, sharing);

}  // namespace ddla::text
