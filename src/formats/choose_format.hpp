// From a format's name, or `automatic` at a place, to what is stored.
#pragma once

#include "convert.hpp"
#include "formats/patterns/convert.hpp"

#include <cmath>
#include <memory>
#include <string>

namespace ddla::formats {

/// The rule of Mukunoki and Takahashi (2013): max(1, min(32, 2^ceil(log2(mean row length)))).
inline int threads_by_rule(index_t entries, index_t rows)
{
    int threads = 1;
    while (threads < lanes_of_slice && static_cast<index_t>(threads) * rows < entries) threads *= 2;
    return threads;
}

/// Fills one storage.  Every make_... is one format.  `for_double`: automatic chooses for products
/// with vectors in double.
template <class Call, scalar V>
class maker {
public:
    maker(Call& call, place at, const csr<V>& a, const format_options& options, bool for_double)
        : convert_(call, at, a, options.memory_limit), patterns_(call, at, a, options.memory_limit),
          at_(at), a_(a), options_(options), for_double_(for_double),
          made_(std::make_shared<row_storage<V>>())
    {
    }

    /// Null for plain compressed rows.
    std::shared_ptr<row_storage<V>> make(sparse_format format)
    {
        made_->report.format = format;
        switch (format) {
        case sparse_format::csr:
            return nullptr;
        case sparse_format::automatic:
            make_fastest();
            break;
        case sparse_format::crs_scalar:
            use_threads(1);
            break;
        case sparse_format::crs_vector:
        case sparse_format::crs_t:
            use_threads(options_.threads_per_row > 0 ? options_.threads_per_row
                                                     : threads_by_rule(a_.nonzeros(), a_.rows));
            break;
        case sparse_format::evc_hyb:
            convert_.make_slices({.window = std::max<index_t>(a_.rows, 1),
                                  .spread_from = 128,
                                  .spread_to = 8,
                                  .by_column = true},
                                 *made_);
            break;
        case sparse_format::slices:
            make_slices();
            break;
        case sparse_format::tiles:
            make_tiles();
            break;
        case sparse_format::patterns:
            patterns_.make_patterns(*made_);
            break;
        }
        return finished();
    }

