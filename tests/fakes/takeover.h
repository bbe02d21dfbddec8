/* A worker that was taken over and answers the supervisor by itself: floods (parts without end),
 * unasked (a part of what nobody asked for), hoards (announces 500 MB), drones (a
 * line without end). */
#ifndef FAKE_TAKEOVER_H
#define FAKE_TAKEOVER_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The channel to the supervisor: "--worker N". */
static int channel(void)
{
    char line[4096] = "";
    FILE *f = fopen("/proc/self/cmdline", "re");
    size_t n = f ? fread(line, 1, sizeof line - 1, f) : 0;
    if (f)
        fclose(f);
    while (n > 0 && line[n - 1] == '\0')
        n--;
    while (n > 0 && line[n - 1] != '\0')
        n--;
    return atoi(line + n);
}

static void say(int fd, const char *text)
{
    for (size_t n = strlen(text), done = 0; done < n;) {
        ssize_t sent = write(fd, text + done, n - done);
        if (sent < 0 && errno != EAGAIN && errno != EINTR)
            _exit(1);
        done += sent > 0 ? (size_t)sent : 0;
    }
}

static void take_over(const char *how)
{
    static const char part[] =
        "{\"type\":\"part\",\"id\":1,\"item\":%d,\"probe\":\"%s\",\"run\":\"a\",\"tier\":\"live\","
        "\"metrics\":{},\"series\":{},\"lines\":[],\"notes\":[]}\n";
    int fd = channel();
    char line[512];
    if (!strcmp(how, "floods"))
        for (snprintf(line, sizeof line, part, 0, "check");;)
            say(fd, line);
    if (!strcmp(how, "unasked")) {
        snprintf(line, sizeof line, part, 0, "timing");
        say(fd, line);
    }
    if (!strcmp(how, "hoards"))
        say(fd, "{\"type\":\"progress\",\"id\":1,\"blobs\":[500000000]}\n");
    while (!strcmp(how, "drones"))
        say(fd, "................................................................");
    for (;;)
        pause();
}

static int is_taken_over(const char *how)
{
    return !strcmp(how, "floods") || !strcmp(how, "unasked") || !strcmp(how, "hoards") ||
           !strcmp(how, "drones");
}

#endif
