// The system fails the command: reads that end early, full disks, pipes that nobody reads, and
// interrupts at any moment.  With sanitizers, what leaks then fails, too.
#include "catch.hpp"
#include "failures.hpp"
#include "faults.hpp"
#include "support/json.hpp"

#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace cli_test;

namespace {

std::string generated(const scratch& folder, const std::string& name, const arguments& kind)
{
    const std::string file = (folder / name).string();
    arguments all{"generate"};
    all.insert(all.end(), kind.begin(), kind.end());
    all.insert(all.end(), {"--output", file});
    REQUIRE(run(all).exit_status == 0);
    return file;
}

/// y = A x, from files.
std::string product(const scratch& folder, const std::string& a, const std::string& x)
{
    const std::string y = (folder / "y.mtx").string();
    const result r =
        run({"spmv", a, "--x", x, "--output", y, "--quiet", "--seconds", "0", "--repeat", "1"});
    INFO(r.err);
    CHECK(r.exit_status == 0);
    // Without the comment, which names the files.
    std::string text = read_file(y);
    return text.substr(text.find('\n', text.find("\n%") + 1));
}

struct system_files {
    std::string a, packed, x;

    explicit system_files(const scratch& folder)
        : a(generated(folder, "a.mtx", {"random", "40", "--per-row", "7"})),
          packed(generated(folder, "packed.mtx.gz", {"random", "40", "--per-row", "7"})),
          x((folder / "x.mtx").string())
    {
        REQUIRE(run({"solve", a, "--tol", "1e-25", "--output", x, "--quiet"}).exit_status == 0);
    }
};

}  // namespace

TEST_CASE("reads that are short or interrupted change nothing", "[faults]")
{
    const scratch folder;
    const small_programs quick;
    const system_files files(folder);
    const std::string expected = product(folder, files.a, files.x);
    // Without mmap files are read: in pieces of 1 to 127 bytes, that end everywhere.
    const fault unmapped("mmap", "ENODEV", 1, folder.path());
    CHECK(product(folder, files.a, files.x) == expected);
    CHECK(unmapped.calls() >= 2);
    for (const char* action : {"short", "EINTR"})
        for (const std::string& a : {files.a, files.packed}) {
            INFO(action << ' ' << a);
            const std::string piped = "cat '" + a + "' | '" DDLA_COMMAND "' spmv /dev/stdin --x '" +
                                      files.x + "' --output '" + (folder / "y.mtx").string() +
                                      "' --quiet --seconds 0 --repeat 1";
            const fault reads("read", action, 1);
            const result r = run_program("/bin/sh", {"-c", piped});
            INFO(r.err);
            CHECK(r.exit_status == 0);
            std::string text = read_file(folder / "y.mtx");
            CHECK(text.substr(text.find('\n', text.find("\n%") + 1)) == expected);
            CHECK(reads.calls() > 2);
        }
}

TEST_CASE("a read that fails names the file and the reason", "[faults]")
{
    const scratch folder;
    const system_files files(folder);
    // A page that cannot be had, as EFAULT, and then the true reason.
    for (int k = 1; k <= 2; ++k) {
        const fault broken("any", "EIO", k, folder.path());
        const result r = run({"info", files.a});
        INFO(k);
        check_failure_of("ddla", r, 2, {files.a, "Input/output error"});
    }
}

TEST_CASE("a file that becomes shorter while it is read is read to its end", "[faults]")
{
    const scratch folder;
    const system_files files(folder);
    const std::string expected = run({"info", files.a, "--json"}).out;
    const fault shrinks("fstat", "grow", 1, folder.path());
    const result r = run({"info", files.a, "--json"});
    CHECK(r.exit_status == 0);
    CHECK(r.err == "");
    CHECK(r.out == expected);
    CHECK(shrinks.calls() >= 1);
}

TEST_CASE("a full disk leaves whole files or those that were there", "[faults]")
{
    const scratch folder;
    const std::string a = generated(folder, "a.mtx", {"poisson2d", "12"});
    const auto path = [&](const char* name) { return (folder / name).string(); };
    check_full_disks("ddla", folder, {"generate", "toeplitz", "60", "--output", path("t.mtx")},
                     {"t.mtx"});
    check_full_disks("ddla", folder,
                     {"solve", a, "--output", path("x.mtx"), "--report", path("r.json"),
                      "--history", path("h.csv"), "--precision", "both"},
                     {"x.mtx", "r.json", "h.csv"});
    check_full_disks("ddla", folder,
                     {"spmv", a, "--output", path("y.mtx"), "--report", path("p.json"), "--seconds",
                      "0", "--repeat", "1"},
                     {"y.mtx", "p.json"});
    check_full_disks("ddla", folder,
                     {"tune", a, "--report", path("t.json"), "--seconds", "0", "--repeat", "1"},
                     {"t.json"});
}

