// Time of an iteration of the solvers: on a set of matrices, against sizes, against threads.
// README.md says how.
#include "scaling.hpp"
#include "set.hpp"

#include "ddla/devices.hpp"
#include "ddla/error.hpp"

namespace {

using namespace bench;

struct options {
    bool set = false;
    std::string place;
    bool rivals = false;
    set_options of_set{};
    scaling_options scaling{};
};

void add_options(CLI::App& app, options& o)
{
    auto* const what = app.add_option_group("What is measured");
    what->add_flag("--set", o.set, "BiCGStab on every matrix of the set beside cuBLAS + cuSPARSE");
    what->add_option("--scaling", o.place,
                     "time of an iteration against the number of unknowns, on the device or the "
                     "host; on the host against threads, too")
        ->check(CLI::IsMember({"device", "host"}));
    what->require_option(1);
    o.of_set.matrices.add_to(app);
    app.add_option("--most", o.scaling.most,
                   "scaling: unknowns at most; by default 10^8 on a device, 10^7 on the host")
        ->check(CLI::Range(1000, 300'000'000));
    app.add_option("--per-decade", o.scaling.per_decade, "scaling: sizes a decade, 3 by default")
        ->check(CLI::Range(1, 24));
    app.add_flag("--rivals", o.rivals, "scaling on a device: cuBLAS + cuSPARSE, too");
    app.add_option("--threads", o.scaling.threads,
                   "scaling on the host: numbers of threads; by default 1, 2, 4 ... and all")
        ->delimiter(',')
        ->check(CLI::Range(1, 1024));
    app.add_option("--cubes", o.scaling.cubes,
                   "scaling on the host: edges of the cubes for the threads; 32,64,128 by default")
        ->delimiter(',')
        ->check(CLI::Range(2, 600));
    add_json(app, o.of_set.json_file);
}

int measure(options& o)
{
    o.scaling.json_file = o.of_set.json_file;
    o.scaling.at = o.place == "host" ? ddla::host : ddla::device(0);
    if (o.rivals && o.place != "device") throw usage_error("--rivals goes with --scaling device");
    if (o.place != "host" && ddla::devices().empty())
        throw ddla::resource_error(ddla::why_no_device());
    if (o.set) return measure_set(o.of_set);
    agreements all;
    if (o.rivals) o.scaling.rivals = make_rival_timer(all);
    measure_scaling(o.scaling);
    return all.failures() > 0;
}

}  // namespace

int main(int argc, char** argv)
{
    options o;
    CLI::App app("Time of an iteration of ddla's solvers");
    add_options(app, o);
    return run_program("bench_solves", app, argc, argv, [&] { return measure(o); });
}
