/* Moments and study days: kept within bounds, told by the local clock. */
#include "db/moment.h"

#include <time.h>

enum { DAY_MS = 24 * 3600 * 1000 };

int store_day_of(int year, int month, int day)
{
    /* Years count from March, so that the leap day is the last. */
    int y = month > 2 ? year : year - 1;
    int era = (y >= 0 ? y : y - 399) / 400;
    int of_era = y - era * 400;
    int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

int64_t store_moment(int64_t at_ms)
{
    return at_ms < 0 ? 0 : at_ms > STORE_MS_MOST ? STORE_MS_MOST : at_ms;
}

int64_t store_clock(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec > STORE_MS_MOST / 1000
               ? STORE_MS_MOST
               : store_moment((int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

int store_day(int64_t at_ms)
{
    /* The wall clock decides, also on the day when it changes. */
    at_ms = at_ms < -DAY_MS ? -DAY_MS : at_ms > STORE_MS_MOST ? STORE_MS_MOST : at_ms;
    time_t at = (time_t)(at_ms / 1000 - (at_ms % 1000 < 0));
    struct tm tm;
    if (!localtime_r(&at, &tm))
        return 0;
    return store_day_of(tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday) - (tm.tm_hour < 4);
}