TEST_CASE("a pipe that nobody reads ends by SIGPIPE, after the files", "[faults]")
{
    const scratch folder;
    const small_programs quick;
    const std::string a = generated(folder, "a.mtx", {"poisson2d", "12"});
    const auto path = [&](const char* name) { return (folder / name).string(); };
    struct ending {
        arguments options;
        std::vector<std::string> outputs;
    };
    const std::vector<ending> endings{
        {{"solve", a, "--output", path("x.mtx"), "--report", path("r.json"), "--history",
          path("h.csv")},
         {"x.mtx", "r.json", "h.csv"}},
        {{"spmv", a, "--output", path("y.mtx"), "--report", path("p.json"), "--seconds", "0"},
         {"y.mtx", "p.json"}},
        {{"tune", a, "--report", path("t.json"), "--seconds", "0"}, {"t.json"}},
        {{"info", a}, {}},
        {{"generate", "poisson2d", "300"}, {}},
        {{"generate", "poisson2d", "3"}, {}},
        {{"info", a, "--json"}, {}},
        {{"--help"}, {}},
        {{"--version"}, {}}};
    for (const auto& [options, outputs] : endings) {
        INFO(options.front());
        const std::size_t files = folder.files();
        const result r = run_unread(options);
        CHECK(r.exit_status == -SIGPIPE);
        CHECK(r.err == "");
        CHECK(folder.files() == files + outputs.size());
        for (const std::string& name : outputs) CHECK(is_whole(folder / name));
    }
}

TEST_CASE("memory that is out at any moment is told, and leaves whole files", "[faults]")
{
    const scratch folder;
    const std::string a = generated(folder, "a.mtx", {"poisson2d", "12"});
    const auto path = [&](const char* name) { return (folder / name).string(); };
    check_lack_of_memory("ddla", folder,
                         {"solve", a, "--output", path("x.mtx"), "--report", path("r.json"),
                          "--history", path("h.csv"), "--format", "csr", "--threads", "2"},
                         {"x.mtx", "r.json", "h.csv"});
    check_lack_of_memory("ddla", folder,
                         {"solve", a, "--method", "bicgstab", "--precond", "ilut", "--quiet"}, {});
    check_lack_of_memory("ddla", folder, {"info", a}, {});
    check_lack_of_memory("ddla", folder, {"generate", "poisson2d", "40", "--output", path("g.mtx")},
                         {"g.mtx"});
}

TEST_CASE("interrupts at 50 moments leave whole files", "[faults]")
{
#if defined(DDLA_SANITIZED)  // the same handler, wherever it comes
    constexpr int moments = 12;
#else
    constexpr int moments = 50;
#endif
    const scratch folder;
    const std::string a = generated(folder, "a.mtx", {"poisson2d", "12"});
    const auto path = [&](const char* name) { return (folder / name).string(); };
    check_interrupts(folder,
                     {{"solve", a, "--output", path("x.mtx"), "--report", path("r.json"),
                       "--precision", "both", "--format", "csr", "--threads", "1"},
                      {"x.mtx", "r.json"}},
                     moments);
    check_interrupts(
        folder, {{"generate", "poisson2d", "150", "--output", path("g.mtx")}, {"g.mtx"}}, moments);
    check_interrupts(folder,
                     {{"tune", a, "--report", path("t.json"), "--seconds", "0", "--repeat", "1",
                       "--threads", "1"},
                      {"t.json"}},
                     moments);
    check_interrupts(folder,
                     {{"spmv", a, "--all-formats", "--report", path("p.json"), "--seconds", "0",
                       "--repeat", "1", "--threads", "1"},
                      {"p.json"}},
                     moments);
}

