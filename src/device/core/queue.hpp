// A stream of a GPU as ddla uses it: all work of a queue is done in order.
#pragma once

#include "check.hpp"
#include "storage/memory.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace ddla::device_backend {

class gpu;

/// Device memory from cudaMalloc, which outlives single calls.
class lasting_memory {
public:
    /// Filled with zeros.  Works during a stream capture, and is not part of it.
    explicit lasting_memory(std::size_t bytes);
    ~lasting_memory();
    lasting_memory(const lasting_memory&) = delete;
    lasting_memory& operator=(const lasting_memory&) = delete;

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }

private:
    lasting_memory() = default;  // delegated to, so that the destructor runs if more of it throws

    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Host memory that the device copies to and from directly.
class pinned_memory {
public:
    /// Throws resource_error where the host has none left.  Works during a stream capture.
    explicit pinned_memory(std::size_t bytes);
    ~pinned_memory();
    pinned_memory(const pinned_memory&) = delete;
    pinned_memory& operator=(const pinned_memory&) = delete;

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }

private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Memory of the host for what ranks tell each other, which kernels read and write.
class growing_pinned {
public:
    /// What was there before stays alive: work under way may still read it.
    void reserve(std::size_t bytes);
    void* data() const { return memory_.empty() ? nullptr : memory_.back()->data(); }

private:
    std::vector<std::unique_ptr<pinned_memory>> memory_;
};

/// Partial sums, and counters of those that have arrived; the counters are 0 between kernels.
struct growing_scratch {
    /// Make room for `sums_bytes` of sums and `count` counters.  What was there before stays alive:
    /// a captured graph may still use it.
    void reserve(std::size_t sums_bytes, std::size_t count);
    std::size_t bytes() const;

    void* sums = nullptr;
    unsigned* arrived = nullptr;

private:
    std::size_t sums_bytes_ = 0, counters_ = 0;
    std::vector<std::unique_ptr<lasting_memory>> memory_;
};

/// What a sweep needs beside its vectors.  A call borrows one; work enqueued later on the same
/// stream may use it again.
struct scratch {
    /// Throws resource_error.
    static std::unique_ptr<scratch> make();
    scratch() = default;  ///< see make()
    ~scratch();
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;

    std::size_t bytes() const
    {
        return small_bytes + of_tiles.bytes() + of_rows.bytes() + of_product.bytes() +
               interleaved.bytes() + of_product_tiles.bytes() + slots.bytes() + place.bytes();
    }

    growing_scratch of_tiles;          ///< of the tiles of a sweep, of groups of them, ...
    growing_scratch of_rows;           ///< of the tiles of long rows, groups of them, those rows
    growing_scratch of_product;        ///< A x, for a step that needs it element by element
    growing_scratch of_product_tiles;  ///< the sums that a product leaves beside A x, tile by tile
    growing_scratch interleaved;       ///< x in double-double, words interleaved
    growing_scratch slots;             ///< of grid_exchange.cuh, for resident solves
    std::uint64_t last_exchange = 0;   ///< the last sequence number used there
    growing_pinned of_ranks;           ///< sums that travel to other ranks, and come from them
    growing_scratch place;             ///< for sweep sequences, with their last sequence number
    cudaStream_t recorder = nullptr;   ///< for recording graphs; runs nothing itself

    static constexpr std::size_t mailbox_bytes = 1024, small_bytes = 256;
    lasting_memory small{small_bytes};
    pinned_memory mailbox{mailbox_bytes};  ///< for what a call reads
};

class queue final : public memory {
public:
    /// On a stream of that device that the caller keeps alive.
    queue(gpu& device, cudaStream_t stream) : gpu_(device), stream_(stream) {}
    /// Waits for its work: scratch memory is freed.
    ~queue() override;
    queue(const queue&) = delete;
    queue& operator=(const queue&) = delete;

    gpu& device() const { return gpu_; }
    cudaStream_t stream() const { return stream_; }
    void wait() const;
    /// Throws input_error if the stream is being captured: to wait then would spoil the capture.
    void require_wait() const;

    /// Stream-ordered.  On failure throws resource_error with the bytes needed and free, and leaves
    /// the device usable.
    void* allocate(std::size_t bytes) override;
    void release(void* data) noexcept override;
    void fill_with_zero(void* data, std::size_t bytes) override;
    // Copies return when done.
    void copy_from_host(void* to, const void* from, std::size_t bytes) override;
    void copy_to_host(void* to, const void* from, std::size_t bytes) override;
    void copy_within(void* to, const void* from, std::size_t bytes) override;

    std::unique_ptr<scratch> borrow();
    void give_back(std::unique_ptr<scratch> s) noexcept;

private:
    void copy(void* to, const void* from, std::size_t bytes);

    gpu& gpu_;
    cudaStream_t stream_;
    std::mutex guard_;
    std::vector<std::unique_ptr<scratch>> spare_;
};

}  // namespace ddla::device_backend
