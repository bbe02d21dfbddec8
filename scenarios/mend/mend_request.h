/* What is asked of the runner for one try, in the order in which it is asked. */
#ifndef WD_SCENARIOS_MEND_REQUEST_H
#define WD_SCENARIOS_MEND_REQUEST_H

#include "kernels/wire/message_device.h"
#include "scenarios/mend/mend_launches.h"

enum mend_stage {
    MEND_FIRST,   /* compiles, and is right at the story's own size */
    MEND_RACE,    /* timed by turns with fix, suspect and best, and right where it is timed */
    MEND_REST,    /* right everywhere else that is tried, on inputs that nobody has seen */
    MEND_METRICS, /* what the hardware did */
    MEND_STAGES,
    MEND_SANITIZE, /* no stage of a verdict, on demand: under compute-sanitizer */
    MEND_AHEAD,   /* what the stages behind the first will have compiled, all in one */
};

/* One text, as it is judged. All borrowed. */
struct mend_task {
    const struct variant *v;
    const struct msg_device *device;
    const char *name, *text;
    const struct mend_launches *launches;
};

/* The caller frees *out with msg_measure_free, also after a failure. err is not NULL. */
int mend_request(struct msg_measure *out, const struct mend_task *t, enum mend_stage stage,
                 uint64_t seed, struct err *err);

/* "", or what was special about an item: ", at another size (n 4096)", ", poisoned". */
void mend_item_words(char *out, size_t size, const struct msg_measure *m, int item);

#endif
