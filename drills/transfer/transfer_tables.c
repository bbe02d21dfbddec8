/* What screens read, as CSV for spreadsheets. It follows from the log, so it is not read again. */
#include "drills/transfer/transfer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/items.h"
#include "drills/question/rows.h"
#include "drills/transfer/transfer_own.h"
#include "kernels/wire/text.h"

/* ---- cells ---- */

static void text(FILE *f, const char *value)
{
    rows_write_cell(f, value);
    fputc(',', f);
}

static void whole(FILE *f, int64_t value)
{
    fprintf(f, "%" PRId64 ",", value);
}

static void real(FILE *f, bool known, double value)
{
    if (known)
        fprintf(f, "%.10g", value);
    fputc(',', f);
}

/* A study day as a date. */
static void date(FILE *f, int day)
{
    time_t at = (time_t)day * 24 * 3600;
    struct tm tm;
    if (day > 0 && gmtime_r(&at, &tm))
        fprintf(f, "%04d-%02d-%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
    fputc(',', f);
}

static void moment(FILE *f, int64_t at_ms)
{
    time_t at = (time_t)(at_ms / 1000);
    struct tm tm;
    if (at_ms > 0 && gmtime_r(&at, &tm))
        fprintf(f, "%04d-%02d-%02dT%02d:%02d:%02dZ", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
                tm.tm_hour, tm.tm_min, tm.tm_sec);
    fputc(',', f);
}

/* The last cell and the end of the row. */
static void last(FILE *f, const char *value)
{
    rows_write_cell(f, value);
    fputs("\r\n", f);
}

/* ---- tables ---- */

static int write_attempts(struct store *store, FILE *f)
{
    struct store_attempt *all;
    int n, rc = store_attempts(store, NULL, 0, &all, &n);
    fputs("uid,scenario,tier,gpu,state,started,minutes_taken,patience_spent,counted,cause,cause_"
          "right,belief_in_truth,score,score_rule,title\r\n",
          f);
    for (int i = n - 1; rc == STORE_OK && i >= 0; i--) {
        const struct store_attempt *a = &all[i];
        text(f, a->uid);
        text(f, a->scenario);
        text(f, a->tier);
        text(f, a->gpu);
        text(f, a->state);
        moment(f, a->started_ms);
        real(f, true, (double)a->elapsed_ms / 60000);
        whole(f, a->price);
        whole(f, a->counted);
        text(f, a->cause);
        real(f, a->cause_right >= 0, a->cause_right);
        real(f, a->cause_right >= 0, a->on_truth);
        real(f, a->scored, a->score);
        real(f, a->scored, a->score_rule);
        last(f, a->title);
    }
    free(all);
    return rc;
}

static int write_lines_of(struct store *store, FILE *f, const char *attempt)
{
    struct store_score_line *lines;
    int n, rc = store_score_lines(store, attempt, &lines, &n);
    for (int i = 0; rc == STORE_OK && i < n; i++) {
        text(f, attempt);
        text(f, lines[i].line);
        real(f, true, lines[i].points);
        real(f, true, lines[i].possible);
        last(f, lines[i].why);
    }
    free(lines);
    return rc;
}

static int write_beliefs_of(struct store *store, FILE *f, const char *attempt)
{
    struct store_belief *beliefs;
    int n, rc = store_beliefs(store, attempt, &beliefs, &n);
    for (int i = 0; rc == STORE_OK && i < n; i++) {
        text(f, attempt);
        whole(f, beliefs[i].step);
        text(f, beliefs[i].after);
        whole(f, beliefs[i].points);
        last(f, beliefs[i].hypothesis);
    }
    free(beliefs);
    return rc;
}

static int for_attempts(struct store *store, FILE *f,
                        int (*write)(struct store *store, FILE *f, const char *attempt))
{
    struct store_attempt *all;
    int n, rc = store_attempts(store, NULL, 0, &all, &n);
    for (int i = n - 1; rc == STORE_OK && i >= 0; i--)
        rc = write(store, f, all[i].uid);
    free(all);
    return rc;
}

static int write_lines(struct store *store, FILE *f)
{
    fputs("attempt,line,points,possible,why\r\n", f);
    return for_attempts(store, f, write_lines_of);
}

static int write_beliefs(struct store *store, FILE *f)
{
    fputs("attempt,step,after,points,hypothesis\r\n", f);
    return for_attempts(store, f, write_beliefs_of);
}

static int write_answers(struct store *store, FILE *f)
{
    struct store_answer_filter all_of_them = {.since_day = INT32_MIN};
    struct store_answer *all;
    int n, rc = store_answers(store, &all_of_them, &all, &n);
    fputs("uid,attempt,day,at,item,seed,how,given,value,unit,truth,log_error,low,high,confidence,"
          "hint,seconds,seconds_over,slip\r\n",
          f);
    for (int i = n - 1; rc == STORE_OK && i >= 0; i--) {
        const struct store_answer *a = &all[i];
        text(f, a->uid);
        text(f, a->attempt);
        date(f, a->day);
        moment(f, a->at_ms);
        text(f, a->item);
        whole(f, a->seed);
        text(f, a->how);
        text(f, a->given);
        real(f, a->readable, a->value);
        text(f, a->unit);
        real(f, true, a->truth);
        real(f, a->readable, a->log_error);
        real(f, a->confidence > 0, a->low);
        real(f, a->confidence > 0, a->high);
        real(f, a->confidence > 0, a->confidence);
        whole(f, a->hint);
        real(f, true, (double)a->took_ms / 1000);
        real(f, true, (double)a->over_ms / 1000);
        last(f, a->slip);
    }
    free(all);
    return rc;
}

static int write_items(struct store *store, FILE *f)
{
    static const char *const phases[] = {"new", "learning", "review", "relearning"};
    struct store_item *all;
    int n, rc = store_items(store, INT32_MAX, &all, &n);
    fputs("item,stability_days,difficulty,reviews,lapses,first,seen,due,phase\r\n", f);
    for (int i = 0; rc == STORE_OK && i < n; i++) {
        const struct store_memory *m = &all[i].memory;
        text(f, all[i].id);
        real(f, true, m->stability);
        real(f, true, m->difficulty);
        whole(f, m->reviews);
        whole(f, m->lapses);
        date(f, m->first_day);
        date(f, m->seen_day);
        date(f, m->due_day);
        last(f, phases[m->phase & 3]);
    }
    free(all);
    return rc;
}

static int write_reviews(struct store *store, FILE *f)
{
    struct store_review *all;
    int n, rc = store_reviews(store, NULL, INT32_MIN, 0, &all, &n);
    fputs("uid,item,day,at,grade,correct,seconds,model,stability_before,stability_after,due,"
          "given\r\n",
          f);
    for (int i = n - 1; rc == STORE_OK && i >= 0; i--) {
        const struct store_review *r = &all[i];
        text(f, r->uid);
        text(f, r->item);
        date(f, r->day);
        moment(f, r->at_ms);
        whole(f, r->grade);
        whole(f, r->correct);
        real(f, true, (double)r->took_ms / 1000);
        text(f, r->model);
        real(f, r->before.phase, r->before.stability);
        real(f, true, r->after.stability);
        date(f, r->after.due_day);
        last(f, r->given);
    }
    free(all);
    return rc;
}

/* The newest of each name. */
static int write_settings(struct store *store, FILE *f)
{
    struct store_event *events;
    json_t *newest = json_object();
    const char *name;
    json_t *value;
    int n, rc = store_events(store, "settings", &events, &n);
    for (int i = 0; rc == STORE_OK && i < n; i++) {
        json_t *body = json_loads(events[i].body, 0, NULL);
        if (json_is_string(json_object_get(body, "name")))
            json_object_set(newest, json_string_value(json_object_get(body, "name")),
                            json_object_get(body, "value"));
        json_decref(body);
    }
    store_events_free(events, n);
    fputs("name,value\r\n", f);
    json_object_foreach(newest, name, value) {
        text(f, name);
        last(f, json_is_string(value) ? json_string_value(value) : "");
    }
    json_decref(newest);
    return rc;
}

int transfer_write_tables(struct store *store, const char *folder, struct err *err)
{
    static const struct {
        const char *name;
        int (*write)(struct store *store, FILE *f);
    } tables[] = {{"attempts.csv", write_attempts}, {"score_lines.csv", write_lines},
                  {"beliefs.csv", write_beliefs},   {"answers.csv", write_answers},
                  {"items.csv", write_items},       {"reviews.csv", write_reviews},
                  {"settings.csv", write_settings}};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < sizeof tables / sizeof *tables; i++) {
        FILE *f = transfer_create(folder, tables[i].name, err);
        if (!f)
            return ERR_IO;
        int failed = tables[i].write(store, f);
        if (failed != STORE_OK)
            rc = transfer_store_error(store, failed, err);
        int closed = transfer_close(f, folder, tables[i].name, rc ? NULL : err);
        rc = rc ? rc : closed;
    }
    return rc;
}
