// Ranks that work on one system, and how bytes go from one to another.
//
//     ddla::run_ranks(3, [](std::shared_ptr<ddla::communicator> ranks) {  // threads
//         if (ranks->rank() == 0) std::cout << ranks->size() << " ranks\n";
//     });
//
// A communicator moves bytes and never adds numbers: sums are added by each rank for itself, in the
// order of the summation rule, so that their bits do not depend on the number of ranks.
#pragma once

#include "error.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

namespace ddla {

/// Every rank makes the same calls in the same order, each from one thread at a time.
class communicator {
public:
    /// Bytes to or from another rank.  Several between two ranks arrive in the order of the lists.
    struct outgoing {
        int to;
        std::span<const std::byte> bytes;
    };
    struct incoming {
        int from;
        std::span<std::byte> bytes;
    };

    virtual ~communicator() = default;
    /// From 0 to size() - 1.
    virtual int rank() const = 0;
    virtual int size() const = 0;
    /// `all` becomes what each rank has as `mine`, in the order of ranks, with bytes[r] from rank
    /// r.
    virtual void all_gather(std::span<const std::byte> mine, std::span<std::byte> all,
                            std::span<const std::size_t> bytes) = 0;
    /// Begins an exchange of messages.  Their memory must stay what it is until finish_exchange(),
    /// which waits for all of them; no other call comes in between.
    virtual void start_exchange(std::span<const outgoing> sent,
                                std::span<const incoming> received) = 0;
    virtual void finish_exchange() = 0;
    /// Whether another rank has called fail(), as far as this one can know before its next call.
    virtual bool has_failed() const { return false; }
    /// The device between whose memory and that of other ranks' devices messages go without the
    /// host, by the next two calls; -1 if there is none.
    virtual int device() const { return -1; }
    /// An exchange of such messages, after what `stream` (a cudaStream_t) has to do before.  Their
    /// memory must stay what it is, and no other call comes, until finish_exchange_on(): what
    /// follows in the stream finds what was received.
    virtual void start_exchange_on(void* stream, std::span<const outgoing> sent,
                                   std::span<const incoming> received);
    virtual void finish_exchange_on(void* stream);
    /// Tells the other ranks that this one cannot go on, and why: their calls end by an error, or
    /// their programs do.  ddla calls it for errors that the others do not see.
    virtual void fail(const char* why) noexcept = 0;
};

/// Bytes of one rank, on all of them.  Every rank calls it.
void broadcast(communicator& among, int from, std::span<std::byte> bytes);

/// Runs `work` on each rank.  Where it throws on some, all throw what the first of these has
/// thrown, of the same type among ddla's errors (a resource_error as a common_resource_error).
/// Every rank calls it; `work` calls no other rank.
void agreed(communicator& among, const std::function<void()>& work);

/// A resource_error of one rank that all ranks throw.
class common_resource_error : public resource_error {
public:
    using resource_error::resource_error;
};

/// Runs f on `count` ranks, each a thread of this process, and returns when all have ended.  Where
/// one throws, the calls of the others throw resource_error, and the first error is thrown here.
/// Throws input_error unless count is from 1 to 1024.
void run_ranks(int count, const std::function<void(std::shared_ptr<communicator>)>& f);

}  // namespace ddla
