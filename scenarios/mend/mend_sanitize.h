/* A text under compute-sanitizer, on demand: one run for each of its four tools. It is no part of a
 * verdict, so that a wrong text may be asked why it is. */
#ifndef WD_SCENARIOS_MEND_SANITIZE_H
#define WD_SCENARIOS_MEND_SANITIZE_H

#include "scenarios/mend/mend_request.h"
#include "scenarios/supply/client.h"

enum { MEND_TOOLS = 4 };
struct mend_tool {
    const char *name;  /* "memcheck" */
    bool told, there;  /* it has an answer; a figure is in it */
    int found;         /* what it found */
    char line[300];    /* the first of these, or why there is no figure */
};

struct mend_sanitizer;

/* All borrowed but the texts, which are copied. Whatever goes wrong is in mend_sanitizer_why. */
struct mend_sanitizer *mend_sanitizer_new(const struct variant *v, const struct msg_device *device,
                                          struct client *client, const char *name,
                                          const char *text);
/* Calls off what is under way; accepts NULL. */
void mend_sanitizer_free(struct mend_sanitizer *s);

/* Feeds an event of the client; true when it was of this and something changed. */
bool mend_sanitizer_event(struct mend_sanitizer *s, const struct client_event *e);
bool mend_sanitizer_over(const struct mend_sanitizer *s);
const struct mend_tool *mend_sanitizer_tools(const struct mend_sanitizer *s); /* MEND_TOOLS */
/* Why not all of them have answered; "" while nothing went wrong. */
const char *mend_sanitizer_why(const struct mend_sanitizer *s);
/* Did each of them run, and find nothing? */
bool mend_sanitizer_clean(const struct mend_sanitizer *s);

/* "racecheck: 3 found; Race reported between ..." */
void mend_tool_words(char *out, size_t size, const struct mend_tool *t);

#endif
