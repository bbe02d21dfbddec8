#include "scenarios/report/session_report_read.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/formula/quantity.h"

const char *report_text(const json_t *of, const char *key)
{
    const char *text = json_string_value(json_object_get(of, key));
    return text ? text : "";
}

long long report_whole(const json_t *of, const char *key)
{
    return (long long)json_integer_value(json_object_get(of, key));
}

bool report_has(const json_t *of, const char *key)
{
    return json_object_get(of, key) != NULL;
}

void report_clock(char out[24], long long ms)
{
    long long s = ms > 0 ? ms / 1000 : 0;
    if (s < 3600)
        snprintf(out, 24, "%lld:%02lld", s / 60, s % 60);
    else
        snprintf(out, 24, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
}

void report_quantity(char out[48], const json_t *value, const char *unit)
{
    struct dim dim;
    double factor = 1;
    char base[24] = "1";
    if (unit_parse(unit, strlen(unit), &dim, &factor))
        dim_unit(base, sizeof base, dim);
    quantity_show(out, 48, json_number_value(value), base);
}

size_t report_told(const json_t *scenario)
{
    const json_t *track = json_object_get(scenario, "track"),
                 *last =
                     json_object_get(json_array_get(track, json_array_size(track) - 1), "theirs");
    size_t most = 0;
    if (report_has(scenario, "cause"))
        return (size_t)report_whole(scenario, "cause");
    for (size_t h = 1; h < json_array_size(last); h++)
        most = json_integer_value(json_array_get(last, h)) >
                       json_integer_value(json_array_get(last, most))
                   ? h
                   : most;
    return most;
}

const char *report_wall(const char *wall)
{
    return !strcmp(wall, "confined")
               ? "join gives up files, other programs and the network"
           : !strcmp(wall, "user") ? "another user of this machine"
           : !strcmp(wall, "none") ? "none: the terminal could not be confined"
                                   : wall;
}
