// The elements of other ranks that a product reads: its ghosts.
#pragma once

#include "ddla/buffer.hpp"
#include "ddla/communicator.hpp"
#include "ddla/error.hpp"
#include "ddla/vector.hpp"
#include "engine/engine.hpp"
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

/// Numbers of elements, at a place.
class element_list {
public:
    element_list() = default;
    element_list(const std::vector<index_t>& elements, place at);

    index_t size() const { return size_; }
    const index_t* data() const { return static_cast<const index_t*>(elements_.data()); }

private:
    index_t size_ = 0;
    buffer elements_;
};

/// What each neighbour needs, where the vectors are.
std::vector<element_list> sent_elements(const halo& of, place at);

/// Exchanges for products with up to so many vectors at once, whose memory it keeps.
template <scalar T>
class halo_exchange {
public:
    /// `sends`: the elements of each of the parts.  `here` is the engine at the place of vectors,
    /// `at`.
    halo_exchange(const halo& of, const std::vector<element_list>& sends, traffic& counted,
                  engine& here, place at)
        : of_(of), sends_(sends), counted_(counted), here_(here), at_(at),
          goes_by_host_(at.is_host() || of.among()->device() != at.device_index),
          out_(of.sends().size()), in_(of.receives().size())
    {
    }

    halo_exchange(const halo_exchange&) = delete;
    halo_exchange& operator=(const halo_exchange&) = delete;
    /// Work under way may still read what has come.
    ~halo_exchange()
    {
        try {
            here_.wait();
        } catch (const error&) {
            // Whoever waits for the results is told.
        }
    }

    /// Sends what others need of these vectors, all of it in a message to each.
    void start(std::span<const vec<const T>> all)
    {
        if (of_.is_empty()) return;
        make_room(all.size());
        sent_.clear();
        received_.clear();
        for (std::size_t k = 0; k < out_.size(); ++k) {
            for (std::size_t j = 0; j < all.size(); ++j)
                on_vectors().gather(all[j], sends_[k].data(), part(out_[k], j, sends_[k].size()));
            sent_.push_back({of_.sends()[k].rank, bytes(out_[k], all.size(), sends_[k].size())});
        }
        for (std::size_t k = 0; k < in_.size(); ++k) {
            const halo::source& from = of_.receives()[k];
            received_.push_back({from.rank, bytes(in_[k], all.size(), from.count)});
        }
        if (goes_by_host_) {
            here_.wait();
            of_.among()->start_exchange(sent_, received_);
        } else {
            of_.among()->start_exchange_on(here_.native_stream(), sent_, received_);
        }
        ++counted_.products;
        counted_.messages += sent_.size();
        for (const auto& one : sent_) counted_.bytes += one.bytes.size();
    }
    void finish()
    {
        if (of_.is_empty()) return;
        if (goes_by_host_)
            of_.among()->finish_exchange();
        else
            of_.among()->finish_exchange_on(here_.native_stream());
    }
    /// The ghosts of vector j of these, once they are here.
    void unpack(std::size_t j, vec<T> ghosts) const
    {
        for (std::size_t k = 0; k < in_.size(); ++k) {
            const halo::source& from = of_.receives()[k];
            on_vectors().copy(part(in_[k], j, from.count), ghosts.part(from.first, from.count));
        }
    }

private:
    using room = std::shared_ptr<double[]>;

    vector_operations<T>& on_vectors() const { return here_.vectors<T>(); }
    static vec<T> part(const room& of, std::size_t j, index_t count)
    {
        return vec<T>::in_memory(of.get() + static_cast<index_t>(j) * words_of<T> * count, count);
    }
    static std::span<std::byte> bytes(const room& of, std::size_t vectors, index_t count)
    {
        return std::as_writable_bytes(
            std::span(of.get(), vectors * words_of<T> * static_cast<std::size_t>(count)));
    }
    void make_room(std::size_t vectors)
    {
        if (vectors <= vectors_) return;
        vectors_ = vectors;
        const index_t words = static_cast<index_t>(vectors) * words_of<T>;
        for (std::size_t k = 0; k < out_.size(); ++k) out_[k] = room_for(words * sends_[k].size());
        for (std::size_t k = 0; k < in_.size(); ++k)
            in_[k] = room_for(words * of_.receives()[k].count);
    }
    room room_for(index_t n) const
    {
        if (goes_by_host_) return here_.messages(n);
        const auto kept =
            std::make_shared<buffer>(static_cast<std::size_t>(n) * sizeof(double), at_);
        return room(kept, static_cast<double*>(kept->data()));
    }

    const halo& of_;
    const std::vector<element_list>& sends_;
    traffic& counted_;
    engine& here_;
    place at_;
    bool goes_by_host_;
    std::size_t vectors_ = 0;  ///< for which there is room
    std::vector<room> out_, in_;
    std::vector<communicator::outgoing> sent_;
    std::vector<communicator::incoming> received_;
};

}  // namespace ddla::ranks
