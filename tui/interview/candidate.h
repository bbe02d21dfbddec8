/* The candidate's side of a live interview: screens in a guest app (app.h), which the host's
 * process draws and keys reach from a joined terminal or from the scribe. They show nothing but
 * what the candidate may see: candidate.c chooses the screen by the session, candidate_play.c tells
 * the play screens what of a part is open (withheld, revealed, scores_open: tui/play/hooks.h). */
#ifndef WD_TUI_CANDIDATE_H
#define WD_TUI_CANDIDATE_H

#include "scenarios/interview/interview.h"
#include "tui/app/app.h"

/* Makes the guest's screens what the session says: waiting, a scenario's investigation (begun or
 * resumed), a drill, a talk, a debrief. Called after every verb of the host; does nothing where all
 * is as it should be. Failures are said to the host, never to the candidate. */
int candidate_follow(struct app *guest, struct err *err);

/* Measures or recalls one probe for the host to hand out: asks the running investigation's supply;
 * arrives as the attempt's move. ERR_BUSY while the candidate's own purchase runs. */
int candidate_hand(struct app *guest, const char *probe, struct err *err);

/* What the candidate does at this moment, for the console: "choosing", "measuring memory access",
 * "answering an estimate", "writing"; never what is being typed. */
const char *candidate_doing(const struct app *guest);
/* The id of the estimate that they are asked at this moment; NULL: none. */
const char *candidate_asked(const struct app *guest);
/* What the judge does with the text that was handed in; "": nothing. */
void candidate_judging(struct app *guest, const char *say);
/* What happened to live evidence since the last call, "" if nothing: "the GPU did not answer;
 * recorded evidence stands in". */
const char *candidate_trouble(struct app *guest);

#endif
