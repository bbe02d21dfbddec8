#include "tui/home/options_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drills/progress/queue_load.h"

enum { YEARS_AHEAD = 5 * 366 };

static const struct option_row rows[OPTION_COUNT] = {
    [OPTION_INTERVIEW] = {"interview", "interview", "",
                          "What you have seen comes once more in the last days before the "
                          "interview. 2026-12-03, or +12 for days from today; empty for none.",
                          0, 0, 1, 0},
    [OPTION_SCENARIOS] = {"scenarios", "scenarios a day", "",
                          "What the bar on the home screen counts towards. The forecast below is "
                          "of drills and cards alone.",
                          0, 20, 1, 2},
    [OPTION_DRILLS] = {"new-drills", "new drills a day", "",
                       "Drills never answered before; what is due again comes on top.", 0, 1000, 1,
                       5},
    [OPTION_CARDS] = {"new-cards", "new cards a day", "",
                      "Cards never seen before; what is due again comes on top.", 0, 1000, 5, 15},
    [OPTION_REVIEWS] = {"most-reviews", "reviews a day at most", "",
                        "What is over that waits for the next day, the nearest to being forgotten "
                        "first.",
                        1, 100000, 10, 200},
    [OPTION_RECALL] = {"retention", "wanted recall", "%",
                       "How likely you want to know an item when it comes back. Higher means "
                       "sooner and more often: below stands what it costs.",
                       70, 99, 1, 90},
};

const struct option_row *option_row(enum option_id id)
{
    return &rows[id];
}

static double shown_scale(enum option_id id)
{
    return id == OPTION_RECALL ? 100 : 1; /* kept as a share */
}

void option_show(char *out, size_t size, enum option_id id, struct store *store)
{
    char *kept = NULL, *end;
    double value = rows[id].otherwise;
    out[0] = '\0';
    bool found = store && store_setting_get(store, rows[id].name, &kept) == 1;
    if (id == OPTION_INTERVIEW) {
        if (found && queue_read_date(kept) > 0)
            snprintf(out, size, "%s", kept);
    } else {
        double v = found ? strtod(kept, &end) * shown_scale(id) : 0;
        if (found && end != kept && !*end && v >= rows[id].low - 1e-9 && v <= rows[id].high + 1e-9)
            value = v;
        snprintf(out, size, "%.4g", value);
    }
    free(kept);
}

/* ---- dates ---- */

static struct tm date_of(int day)
{
    time_t at = (time_t)day * 86400;
    struct tm t;
    gmtime_r(&at, &t);
    return t;
}

static void date_iso(char *out, size_t size, int day)
{
    struct tm t = date_of(day);
    if (strftime(out, size, "%Y-%m-%d", &t) == 0)
        out[0] = '\0';
}

void option_date_text(char *out, size_t size, int day, int today)
{
    char date[48], weekday[16], month[16];
    struct tm t = date_of(day);
    strftime(weekday, sizeof weekday, "%a", &t);
    strftime(month, sizeof month, "%b", &t);
    snprintf(date, sizeof date, "%s %d %s", weekday, t.tm_mday, month);
    int in = day - today;
    if (in < 0)
        snprintf(out, size, "%s, over", date);
    else if (in < 2)
        snprintf(out, size, "%s, %s", date, in ? "tomorrow" : "today");
    else
        snprintf(out, size, "%s, in %d days", date, in);
}

static int date_read(char *kept, size_t size, const char *typed, int today, struct err *err)
{
    char *end;
    long in = *typed == '+' ? strtol(typed + 1, &end, 10) : -1;
    int day = *typed != '+'                                               ? queue_read_date(typed)
              : end != typed + 1 && !*end && in >= 0 && in <= YEARS_AHEAD ? today + (int)in
                                                                          : 0;
    if (day == 0)
        return err_set(err, ERR_BAD_REQUEST,
                       "'%.40s' is no date; 2026-12-03 is one, and +12 means in 12 days", typed);
    if (day < today)
        return err_set(err, ERR_BAD_REQUEST, "%.40s is over; a date from today on", typed);
    if (day - today > YEARS_AHEAD)
        return err_set(err, ERR_BAD_REQUEST, "%.40s is more than five years away", typed);
    date_iso(kept, size, day);
    return 0;
}

/* ---- all ---- */

int option_read(char *kept, size_t size, enum option_id id, const char *typed, int today,
                struct err *err)
{
    const struct option_row *r = &rows[id];
    char *end;
    kept[0] = '\0';
    if (!*typed)
        return 0;
    if (id == OPTION_INTERVIEW)
        return date_read(kept, size, typed, today, err);
    double v = strtod(typed, &end);
    while (*end == ' ' || (*end == '%' && id == OPTION_RECALL))
        end++;
    if (end == typed || *end || !isfinite(v) || (id != OPTION_RECALL && v != floor(v)))
        return err_set(err, ERR_BAD_REQUEST, "'%.40s' is no %snumber", typed,
                       id == OPTION_RECALL ? "" : "whole ");
    if (v < r->low || v > r->high)
        return err_set(err, ERR_BAD_REQUEST, "%s: from %g to %g%s%s", r->label, r->low, r->high,
                       *r->unit ? " " : "", r->unit);
    snprintf(kept, size, "%.6g", v / shown_scale(id));
    return 0;
}

void option_step(char *out, size_t size, enum option_id id, const char *shown, int by, int today)
{
    const struct option_row *r = &rows[id];
    if (id == OPTION_INTERVIEW) {
        int day = queue_read_date(shown);
        day = (day > 0 ? day : today) + by;
        date_iso(out, size, day < today ? today : day);
        return;
    }
    double v = strtod(shown, NULL) + by * r->step;
    snprintf(out, size, "%.4g", v < r->low ? r->low : v > r->high ? r->high : v);
}
