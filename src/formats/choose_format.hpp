// Makes a format from its name, or the one that `automatic` chooses at a place.
#pragma once

#include "convert.hpp"
#include "formats/patterns/convert.hpp"
#include "row_threads.hpp"

#include <cmath>
#include <memory>
#include <string>

namespace ddla::formats {

/// Builds one format.  `for_double`: automatic chooses for products with vectors in double.
template <class Call, scalar V>
class format_builder {
public:
    format_builder(Call& call, place where, const csr<V>& a, const format_options& options,
                   bool for_double)
        : convert_(call, where, a, options.memory_limit),
          patterns_(call, where, a, options.memory_limit), at_(where), a_(a), options_(options),
          for_double_(for_double), made_(std::make_shared<row_storage<V>>())
    {
    }

    /// Null for compressed rows whose threads are balanced.
    std::shared_ptr<row_storage<V>> make(sparse_format format)
    {
        made_->report.format = format;
        switch (format) {
        case sparse_format::automatic:
            make_fastest();
            break;
        case sparse_format::csr:
        case sparse_format::crs_scalar:
        case sparse_format::crs_vector:
        case sparse_format::crs_t:
            if (!use_threads(*row_threads_of(format))) return nullptr;
            break;
        case sparse_format::evc_hyb:
            convert_.make_slices({.window = std::max<index_t>(a_.rows, 1),
                                  .split_above = 128,
                                  .most_per_lane = 8,
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

    /// `automatic` on the host: patterns, or null and the reason in `why`.  No patterns where
    /// compressed rows stay in the cache, nor where groups of eight rows have several patterns:
    /// each of these costs a sum of all eight rows.
    std::shared_ptr<row_storage<V>> make_for_host(std::string& why)
    {
        if (make_patterns_that_pay(!for_double_)) return finished();
        why = pattern_failure_.empty() ? "the host is fastest with compressed rows"
                                       : pattern_failure_;
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
    /// Patterns where rows repeat, or their column offsets do; else slices or tiles.
    void make_fastest()
    {
        if (!make_patterns_that_pay(true)) make_slices_or_tiles();
    }
    /// A pattern row has one thread, and the leaves of the longest row.  So not where most slots
    /// would be padding, nor where rows are long and few.
    bool fits_patterns() const
    {
        const pattern_limits& limits = Call::tuned.patterns;
        const index_t longest = a_.longest_row;
        index_t slots = slots_of_leaf;
        while (slots < longest) slots *= 2;
        return a_.rows >= limits.rows && longest <= limits.longest_row &&
               slots * a_.rows <= limits.slots_of_entry * a_.nonzeros() &&
               (longest <= lanes_of_slice || a_.rows >= limits.rows_if_long);
    }
    bool make_patterns_that_pay(bool beside_too)
    {
        const auto made = [&](alike in) { return make_patterns_alike(in); };
        return fits_patterns() && (made(alike::values_too) || (beside_too && made(alike::columns)));
    }
    bool make_patterns_alike(alike in)
    {
        begin_anew(sparse_format::patterns);
        try {
            if (!patterns_.may_pay(in)) return false;
            convert_.forget_attempt();
            patterns_.make_patterns(in, true, *made_);
        } catch (const too_many_patterns&) {
            return false;
        } catch (const resource_error& e) {
            pattern_failure_ = std::string("patterns could not be made: ") + e.what();
            return false;
        }
        return true;
    }
    /// Tiles where adjacent rows share columns, else slices.  In double, slices lose to tiles only
    /// where they need padding, where columns are scattered, or where values repeat.
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
    /// Makes slices.  False if memory does not suffice, or if they are uneven and tiles may pay:
    /// only one of the two is kept at a time.
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
        const tile_limits& limits = Call::tuned.tiles;
        const bool has_long_rows =
            limits.part_in_long_rows * tile_size * a_.long_rows.tiles > a_.nonzeros();
        return a_.rows >= limits.rows && a_.nonzeros() >= limits.entries_of_row * a_.rows &&
               !has_long_rows;
    }
    bool are_even(const row_storage<V>& slices) const
    {
        const even_slices& limits = Call::tuned.even;
        return slices.slices.distinct.size == 0 &&
               slices.report.padding(a_.nonzeros()) <= limits.padding && slices.far <= limits.far &&
               slices.slices.widest <= limits.widest;
    }
    void begin_anew(sparse_format format)
    {
        convert_.forget_attempt();
        made_ = std::make_shared<row_storage<V>>();
        made_->report.format = format;
    }
    /// False if few entries share a column of a list, if there is much padding, or if memory does
    /// not suffice.
    bool make_tiles_that_pay()
    {
        try {
            if (convert_.entries_of_listed_column() < Call::tuned.tiles.entries_of_column)
                return false;
            make_tiles();
        } catch (const resource_error&) {
            return false;
        }
        return made_->report.padding(a_.nonzeros()) <= Call::tuned.tiles.padding;
    }

    /// One lane a row: a host thread has no other lanes to keep busy.
    static slice_plan for_one_thread() { return {.window = tile_size, .compress = true}; }
    slice_plan for_many_threads()
    {
        const int most = most_slots();
        return {.window = tile_size,
                .split_above = most,
                .most_per_lane = most,
                .adapt = true,
                .compress = true,
                .long_rows = true};
    }
    /// Most entries of a lane.  Few where rows are few, to fill the device; and a few whole leaves
    /// where lengths differ, so that lanes do not wait for a long row.
    int most_slots()
    {
        const slice_limits& limits = Call::tuned.slices;
        const int by_rows =
            a_.rows < limits.many_rows
                ? std::max(static_cast<int>(a_.rows / limits.rows_of_slot), limits.least_slots)
                : tile_size;
        const int longest = std::max(convert_.longest_stored(), 1);
        const double mean = convert_.mean_stored();
        if (mean > limits.alike * longest) return std::min(by_rows, longest);
        const int leaves =
            static_cast<int>(std::lround(limits.leaves_of_mean * mean / slots_of_leaf));
        return std::min(by_rows, slots_of_leaf *
                                     std::clamp(leaves, limits.least_leaves, limits.most_leaves));
    }
    /// Compressed rows in one of their settings; false, and nothing is made, if that is balanced.
    bool use_threads(row_threads setting)
    {
        const int threads = threads_for(setting, options_.threads_per_row, a_.nonzeros(), a_.rows);
        if (threads == 0) return false;
        made_->report.threads_per_row = threads;
        made_->report.slots = a_.nonzeros();
        made_->report.product_bytes = bytes_of_compressed_rows(a_);
        return true;
    }
    converter<Call, V> convert_;
    pattern_finder<Call, V> patterns_;
    place at_;
    csr<V> a_;
    format_options options_;
    bool for_double_;
    std::shared_ptr<row_storage<V>> made_;
    std::string pattern_failure_;  ///< why patterns that would pay were not made
};

}  // namespace ddla::formats