TEST_CASE("a signal while outputs are tried leaves nothing of them", "[faults]")
{
    // Before the command handles signals: it ends at once.
    const scratch folder;
    const std::string a = generated(folder, "a.mtx", {"poisson2d", "4"});
    const auto path = [&](const char* name) { return (folder / name).string(); };
    const std::vector<arguments> commands{
        {"solve", a, "--report", path("r.json"), "--output", path("x.mtx")},
        {"solve", a, "--dry-run", "--report", path("r.json")},
        {"spmv", a, "--output", path("y.mtx"), "--seconds", "0", "--repeat", "1"},
        {"tune", a, "--report", path("t.json"), "--seconds", "0", "--repeat", "1"},
        {"generate", "poisson2d", "4", "--output", path("g.mtx")}};
    for (const arguments& command : commands)
        for (const char* call : {"open", "close"})
            for (int k = 1; k <= 4; ++k) {
                INFO(command.front() << ": before " << call << ' ' << k);
                const fault one(call, "SIGINT", k, folder.path());
                const result r = run(command);
                CHECK((r.exit_status == -SIGINT || r.exit_status == 0 || r.exit_status == 1));
                for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
                    const std::string name = file.path().filename();
                    CHECK(name.find(".part-") == std::string::npos);
                    if (name != "a.mtx") std::filesystem::remove(file);
                }
            }
}

TEST_CASE("interrupts of a long solve by the clock end it with its report", "[faults]")
{
    const scratch folder;
    const std::string a = generated(folder, "a.mtx", {"toeplitz", "2000", "--gamma", "2.5"});
    const std::string report = (folder / "r.json").string();
    for (int milliseconds = 0; milliseconds < 50; milliseconds += 5) {
        std::filesystem::remove(report);
        background solve({"solve", a, "--method", "bicgstab", "--tol", "1e-300", "--max-iterations",
                          "1000000000", "--report", report});
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        solve.signal(SIGINT);
        const result r = solve.wait();
        if (r.exit_status == -SIGINT) {
            CHECK(r.err == "");
            CHECK(folder.files() == 1);
            continue;
        }
        CHECK(r.exit_status == 1);
        if (r.err == "ddla: interrupted: there is no result yet\n") {  // while A was read
            CHECK(r.out == "");
            CHECK(folder.files() == 1);
            continue;
        }
        CHECK(r.err == "");
        CHECK(r.out.find("was interrupted at ") != std::string::npos);
        CHECK(nlohmann::json::parse(read_file(report))["solves"][0]["interrupted"] == true);
        CHECK(folder.files() == 2);
    }
}

TEST_CASE("signals end the factors of a large grid", "[faults]")
{
    // Without a signal it takes minutes.
    const scratch folder;
    const std::string a = generated(folder, "a.mtx", {"poisson3d", "40"});
    const std::string report = (folder / "r.json").string();
    for (const int number : {SIGINT, SIGTERM})
        for (const int milliseconds : {50, 300, 1000}) {
            std::filesystem::remove(report);
            background solve({"solve", a, "--factors", "dd", "--most-work", "1000000", "--certify",
                              "--report", report});
            std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
            const auto sent = std::chrono::steady_clock::now();
            solve.signal(number);
            const result r = solve.wait();
            const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - sent;
            INFO(milliseconds << " ms, then " << taken.count() << " s");
            CHECK(taken.count() < 10);  // 0.2 s, on a machine that does nothing else
            CHECK((r.exit_status == 1 || r.exit_status == -number));
            if (r.exit_status != 1 || !r.err.empty()) continue;
            CHECK(nlohmann::json::parse(read_file(report))["solves"][0]["interrupted"] == true);
        }
}

TEST_CASE("a signal ends a command that waits for a pipe", "[faults]")
{
    const scratch folder;
    const std::string pipe = (folder / "pipe").string();
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const int writer = ::open(pipe.c_str(), O_RDWR);
    REQUIRE(writer >= 0);
    background solve({"solve", pipe});
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    solve.signal(SIGTERM);
    const result r = solve.wait();
    CHECK((r.exit_status == 1 || r.exit_status == -SIGTERM));
    if (r.exit_status == 1) CHECK(r.err == "ddla: interrupted: there is no result yet\n");
    ::close(writer);
}

TEST_CASE("an interrupt while a pipe is full ends what is written to it", "[faults]")
{
    background generate({"generate", "poisson2d", "1000"});
    // A time would not do: on a busy machine the handler does not stand yet.
    REQUIRE(generate.has_written(32768));
    generate.signal(SIGINT);
    const result r = generate.wait();
    CHECK(r.exit_status == 1);
    CHECK(r.err == "ddla: interrupted: the matrix is not written\n");
}
