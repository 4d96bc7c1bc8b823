// Ranks that are threads of one process.
#include "ddla/communicator.hpp"

#include "ddla/error.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace ddla {
namespace {

/// Between two looks at what another thread writes.
void pause()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// What the ranks share.  Between two meetings each reads what others have written before the
/// first.
class meeting_place {
public:
    explicit meeting_place(int count) : posted_(static_cast<std::size_t>(count)), count_(count) {}

    struct post {
        std::span<const std::byte> mine;
        std::vector<communicator::outgoing> sent;
    };
    int count() const { return count_; }
    post& of(int rank) { return posted_[static_cast<std::size_t>(rank)]; }

    /// Returns when all ranks have come.
    void meet()
    {
        const std::uint64_t mine = round_;
        if (!has_failed_ && ++arrived_ == count_) {
            arrived_ = 0;
            const std::lock_guard lock(guard_);
            ++round_;
            changed_.notify_all();
        } else {
            for (int k = 0; k < looks_ && round_ == mine && !has_failed_; ++k) pause();
            std::unique_lock lock(guard_);
            changed_.wait(lock, [&] { return has_failed_ || round_ != mine; });
            // A round that all have come to is over, also where one of them has failed since.
            if (round_ == mine) throw resource_error("another rank has failed");
        }
    }
    bool has_failed() const { return has_failed_; }
    void fail() noexcept
    {
        const std::lock_guard lock(guard_);
        has_failed_ = true;
        changed_.notify_all();
    }

private:
    std::vector<post> posted_;
    int count_;
    // A thread that sleeps is woken in some ten microseconds, as long as a sum takes: it looks for
    // a while before that, where there are processors for all.
    int looks_ = static_cast<int>(std::thread::hardware_concurrency()) >= count_ ? 10000 : 0;
    std::mutex guard_;
    std::condition_variable changed_;
    std::atomic<int> arrived_ = 0;
    std::atomic<std::uint64_t> round_ = 0;
    std::atomic<bool> has_failed_ = false;
};

void copy(std::span<const std::byte> from, std::byte* to)
{
    if (!from.empty()) std::memcpy(to, from.data(), from.size());
}

class loopback final : public communicator {
public:
    loopback(std::shared_ptr<meeting_place> all, int rank) : all_(std::move(all)), rank_(rank) {}

    int rank() const override { return rank_; }
    int size() const override { return all_->count(); }
    void all_gather(std::span<const std::byte> mine, std::span<std::byte> all,
                    std::span<const std::size_t> bytes) override
    {
        all_->of(rank_).mine = mine;
        all_->meet();
        std::byte* to = all.data();
        for (int r = 0; r < size(); to += bytes[static_cast<std::size_t>(r++)])
            copy(all_->of(r).mine, to);
        all_->meet();
    }
    void start_exchange(std::span<const outgoing> sent, std::span<const incoming> received) override
    {
        all_->of(rank_).sent.assign(sent.begin(), sent.end());
        received_.assign(received.begin(), received.end());
    }
    void finish_exchange() override
    {
        all_->meet();
        std::vector<std::size_t> next(static_cast<std::size_t>(size()));
        bool fits = true;
        for (const incoming& one : received_)
            fits = take(one, next[static_cast<std::size_t>(one.from)]) && fits;
        all_->meet();  // until then others may read what this rank has sent
        if (!fits) throw internal_error("ranks: a message does not fit what is waited for");
    }
    bool has_failed() const override { return all_->has_failed(); }
    void fail(const char*) noexcept override { all_->fail(); }

private:
    /// The next message from that rank, of those from `at` on; whether it is as long as it should
    /// be.
    bool take(const incoming& one, std::size_t& at)
    {
        const std::vector<outgoing>& sent = all_->of(one.from).sent;
        while (at < sent.size() && sent[at].to != rank_) ++at;
        if (at == sent.size() || sent[at].bytes.size() != one.bytes.size()) return false;
        copy(sent[at++].bytes, one.bytes.data());
        return true;
    }

    std::shared_ptr<meeting_place> all_;
    int rank_;
    std::vector<incoming> received_;
};

/// The first error of any rank that is not about another one.
class first_error {
public:
    void keep(std::exception_ptr e)
    {
        const std::lock_guard lock(guard_);
        if (!error_) error_ = std::move(e);
    }
    void rethrow() const
    {
        if (error_) std::rethrow_exception(error_);
    }

private:
    std::mutex guard_;
    std::exception_ptr error_;
};

}  // namespace

void run_ranks(int count, const std::function<void(std::shared_ptr<communicator>)>& f)
{
    constexpr int most = 1024;
    if (count < 1 || count > most)
        throw input_error("run_ranks: there can be 1 to " + std::to_string(most) + " ranks, not " +
                          std::to_string(count));
    const auto all = std::make_shared<meeting_place>(count);
    first_error error;
    const auto run = [&](int rank) {
        try {
            f(std::make_shared<loopback>(all, rank));
        } catch (...) {
            error.keep(std::current_exception());
            all->fail();
        }
    };
    std::vector<std::thread> threads;
    try {
        threads.reserve(static_cast<std::size_t>(count));
        for (int r = 1; r < count; ++r) threads.emplace_back(run, r);
        run(0);
    } catch (const std::exception& e) {
        error.keep(std::make_exception_ptr(resource_error(
            "run_ranks: no thread can be started for a rank: " + std::string(e.what()))));
        all->fail();
    }
    for (std::thread& t : threads) t.join();
    error.rethrow();
}

}  // namespace ddla
