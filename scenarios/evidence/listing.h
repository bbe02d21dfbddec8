/* The listing of a source: its code, a blank line, and its launches in a line each, as a host would
 * write them; of a harness another blank line, and the steps of its benchmark. Lines of the code
 * keep their numbers; source_launch_line has those of the launches, variant_benchmark_line those of
 * the steps. */
#ifndef WD_SCENARIOS_LISTING_H
#define WD_SCENARIOS_LISTING_H

#include "kernels/wire/message_device.h"
#include "scenarios/pack/story.h"

/* Of run "a", "b", "c" or "r", sizes as they are on this GPU; device NULL, or one that lacks an
 * attribute: as the formulas that they are. Of a case its places. malloc'd; NULL: the variant has
 * no such source. */
char *listing_text(const struct variant *v, const char *run, const struct msg_device *device);
/* The launches alone. malloc'd. */
char *listing_launches(const struct variant *v, const char *run, const struct msg_device *device);

#endif
