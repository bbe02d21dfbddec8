/* Mending: a person's own text in the place of a diagnosed suspect, judged against reference, fix
 * and roof.
 *
 * In: a variant that was diagnosed, a text that somebody else may change at any moment, and a
 * client of a runner. Out: a folder of the person's own, a verdict with its reason, and what is
 * kept of it. Callers: tui/commands (warpdrill mend) and tui/mend. First to open: mend_place.c,
 * the file; then mend_judge.h, what is done with each save. mend_launches.h reads the lines of the
 * text that say how it is launched, mend_state.h what it may not have; mend_request.h asks the
 * runner, mend_verdict.h says what came of it, mend_kept.h keeps it, mend_moved.h tells two tries
 * apart, mend_hint.h helps, mend_sanitize.h asks a tool; mend_figures.h, mend_counts.h and
 * mend_sass.h are what a compiler alone can tell. */
#ifndef WD_SCENARIOS_MEND_H
#define WD_SCENARIOS_MEND_H

#include "kernels/wire/message_device.h"
#include "scenarios/pack/story.h"

#define MEND_RUN "m" /* the id of the person's run and source in a request */

struct mend_place {
    char *folder, *file, *name; /* name: the last part of file, "mine.cu" */
    char *trusted;              /* one's own code in here is trusted with one answer */
};

/* Why nothing of this variant can be mended, a sentence; NULL: it can. */
const char *mend_cannot(const struct variant *v);
/* Why there is nothing to mend in it, a sentence; NULL: there is. It tells that the variant is
 * healthy, so it is asked once that was diagnosed. */
const char *mend_needless(const struct variant *v);
/* `folder`, or where it is NULL $XDG_DATA_HOME/warpdrill/mend/PACK/STORY/VARIANT, all of which are
 * trusted together; nothing is made.
 * ERR_UNSUPPORTED where mend_cannot says why. *out is freed by mend_place_free also
 * after a failure. */
int mend_place_find(struct mend_place *out, const struct variant *v, const char *folder,
                    struct err *err);
void mend_place_free(struct mend_place *p);

/* Makes the folder (0700 below what is there) and lays `text` into it, whole or not at all. What
 * bears the file's name already, whatever it is, stays as it is: *made is false then. */
int mend_lay(const struct mend_place *p, const char *text, bool *made, struct err *err);
/* Puts `text` in the place of the file, whole or not at all. The caller has kept what
 * stood there. */
int mend_put(const struct mend_place *p, const char *text, struct err *err);

/* Moves what bears the file's name, whatever it is, beside it: mine.cu.1, or the first number that
 * is free. */
int mend_move_aside(const struct mend_place *p, struct err *err);

/* The suspect, of a task its empty kernel, with its contract as comments above it: sizes, what must
 * come out, what may be changed. device NULL: sizes as formulas. malloc'd. */
char *mend_contract(const struct variant *v, const struct msg_device *device, const char *name);

/* The file as it is now, malloc'd, without a byte order mark and with LF for CR LF. Refused, each
 * by a sentence of its own that begins with the file: gone, a link, no plain file, empty, beyond
 * CAP_SOURCE_BYTES, no text, and what no source may hold (token.h), at its line. *out is NULL then. */
int mend_read(char **out, const struct mend_place *p, struct err *err);
/* The same of a text that is in memory. */
int mend_text_check(const char *name, const char *text, size_t len, struct err *err);

/* Which state the file is in: equal stamps mean an equal file, for a watch by polling. All zero:
 * there is none. */
struct mend_stamp { uint64_t device, inode, size; int64_t written_ns; };
struct mend_stamp mend_stamp_of(const struct mend_place *p);
bool mend_stamp_same(struct mend_stamp a, struct mend_stamp b);

#endif
