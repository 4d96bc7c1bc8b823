#include "agreement.hpp"

#include "moved.hpp"

#include "ddla/error.hpp"
#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <string>

namespace ddla::ranks {
namespace {

enum class outcome : std::int64_t { done, input, limit, resource, interrupted, internal, other };

struct failure {
    outcome how = outcome::done;
    limit_kind limit = limit_kind::work;
    std::string text;
};

failure failure_of(const std::function<void()>& work)
try {
    work();
    return {};
} catch (const input_error& e) {
    return {outcome::input, {}, e.what()};
} catch (const limit_error& e) {
    return {outcome::limit, e.kind(), e.what()};
} catch (const resource_error& e) {
    return {outcome::resource, {}, e.what()};
} catch (const interrupted_error& e) {
    return {outcome::interrupted, {}, e.what()};
} catch (const internal_error& e) {
    return {outcome::internal, {}, e.what()};
} catch (const std::bad_alloc&) {
    return {outcome::resource, {}, "not enough memory"};
} catch (const std::exception& e) {
    return {outcome::other, {}, e.what()};
} catch (...) {
    return {outcome::other, {}, "a function of the caller threw"};
}

[[noreturn]] void rethrow(const failure& f)
{
    switch (f.how) {
    case outcome::input:
        throw input_error(f.text);
    case outcome::limit:
        throw limit_error(f.limit, f.text);
    case outcome::resource:
        throw common_resource_error(f.text);
    case outcome::interrupted:
        throw interrupted_error();
    default:
        throw internal_error(f.text);
    }
}

struct short_failure {
    outcome how;
    limit_kind limit;
    std::uint64_t length;
};

}  // namespace

double largest_of(communicator& among, double mine)
{
    double largest = 0;
    for (const double one : gathered(among, mine))
        largest = std::isnan(one) || one > largest ? one : largest;
    return largest;
}

index_t smallest_of(communicator& among, index_t mine)
{
    const std::vector<index_t> all = gathered(among, mine);
    return *std::min_element(all.begin(), all.end());
}

}  // namespace ddla::ranks

namespace ddla {

void agreed(communicator& among, const std::function<void()>& work)
{
    using namespace ranks;
    const failure mine = failure_of(work);
    const auto all = gathered(among, short_failure{mine.how, mine.limit, mine.text.size()});
    const auto first = std::find_if(all.begin(), all.end(),
                                    [](const short_failure& f) { return f.how != outcome::done; });
    if (first == all.end()) return;
    failure told{first->how, first->limit, mine.text};
    told.text.resize(first->length);
    broadcast(among, static_cast<int>(first - all.begin()),
              std::as_writable_bytes(std::span(told.text)));
    rethrow(told);
}

}  // namespace ddla
