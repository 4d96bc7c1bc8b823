// Ranks of MPI: bytes move, nothing is added.
#include "ddla/mpi.hpp"

#include "ddla/error.hpp"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <string>
#include <vector>

namespace ddla {
namespace {

/// The bytes of one message of MPI; longer ones are cut.
constexpr std::size_t most_bytes = std::size_t{1} << 30;
constexpr int tag = 0;
constexpr int exit_status = 3;

void require(int result, const char* call)
{
    if (result == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(result, text, &length);
    throw resource_error(std::string(call) + ": " +
                         std::string(text, static_cast<std::size_t>(length)));
}

class mpi_communicator final : public communicator {
public:
    explicit mpi_communicator(MPI_Comm of)
    {
        require(MPI_Comm_dup(of, &ranks_), "MPI_Comm_dup");
        MPI_Comm_set_errhandler(ranks_, MPI_ERRORS_RETURN);
        MPI_Comm_rank(ranks_, &rank_);
        MPI_Comm_size(ranks_, &size_);
    }
    mpi_communicator(const mpi_communicator&) = delete;
    mpi_communicator& operator=(const mpi_communicator&) = delete;
    ~mpi_communicator() override
    {
        int is_over = 0;
        MPI_Finalized(&is_over);
        if (!is_over) MPI_Comm_free(&ranks_);
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }
    void all_gather(std::span<const std::byte> mine, std::span<std::byte> all,
                    std::span<const std::size_t> bytes) override
    {
        if (all.size() > INT_MAX) return gather_large(mine, all, bytes);
        counts_.assign(bytes.begin(), bytes.end());
        offsets_.clear();
        int end = 0;
        for (const int count : counts_) {
            offsets_.push_back(end);
            end += count;
        }
        require(MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all.data(),
                               counts_.data(), offsets_.data(), MPI_BYTE, ranks_),
                "MPI_Allgatherv");
    }
    void start_exchange(std::span<const outgoing> sent, std::span<const incoming> received) override
    {
        requests_.clear();
        for (const incoming& one : received)
            for (std::size_t at = 0; at < one.bytes.size(); at += most_bytes)
                require(MPI_Irecv(one.bytes.data() + at, part(one.bytes.size(), at), MPI_BYTE,
                                  one.from, tag, ranks_, &next_request()),
                        "MPI_Irecv");
        for (const outgoing& one : sent)
            for (std::size_t at = 0; at < one.bytes.size(); at += most_bytes)
                require(MPI_Isend(one.bytes.data() + at, part(one.bytes.size(), at), MPI_BYTE,
                                  one.to, tag, ranks_, &next_request()),
                        "MPI_Isend");
    }
    void finish_exchange() override
    {
        require(
            MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
            "MPI_Waitall");
        requests_.clear();
    }
    void fail(const char* why) noexcept override
    {
        std::fprintf(stderr, "ddla: %s (rank %d)\n", why, rank_);
        MPI_Abort(ranks_, exit_status);
    }

private:
    static int part(std::size_t bytes, std::size_t at)
    {
        return static_cast<int>(std::min(most_bytes, bytes - at));
    }
    MPI_Request& next_request() { return requests_.emplace_back(MPI_REQUEST_NULL); }

    /// As messages to and from each rank.
    void gather_large(std::span<const std::byte> mine, std::span<std::byte> all,
                      std::span<const std::size_t> bytes)
    {
        std::vector<outgoing> sent;
        std::vector<incoming> received;
        std::size_t at = 0;
        for (int r = 0; r < size_; ++r) {
            const auto from = all.subspan(at, bytes[static_cast<std::size_t>(r)]);
            at += from.size();
            if (r == rank_) {
                std::copy(mine.begin(), mine.end(), from.begin());
            } else {
                sent.push_back({r, mine});
                received.push_back({r, from});
            }
        }
        start_exchange(sent, received);
        finish_exchange();
    }

    MPI_Comm ranks_ = MPI_COMM_NULL;
    int rank_ = 0, size_ = 1;
    std::vector<int> counts_, offsets_;
    std::vector<MPI_Request> requests_;
};

}  // namespace

std::shared_ptr<communicator> communicator_of(MPI_Comm ranks)
{
    return std::make_shared<mpi_communicator>(ranks);
}

}  // namespace ddla
