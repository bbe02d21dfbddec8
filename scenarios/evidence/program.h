/* The benchmark of a harness as people read it: its steps in a line each, and what it prints. */
#ifndef WD_SCENARIOS_PROGRAM_H
#define WD_SCENARIOS_PROGRAM_H

#include "kernels/wire/message_device.h"
#include "kernels/wire/message_part.h"
#include "scenarios/pack/story.h"

/* The steps of run "a" (as it is) or "b" (the honest one), sizes as they are on this GPU, which may
 * be NULL. BENCHMARK_FIELDS + 1 lines, with a baseline one more; malloc'd. NULL: the story is no
 * harness. */
char *program_text(const struct variant *v, const char *run, const struct msg_device *device);

/* One step with another setting, as in the list of an experiment's steps: "flush: nothing". */
void program_step(char *out, size_t size, int field, int setting);

/* "changes nothing: it is so already (flush: nothing); the minute is for the look"; "" where the
 * experiment changes something. */
void program_unchanged(char *out, size_t size, const struct variant *v,
                       const struct experiment *x);

/* The number that it prints after what `part` of PROBE_BENCHMARK tells: "1.21 ms", "4812 GB/s",
 * with a baseline "3.4 x faster"; "" if the sizes are not known. */
void program_printed(char *out, size_t size, const struct variant *v, const char *run,
                     const struct msg_device *device, const struct msg_part *part);

#endif
