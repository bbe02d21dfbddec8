/* Moments and days as they are kept: UTC in ms, and study days. */
#ifndef WD_DB_MOMENT_H
#define WD_DB_MOMENT_H

#include <stdint.h>

/* Moments that are kept lie from 1970 to 2200, in ms of UTC. One outside is moved to the nearer
 * end. */
#define STORE_MS_MOST 7258118400000LL
int64_t store_moment(int64_t at_ms);
/* What the system's clock says, as such a moment. */
int64_t store_clock(void);
/* The study day of a moment: days since 1970-01-01 in local time, the day begins at 04:00. */
int store_day(int64_t at_ms);
/* Days since 1970-01-01 of a date in the Gregorian calendar. */
int store_day_of(int year, int month, int day);

#endif
