/* The reveal: everything a debrief shows, computed from one finished investigation. Pure. */
#ifndef WD_SCENARIOS_DEBRIEF_H
#define WD_SCENARIOS_DEBRIEF_H

#include "scenarios/play/found.h"
#include "scenarios/play/ideal.h"
#include "scenarios/play/investigation.h"
#include "scenarios/play/scoring.h"

struct graded {                        /* one estimate */
    const struct estimate *estimate;
    enum {
        GRADED_RIGHT,
        GRADED_OFF,
        GRADED_SLIP,
        GRADED_UNREADABLE,
        GRADED_WRONG_DIM,
        GRADED_SKIPPED,
        GRADED_LEFT_OUT /* of a script */,
        GRADED_NOT_ASKED,
        GRADED_CUT /* off by the interviewer */,
        GRADED_NO_TRUTH
    } how;
    double given, truth, factor, points,
        possible; /* factor: max(given/truth, truth/given); 0 where there is none */
    char say[256]; /* "0.14 ms for 0.133 ms: within 1.07 x" ("exact to three digits" below 1.005 x),
                      "268 MB: that moves the matrix once..." */
    char slip[160];                    /* named mistake, or "" */
    /* "on paper: n * n / 32 = 2.10 M"; without an answer "it is 2.10 M; on paper: n * n / 32"; ""
     * across GPUs, of what was not asked, and where it is not known. */
    char worked[320];
    char why[480]; /* across GPUs: the truth there beside the value here, and what it follows; "" */
};

/* Pure grading of one typed answer; out->estimate is kept. A truth that this evidence does not hold
 * (NaN) costs nothing; skipped, left out
 * (`typed` NULL), unreadable and the wrong unit earn nothing. `mistakes` are values with texts
 * (from the pack), beside the general slips: power of ten, bits for bytes, a factor of two (one way
 * for both). GiB for GB is 1.07 x, inside most tolerances, so it is hardly ever a slip. */
struct slip_value { double value; const char *says; };
void estimate_grade(struct graded *out, const char *typed, const char *unit, double truth,
                    double within, const struct slip_value *mistakes, int n, double possible);

/* What was typed, as estimate_grade reads it: a bare number for `s` is in microseconds, as kernels
 * take them, and bare bytes are unreadable until their unit is written. `say` as of quantity_read.
 */
enum quantity_read estimate_read(const char *typed, const char *unit, struct quantity_reading *out,
                                 char *say, size_t size);

/* The words of a debrief that speak of its person, told to somebody else: "They had it at 82 %".
 * What the pack's author says to the person is left out. */
struct debrief_told {
    char why[LINE_COUNT][192], headline[256], astray[256], trap[256], pushback[768],
        cheaper[1024], ranking[512];
};

struct debrief {
    struct score score;
    char why[LINE_COUNT][192];         /* reason beside each line */
    struct found found;                /* without hints, which are the session's */
    struct graded graded[8]; int n_graded;
    struct { char after[48]; int you, ideal; /* % on the truth */ } belief[24]; int n_belief;
    int knew_after; /* index into belief after which the ideal reader was at 90 %; -1 never */
    /* How far the beliefs ended from where the evidence leads, and which of them most; "" where
     * updating is full, or nothing was tested. */
    char astray[256];
    struct path cheapest;
    struct debrief_told of_them;       /* the words here, in the third person */
    /* "It was uncoalesced access, on line 6.  You had it at 82 %.": when it was locked, and after
     */
    char headline[256];
    char named[512];                   /* naming_says; "" where it was not asked */
    char pushback[768], slip[256], trap[256],
        cheaper[1024]; /* pushback: what it was, what came of it, what it teaches */
    bool saves; /* the way that `cheaper` names costs less than what was paid */
    const struct reading *held[256];
    int n_held; /* the first readings that hold on what was bought, in the order of the answer */
    char longest[256]; /* of a step of several launches: the longest kernel of suspect and fix; ""
                          when not known */
    double time_suspect, time_fix, time_best, time_copy, ratio; /* s; 0 when unknown */
    double time_half, time_rest; /* s; the first fault alone mended, the second alone; 0: unknown,
                                    or there is no second */
    char ranking[512]; /* what each fault costs, and what was said to be left; "" where nobody was
                          asked */
    bool in_turns; /* time_suspect was measured in turns with the fix, apart from the time that the
                      story began with (a reveal on a live GPU) */
    char right[3][64]; /* how a suspect fails; what a comparison prints; of a wrong pair:
                          is the result of suspect, fix and best right, "893956
                          race hazards"; "" where nothing checked it, or the pair is another */
    bool in_band; /* false also when the ratio is unknown; measured effect inside the declared band:
                     else not scored live */
};
/* `all`: suspect, fix, best (request_recall_all or live). After the answer to the pushback (without
 * pushbacks: after the commitment), else ERR_BAD_REQUEST. Readings are judged on what was bought; a
 * correction, truths, the free symptom's time and the cheapest path on `all`. In an
 * interview what was never asked (its probe was handed out, or the truth was shown first) or was
 * cut off by the reveal counts as if it were not there: its share goes to the others. Where none
 * was asked, or the story has none, the line can give nothing and the others stand for the 100. So
 * it is with what the interviewer cut off (investigation.cut): beliefs that stood then count once
 * anything was bought, what was not reached is not judged.
 * Pair "wrong": estimates count only when `verify` was bought. A
 * source opened after the commitment is news of the pushback's step. */
int debrief_make(struct debrief *out, const struct investigation *i,
                 const struct msg_device *device, const struct evidence *all, struct err *err);

/* "settles uncoalesced access; rules out ...": what a reading says, without its reason. */
void debrief_reading_says(char *out, size_t size, const struct story *story,
                          const struct reading *r);

/* Are the results of suspect, fix and best right, as everything that was measured of them says: "0
 * wrong", "893956 hazards", "" where nothing checked. */
void debrief_right(char (*right)[64], const struct scope *scope);

/* Its score alone, without the search for the cheapest path: for whoever plays a scenario many
 * times. */
int debrief_score(struct score *out, const struct investigation *i, const struct msg_device *device,
                  const struct evidence *all, struct err *err);

#endif
