/* Numbers with units: as people type them, as packs write them, as screens show them. */
#ifndef WD_SCENARIOS_QUANTITY_H
#define WD_SCENARIOS_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/wire/err.h"

struct dim { signed char byte, second, flop, cycle; };     /* exponents */
struct quantity {
    double value;
    struct dim dim;
}; /* value in SI base units: B, s, flop, cycle */

extern const struct dim DIM_NONE, DIM_BYTE, DIM_SECOND, DIM_BANDWIDTH /* B/s */,
    DIM_RATE /* flop/s */, DIM_HERTZ;
bool dim_equal(struct dim a, struct dim b);
/* "a time", "a bandwidth", "a plain number", "bytes": for messages. Static strings for the common
 * ones, else "B^2/s". */
void dim_describe(char *out, size_t size, struct dim d);

/* The unit that quantity_show wants for a dimension: "s", "B/s", "1", else "B^2/s". */
void dim_unit(char *out, size_t size, struct dim d);

/* "1", "s", "us", "µs", "KiB", "TB/s", "GHz", "flop/s", "GFLOP", "bit", "%", "cycles" ... to
 * dimension and factor. SI and binary prefixes; bits count 1/8 byte. Returns false if unknown. */
bool unit_parse(const char *unit, size_t len, struct dim *dim, double *factor);

enum quantity_read { QUANTITY_OK, QUANTITY_UNREADABLE, QUANTITY_WRONG_DIM };

/* What a person typed: "~130 us", "0.13ms", "3.6 TB/s", "1,5e3", "32", "4x", "60%", "2^20", "1/3
 * ms", "about 537 MB", "3/(16+3)", "17.5 GB / 3.35 TB/s", "25 % faster" where a plain number was
 * asked for. A bare number takes `unit` (the unit asked for, e.g. "s" or "1"), as
 * quantity_read_bare says. `say` receives one sentence when not OK: "that is a time; a bandwidth
 * was asked for", or what could not be read. Never a crash, whatever the bytes. */
enum quantity_read quantity_read(const char *typed, const char *unit, struct quantity *out,
                                 char *say, size_t size);

/* How a number was understood that came without a unit of its own. */
enum quantity_bare {
    QUANTITY_SPELLED,  /* its unit was written, or there is none to write */
    QUANTITY_AS_ASKED, /* in the unit that was asked for: "7.7" for ms */
    QUANTITY_AS_BASE,  /* in base units by its form: "5.5 T" for TB/s, "3e13" for TFLOPS */
};
struct quantity_reading {
    struct quantity q;
    enum quantity_bare bare;
    char taken[64]; /* what it was taken for, "7.7 ms", "5500 GB/s"; "" when spelled */
};

/* quantity_read, and how a bare number was understood. The truth plays no part in it: a prefix
 * letter alone counts base units; a bare number is in `unit` where that gives a size that exists,
 * else in base units where those do. Where both do, and the number is one that people write in base
 * units (939524096 for MB, 0.0077 for ms), or neither does (989 for flop/s), it is
 * QUANTITY_UNREADABLE, and `say` asks for the unit. */
enum quantity_read quantity_read_bare(const char *typed, const char *unit,
                                      struct quantity_reading *out, char *say, size_t size);

/* Four significant digits at most, engineering prefixes, aligned for people: "1.051 ms", "511
 * GB/s", "67.1 M", "32", "13 %" is quantity_percent's. unit as in the metric table ("s", "B",
 * "B/s", "Hz", "flop/s", "cycle", "1"). */
void quantity_show(char *out, size_t size, double value, const char *unit);
/* An answer to a question that named `unit`. The unit stays where base units have no name for it:
 * "4245 tok/s", "12.3 M/s". */
void quantity_show_as(char *out, size_t size, struct quantity q, const char *unit);
void quantity_percent(char *out, size_t size, double share);

#endif
