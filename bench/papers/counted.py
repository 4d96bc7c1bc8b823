#!/usr/bin/env python3
"""The counters of the part `counted`: which there are, and what ncu counted of each matrix.

usage: bench/papers/counted.py METRICS.txt                 prints those to ask for, from ncu --query-metrics
       bench/papers/counted.py COUNTED.json COUNTED.csv    puts what was counted into the records

Each record names its launches in their order.  The part says which metric each counter is, and which
counters the device has not.
"""
import csv
import json
import pathlib
import sys

#: Counters that are read together, by the metrics that they may be: the choice of which a device has
#: the most is asked for.  Units are ncu's base units.
CHOICES = (
    ({"memory_read": "dram__bytes_read.sum", "memory_write": "dram__bytes_write.sum"},
     {"memory_read": "dram__bytes_op_read.sum", "memory_write": "dram__bytes_op_write.sum"}),
    ({"l2_read": "lts__t_sectors_srcunit_tex_op_read.sum",
      "l2_read_hit": "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum"},
     {"l2_read": "lts__t_sectors_op_read.sum", "l2_read_hit": "lts__t_sectors_op_read_lookup_hit.sum"}),
    ({"l1_load": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
      "l1_load_hit": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"},),
    ({"l2_hit_percent": "lts__t_sector_hit_rate.pct"},),
    ({"l1_hit_percent": "l1tex__t_sector_hit_rate.pct"},),
    ({"nanoseconds": "gpu__time_duration.sum"}, {"nanoseconds": "gpu__time_duration.avg"}),
)
COUNTERS = tuple(counter for choices in CHOICES for counter in choices[0])


def base_of(metric):
    return metric.split(".")[0]


def available(query):
    """Metrics by counter, of the lines of `ncu --query-metrics`, which begin with names without suffix."""
    there = {line.split()[0] for line in query.splitlines() if line.split()}
    found = {}
    for choices in CHOICES:
        mine = [{counter: metric for counter, metric in choice.items() if base_of(metric) in there}
                for choice in choices]
        found |= max(mine, key=len)
    return found


def number(text):
    """None for what ncu could not count: n/a."""
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def rows_of(lines):
    """(launch, metric, number) of a page with a line a metric, or of one with a line a launch."""
    begin = next((k for k, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    for row in csv.DictReader(lines[begin:]):
        if not (row["ID"] or "").isdigit():  # units, and what ncu says at its end
            continue
        if "Metric Name" in row:
            yield int(row["ID"]), row["Metric Name"], number(row["Metric Value"] or "")
        else:
            yield from ((int(row["ID"]), name, number(text or "")) for name, text in row.items()
                        if name and "__" in name)


def launches_in(text):
    """What each launch has of COUNTERS, and the metrics that it was taken from."""
    counter_of = {metric: counter for choices in CHOICES for choice in choices
                  for counter, metric in choice.items()}
    launches, metrics = {}, {}
    for launch, metric, value in rows_of(text.splitlines()):
        counts = launches.setdefault(launch, {})
        if value is not None and metric in counter_of:
            counts[counter_of[metric]] = value
            metrics[counter_of[metric]] = metric
    return [launches[k] for k in sorted(launches)], metrics


def joined(part, text):
    launches, metrics = launches_in(text)
    records = [r for r in part["records"] if "failed" not in r]
    wanted = [(record, name) for record in records for name in record["launches"]]
    if len(launches) != len(wanted):
        sys.exit(f"{len(records)} matrices have {len(wanted)} launches, but ncu counted {len(launches)}: "
                 "run the part anew")
    for (record, name), counts in zip(wanted, launches):
        record.setdefault("counted", {})[name] = counts
    part["metrics"] = metrics
    part["missing"] = [counter for counter in COUNTERS if counter not in metrics]
    return part


def ask(query):
    found = available(pathlib.Path(query).read_text())
    missing = [counter for counter in COUNTERS if counter not in found]
    if missing:
        print(f"not on this device: {', '.join(missing)}", file=sys.stderr)
    if "memory_read" not in found:
        sys.exit(f"{query}: no counter of bytes from memory")
    print(",".join(found.values()))


def main(file, counts=None):
    if counts is None:
        return ask(file)
    part = json.loads(pathlib.Path(file).read_text())
    text = json.dumps(joined(part, pathlib.Path(counts).read_text()), indent=1)
    pathlib.Path(file).write_text(text + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
