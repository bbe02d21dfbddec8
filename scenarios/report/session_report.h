/* What is left of an interview on paper: first as JSON, from which the other forms are written.
 *
 * In: an interview that is kept, and for whom. Out: the JSON below, and its forms. Callers:
 * warpdrill report, the console. First to open: session_report_inside.h, the list of its files
 * in their order. session_briefing.h is the room's other half: what the interviewer reads before
 * and while it lasts.
 *
 * {"format": "warpdrill-report", "version": 1, "for": "interviewer"|"candidate", "id", "title",
 * "candidate", "state": "not begun", "running", "on pause", "between parts"|"over", "level",
 * "began", "last": UTC or null, "minutes_planned", "running_ms", "paused_ms", "wall", "people":
 * [{at_ms, utc, role, name, wall, left_ms?}] (each time that somebody came), "scores", "grades":
 * "shown" or why not, "parts": [{n, kind, title, minutes, spent_ms, state, ask?, talk?, scenario?,
 * revealed? (a scenario's), fix? (where it was asked for): [{n, at_ms, text, headline, verdict?: as
 * `mend --json` tells it, moved: [{since, text}]}], drills: [{drill, title, asked_ms, answer?,
 * seconds?, how?, points?, say?}]}],
 * "rubric": [{id, title, grade (0: none), anchor, knowing: given when scores could be seen}],
 * "notes": [{at_ms, shared, text}], "pauses": [{at_ms, lasted_ms}], "lines": [{at_ms, part,
 * kind: "hint"|"curveball"|"said", text, taken_back_ms?}], "timeline": [{at_ms, utc, part, who,
 * what, text}], "summary": [{name, text}]: the hour in six lines at most, from what the rest says}
 *
 * A scenario: {id, title, tier, gpu, whose: "theirs"|"yours" (who reads), price, par, patience,
 * truth?: {cause, location, fix, headline?}, hypotheses: [label], cause?: index, found?: {is, cut,
 * held, last: % on the cause, says, beside?: line, fix and estimates}, evidence: [{at_ms, probe,
 * letter, title, how: "bought"|"handed out"|"withheld", price, tier, said, call?}], steps: [{at_ms,
 * from_ms, after, theirs: [%], ideal?: [%]}] (the first is how it began; then what was believed in
 * the end after each purchase, reached at at_ms; the ideal reader moved at from_ms, with the
 * purchase), track: [{at_ms, theirs: [%]}], estimates: [{ask, unit, given, truth?, factor?,
 * points?, possible?, say?}], commitment?: {at_ms, line, place, fix, right_place?, right_fix?,
 * cut?: before place and fix, locked?: false: nor were the beliefs},
 * pushback?: {at_ms, kind?, says, teaches?}, answer?: {at_ms, theirs: [%], moved}, cut?: before
 * what the interviewer ended it, score?: {total (of 100), sum, of: of what was reached, says,
 * lines: [{line, points, possible, why, cut?: by the interviewer, whole or in part}]}, no_score?:
 * why there is none, lessons?: {slip, trap, cheaper or cheapest, pushback, astray}, named?,
 * named_says?, note?}
 *
 * at_ms and everything else in ms but `utc` is running time of the session. What a candidate may
 * not read is not in the JSON at all: no private note, no truth, ideal reader or name of a variant
 * before the reveal, no score, grade of a drill or rubric before the release. */
#ifndef WD_SCENARIOS_SESSION_REPORT_H
#define WD_SCENARIOS_SESSION_REPORT_H

#include <jansson.h>

#include "scenarios/interview/interview.h"

/* Takes the answer key out of a candidate's report: ids, cause, place, fix, true values, what a
 * reason or a lesson says of them, and the rubric's anchors. What the candidate did, saw and got
 * stays, so a right answer is still known as right. */
void report_without_answers(json_t *report);
/* New reference. A part whose attempt cannot be read says so and is left out. */
json_t *report_make(struct interview *l, bool for_candidate);

enum report_format { REPORT_MARKDOWN, REPORT_HTML, REPORT_CSV, REPORT_JSON };
/* "md", "html", "csv", "json"; -1: none of them. */
int report_format_find(const char *name);
/* The text, malloc'd; every text from outside is escaped as the format wants it. HTML is one file
 * with nothing from elsewhere and no script. CSV is one list; its first column names the table
 * of the row: summary, score, estimate, belief, fix, drill, grade, timeline. `value` of `of` are
 * points, a grade, per cent or, of a fix, the share of the gap that was closed. A spreadsheet may
 * open it: cells that would run there begin with a '. */
char *report_write(const json_t *report, enum report_format format);

#endif
