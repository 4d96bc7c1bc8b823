// Conversions of a matrix to other formats, at any place.
#pragma once

#include "engine.hpp"
#include "formats/choose_format.hpp"
#include "formats/transpose.hpp"
#include "storage/transposed.hpp"

namespace ddla {

/// `Context` makes a call, as in matrix_operations.hpp, and knows its place.
template <class Context, scalar V>
class format_operations_on final : public format_operations<V> {
public:
    explicit format_operations_on(Context context) : context_(context) {}

    std::shared_ptr<row_storage<V>> store(const csr<V>& a, const format_options& options,
                                          bool for_double, std::string& why) override
    {
        auto c = context_.call();
        formats::format_builder make(c, context_.where(), a, options, for_double);
        return options.format == sparse_format::automatic && context_.where().is_host()
                   ? make.make_for_host(why)
                   : make.make(options.format);
    }

    csr_matrix<V> transposed(const csr<V>& a) override
    {
        if (context_.where().is_host()) return ddla::transposed(a);
        auto c = context_.call();
        return formats::transposed_by_sorting(c, context_.where(), a);
    }

private:
    Context context_;
};

}  // namespace ddla
