// The elements of other ranks that a product reads: its ghosts.
#pragma once

#include "ddla/communicator.hpp"
#include "ddla/vector.hpp"
#include "rank_sums.hpp"

#include <memory>
#include <span>
#include <vector>

namespace ddla::ranks {

/// Who needs which elements of whom, for vectors whose elements are shared as `of` says.
class halo {
public:
    /// `ghosts`: the elements of other ranks that this one needs, ascending.  Every rank calls it.
    halo(std::shared_ptr<communicator> among, const ranges& of, const std::vector<index_t>& ghosts);

    index_t ghosts() const { return ghosts_; }
    /// Whether no rank needs anything.
    bool is_empty() const { return is_empty_; }
    const std::shared_ptr<communicator>& among() const { return among_; }

    struct part {
        int rank;
        std::vector<index_t> element;  ///< of this rank's range, from 0, that the other one needs
    };
    struct source {
        int rank;
        index_t first, count;  ///< of the ghosts
    };
    const std::vector<part>& sends() const { return sends_; }
    const std::vector<source>& receives() const { return receives_; }

private:
    std::shared_ptr<communicator> among_;
    index_t ghosts_ = 0;
    bool is_empty_ = true;
    std::vector<part> sends_;
    std::vector<source> receives_;
};

/// Exchanges for products with up to so many vectors at once, whose memory it keeps.
template <scalar T>
class halo_exchange {
public:
    halo_exchange(const halo& of, traffic& counted) : of_(of), counted_(counted) {}

    /// Sends what others need of these vectors, all of it in a message to each.
    void start(std::span<const vec<const T>> all)
    {
        if (of_.is_empty()) return;
        vectors_ = all.size();
        sent_.clear();
        received_.clear();
        out_.resize(of_.sends().size());
        in_.resize(of_.receives().size());
        for (std::size_t k = 0; k < out_.size(); ++k) pack(of_.sends()[k], all, out_[k]);
        for (std::size_t k = 0; k < in_.size(); ++k) {
            in_[k].resize(vectors_ * words * static_cast<std::size_t>(of_.receives()[k].count));
            received_.push_back(
                {of_.receives()[k].rank, std::as_writable_bytes(std::span(in_[k]))});
        }
        of_.among()->start_exchange(sent_, received_);
        ++counted_.products;
        counted_.messages += sent_.size();
        for (const auto& one : sent_) counted_.bytes += one.bytes.size();
    }
    void finish()
    {
        if (!of_.is_empty()) of_.among()->finish_exchange();
    }
    /// The ghosts of vector j of these, once they are here.
    void unpack(std::size_t j, vec<T> ghosts) const
    {
        for (std::size_t k = 0; k < in_.size(); ++k) {
            const halo::source& from = of_.receives()[k];
            const double* next = in_[k].data() + j * words * static_cast<std::size_t>(from.count);
            for (int w = 0; w < words_of<T>; ++w, next += from.count)
                std::copy_n(next, from.count, ghosts.word(w) + from.first);
        }
    }

private:
    static constexpr std::size_t words = words_of<T>;

    void pack(const halo::part& to, std::span<const vec<const T>> all, std::vector<double>& out)
    {
        out.clear();
        for (const vec<const T>& x : all)
            for (int w = 0; w < words_of<T>; ++w)
                for (const index_t i : to.element) out.push_back(x.word(w)[i]);
        sent_.push_back({to.rank, std::as_bytes(std::span(out))});
    }

    const halo& of_;
    traffic& counted_;
    std::size_t vectors_ = 0;
    std::vector<std::vector<double>> out_, in_;
    std::vector<communicator::outgoing> sent_;
    std::vector<communicator::incoming> received_;
};

}  // namespace ddla::ranks