    /// What `automatic` is on the host: patterns, or null and in `why` the reason.  Not where
    /// compressed rows are in the cache all the time, nor where eight rows are of several kinds:
    /// all eight are summed for each.  Measured, bench/notes.
    std::shared_ptr<row_storage<V>> make_for_host(std::string& why)
    {
        constexpr index_t enough_rows = 32768;
        if (a_.rows >= enough_rows &&
            make_patterns_that_pay({.kinds_of_eight = 1.5, .repeated_beside = true}, !for_double_))
            return finished();
        why = no_room_.empty() ? "the host is fastest with compressed rows" : no_room_;
        return nullptr;
    }

private:
    std::shared_ptr<row_storage<V>> finished()
    {
        if (made_->report.threads_per_row == 0) convert_.count_what_stays_compressed(*made_);
        made_->report.extra_bytes = made_->bytes();
        return made_;
    }
    void make_slices()
    {
        convert_.make_slices(at_.is_host() ? for_one_thread() : for_many_threads(), *made_);
    }
    void make_tiles()
    {
        convert_.make_tiles({.window = tile_size, .compress = true, .listed = true}, *made_);
    }
    /// Patterns where rows repeat, or their columns; else slices, or tiles.
    void make_fastest()
    {
        if (!make_patterns_that_pay({}, true)) make_slices_or_tiles();
    }
    /// A row has one thread, and the leaves of the longest row.  Not where less than a quarter of
    /// them would be filled, as by single entries, nor where rows are long and few.  Measured up to
    /// rows of 129, bench/notes.
    bool fits_patterns() const
    {
        constexpr index_t many_rows = 65536;
        const index_t longest = a_.longest_row;
        index_t slots = slots_of_leaf;
        while (slots < longest) slots *= 2;
        return longest <= 96 && slots * a_.rows <= 4 * a_.nonzeros() &&
               (longest <= lanes_of_slice || a_.rows >= many_rows);
    }
    bool make_patterns_that_pay(const pattern_limits& limits, bool beside_too)
    {
        const auto made = [&](alike in) { return make_patterns_that_pay(in, limits); };
        return fits_patterns() && (made(alike::values_too) || (beside_too && made(alike::columns)));
    }
    bool make_patterns_that_pay(alike in, const pattern_limits& limits)
    {
        begin_anew(sparse_format::patterns);
        try {
            if (!patterns_.may_pay(in, limits)) return false;
            convert_.forget_attempt();
            patterns_.make_patterns(in, limits, *made_);
        } catch (const too_many_kinds&) {
            return false;
        } catch (const resource_error& e) {
            no_room_ = std::string("no room for patterns: ") + e.what();
            return false;
        }
        return true;
    }
    /// Tiles where rows side by side share columns, else slices: measured, bench/notes.  In
    /// double, slices lose only where lanes or neighbours are unlike, for they read less, or where
    /// values repeat, for then there is little to read.
    void make_slices_or_tiles()
    {
        if (for_double_ && make_even_slices()) return;
        if (fits_tiles()) {
            begin_anew(sparse_format::tiles);
            if (make_tiles_that_pay()) return;
        }
        begin_anew(sparse_format::slices);
        make_slices();
    }
    /// False if there is no room for them, or if they are uneven where tiles may pay: one of the
    /// two is there at a time.
    bool make_even_slices()
    {
        begin_anew(sparse_format::slices);
        try {
            make_slices();
        } catch (const resource_error&) {
            return false;
        }
        return !fits_tiles() || are_even(*made_);
    }
    bool fits_tiles() const
    {
        constexpr index_t enough_rows = 65536;  // a list of 256 is one block's
        const bool has_long_rows = 16 * tile_size * a_.long_rows.tiles > a_.nonzeros();
        return a_.rows >= enough_rows && a_.nonzeros() >= 8 * a_.rows && !has_long_rows;
    }
    bool are_even(const row_storage<V>& slices) const
    {
        return slices.slices.distinct.size == 0 && slices.report.padding(a_.nonzeros()) <= 1.05 &&
               slices.far <= 0.4 && slices.slices.widest <= 128;
    }
    void begin_anew(sparse_format format)
    {
        convert_.forget_attempt();
        made_ = std::make_shared<row_storage<V>>();
        made_->report.format = format;
    }
    /// False if few entries share a column of a list, if padding is a quarter of the entries, or if
    /// there is no room for it.
    bool make_tiles_that_pay()
    {
        try {
            if (convert_.entries_of_listed_column() < 2) return false;
            make_tiles();
        } catch (const resource_error&) {
            return false;
        }
        return made_->report.padding(a_.nonzeros()) <= 1.25;
    }

    /// A row a lane: there are no threads of a row to be kept busy.
    static slice_plan for_one_thread() { return {.window = tile_size, .compress = true}; }
    slice_plan for_many_threads()
    {
        const int most = most_slots();
        return {.window = tile_size,
                .spread_from = most,
                .spread_to = most,
                .adapt = true,
                .compress = true,
                .long_rows = true};
    }
    /// At most so many entries a lane: few where rows are few, so that a large device is busy, and
    /// where they are unlike, so that nobody waits for a long one: then two to four whole leaves,
    /// some 1.5 times the mean.  Measured, bench/notes.
    int most_slots()
    {
        constexpr index_t many_rows = 65536;
        const int by_rows =
            a_.rows < many_rows ? std::max(static_cast<int>(a_.rows / 1024), 8) : tile_size;
        const int longest = std::max(convert_.longest_stored(), 1);
        const double mean = convert_.mean_stored();
        const bool alike = mean > 0.85 * longest;
        const int leaves = static_cast<int>(std::lround(1.5 * mean / slots_of_leaf));
        return std::min(by_rows, alike ? longest : slots_of_leaf * std::clamp(leaves, 2, 4));
    }
    void use_threads(int threads)
    {
        made_->report.threads_per_row = threads;
        made_->report.slots = a_.nonzeros();
        made_->report.product_bytes = bytes_of_compressed_rows(a_);
    }
    converter<Call, V> convert_;
    pattern_finder<Call, V> patterns_;
    place at_;
    csr<V> a_;
    format_options options_;
    bool for_double_;
    std::shared_ptr<row_storage<V>> made_;
    std::string no_room_;  ///< why patterns that would pay are not there
};

}  // namespace ddla::formats
