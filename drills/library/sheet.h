/* Sheets to print: number tables, cards to fold, drills with their answers on another page. Plain
 * text fits 80 columns; Markdown is tables. */
#ifndef WD_DRILLS_SHEET_H
#define WD_DRILLS_SHEET_H

#include <stdio.h>

#include "drills/library/library.h"

enum sheet_format { SHEET_TEXT, SHEET_MARKDOWN };

/* Values with SI prefixes and units; what the columns source and note say stands below as
 * footnotes. A wide table goes on below itself. */
void sheet_table(FILE *f, const struct table *t, enum sheet_format format);
/* Question left, answer right of the fold. */
void sheet_cards(FILE *f, const struct card_set *set, enum sheet_format format);
/* A topic's drills, those that need no GPU, each once and ten at most; then, on the next page,
 * their answers. The same seed brings the same sheet. ERR_MISSING: no drill has that topic. */
/* Has the topic a drill that works without a GPU? */
bool sheet_has_drills(const struct library *l, const char *topic);
int sheet_drills(FILE *f, const struct library *l, const char *topic, uint64_t seed,
                 enum sheet_format format, struct err *err);

#endif
