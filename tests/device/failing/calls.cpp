#include "calls.hpp"

#include <set>
#include <unwind.h>
#include <utility>

namespace test::calls {

namespace {

struct state {
    bool counting = false;
    int beside = 0;  ///< calls that calls make, and those of the test
    failure wanted;
    std::int64_t count = 0;
    seen so_far;
    cudaError_t left = cudaSuccess;
    std::set<std::pair<std::string, const void*>> live;
    std::vector<std::string> wrong;
    last_call at;
};

/// Never destroyed: what ends later may still free something.
state& now()
{
    static state& all = *new state;
    return all;
}

void note(const char* function, const void* from)
{
    const bool counted = now().counting && now().beside == 0;
    now().at = {counted ? now().count + 1 : 0, function, from};
}

std::uint64_t mixed(std::uint64_t a, std::uint64_t b)
{
    a = (a ^ b) * 0x9e3779b97f4a7c15u;
    return a ^ (a >> 29);
}

/// Of the return addresses of all callers.
std::uint64_t hash_of_callers()
{
    std::uint64_t hash = 0;
    const auto add = [](_Unwind_Context* at, void* to) {
        auto& sum = *static_cast<std::uint64_t*>(to);
        sum = mixed(sum, _Unwind_GetIP(at));
        return _URC_NO_REASON;
    };
    _Unwind_Backtrace(add, &hash);
    return hash;
}

call described(const char* function, role r, const void* what, const void* from)
{
    call c{function};
    c.gives_memory = r == role::gives_memory;
    c.needs_room = r == role::needs_room;
    if (now().wanted.first > 0) return c;
    const auto number = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
    c.site = mixed(mixed(std::hash<std::string>()(c.function), number(from)), number(what));
    c.path = mixed(c.site, hash_of_callers());
    return c;
}

/// Counts it.  Whether it fails.
bool fails(const call& c)
{
    state& s = now();
    if (!s.counting || s.beside > 0) return false;
    ++s.count;
    const failure& f = s.wanted;
    if (f.first == 0) s.so_far.all.push_back(c);
    if (s.count < f.first || s.count > f.last || (f.only_memory && !c.gives_memory)) return false;
    s.so_far.failed.push_back(c);
    return true;
}

/// The same for both kinds of status.
template <class Status>
Status counted(const call& c, role r, Status bad, const std::function<Status()>& make)
{
    const bool bad_end = fails(c);
    if (bad_end && r != role::frees && r != role::waits) return bad;
    const not_counted inside;
    const Status good = make();
    return bad_end ? bad : good;
}

}  // namespace

void begin(const failure& wanted)
{
    state& s = now();
    s.wanted = wanted;
    s.so_far = {};
    s.count = 0;
    s.counting = true;
}

seen end()
{
    state& s = now();
    s.counting = false;
    cudaDeviceSynchronize();
    return std::exchange(s.so_far, {});
}

not_counted::not_counted()
{
    ++now().beside;
}

not_counted::~not_counted()
{
    --now().beside;
}

std::map<std::string, int> live_objects()
{
    std::map<std::string, int> all;
    for (const auto& [kind, object] : now().live) ++all[kind];
    return all;
}

bool error_is_left()
{
    return now().left != cudaSuccess;
}

const std::vector<std::string>& wrong_uses()
{
    return now().wrong;
}

last_call last()
{
    return now().at;
}

cudaError_t made(const char* function, role r, const void* what, const void* from,
                 const std::function<cudaError_t()>& make)
{
    note(function, from);
    if (!now().counting || now().beside > 0) return make();
    const cudaError_t bad = now().wanted.status;
    const auto failed_before = now().so_far.failed.size();
    const cudaError_t status = counted(described(function, r, what, from), r, bad, make);
    if (now().so_far.failed.size() > failed_before) now().left = bad;
    return status;
}

int made_by_driver(const char* function, role r, const void* from, const std::function<int()>& make)
{
    note(function, from);
    if (!now().counting || now().beside > 0) return make();
    // The numbers of the runtime's errors are those of the driver's.
    const int bad = static_cast<int>(now().wanted.status);
    return counted(described(function, r, nullptr, from), r, bad, make);
}

void note_new(const char* kind, const void* object)
{
    if (object && !now().live.emplace(kind, object).second)
        note_wrong_use(std::string(kind) + ": allocated twice");
}

void note_freed(const char* kind, const void* object)
{
    if (object && now().live.erase({kind, object}) == 0)
        note_wrong_use(std::string(kind) + ": freed, but not allocated");
}

void note_wrong_use(const std::string& what)
{
    now().wrong.push_back(what);
}

cudaError_t take_error(bool forget)
{
    const cudaError_t left = now().left;
    if (forget) now().left = cudaSuccess;
    return left;
}

}  // namespace test::calls
