#include "scenarios/supply/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which command it is ---- */

static bool ends_word(char c)
{
    return c == '\0' || strchr(" \t;&|()'\"", c);
}

/* Is `word` called in the command: by itself, by its path, or behind another front? */
static bool calls(const char *command, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = strstr(command, word); at; at = strstr(at + 1, word))
        if ((at == command || at[-1] == '/' || ends_word(at[-1])) && ends_word(at[n]))
            return true;
    return false;
}

static bool calls_slurm(const char *command)
{
    return calls(command, "srun") || calls(command, "salloc");
}

bool front_is_far(const char *command)
{
    return calls(command, "ssh") || calls_slurm(command);
}

/* ---- the queue ---- */

static const char *last_of(const char *text, const char *phrase)
{
    const char *found = NULL;
    for (const char *at = strstr(text, phrase); at; at = strstr(at + 1, phrase))
        found = at;
    return found;
}

static const char *later(const char *a, const char *b)
{
    return !a || (b && b > a) ? b : a;
}

bool front_queued(const char *log, long *job)
{
    const char *waits = later(last_of(log, "queued and waiting for resources"),
                              last_of(log, "Pending job allocation"));
    const char *goes =
        later(last_of(log, "has been allocated resources"), last_of(log, "Granted job allocation"));
    *job = 0;
    if (!waits || (goes && goes > waits))
        return false;
    const char *line = waits;
    while (line > log && line[-1] != '\n')
        line--;
    const char *number = strpbrk(line, "0123456789");
    *job = number ? strtol(number, NULL, 10) : 0;
    return true;
}

/* ---- the end ---- */

/* What was printed, what it means, what to do; the first that fits. `status` 0: whatever the exit
 * status was. */
static const struct meaning {
    const char *printed;
    int status;
    const char *means, *help;
} meanings[] = {
    {"HOST IDENTIFICATION HAS CHANGED", 255, "ssh refuses this host: its key has changed",
     "If that is expected: ssh-keygen -R HOST, connect once in a shell, then try again"},
    {"Host key verification failed", 255, "ssh does not know this host's key",
     "Connect once in a shell and answer its question, then try again"},
    {"Permission denied", 255, "ssh was not let in, and here it cannot ask for a password",
     "Give it a key (ssh-copy-id HOST) or an agent (ssh-add), then try again"},
    {"Could not resolve hostname", 255, "ssh knows no host of that name", NULL},
    {"Connection refused", 255, "the host takes no ssh connections at that port",
     "Is sshd running there?"},
    {"DUE TO TIME LIMIT", 0, "Slurm's time limit ended the job",
     "Ask for more with --time; the next try starts a new job"},
    {"DUE TO PREEMPTION", 0, "Slurm gave the GPU to another job", "The next try queues again"},
    {"NODE FAIL", 0, "the Slurm node failed", "The next try asks for another"},
    {"oom_kill", 0, "Slurm ended the runner: it used more memory than was asked for",
     "Ask for more with --mem"},
    {"oom-kill", 0, "Slurm ended the runner: it used more memory than was asked for",
     "Ask for more with --mem"},
    {"Job has been cancelled", 0, "the Slurm job was cancelled", "The next try starts a new one"},
    {"Unable to contact slurm controller", 0, "Slurm's controller does not answer", NULL},
    {"Unable to allocate resources", 0, "Slurm refused the request",
     "Try the same command in a shell; sinfo says what there is"},
    {"execve(): ", 0, "Slurm could not start the runner on the node",
     "Copy build/warpdrill-runner where the nodes see it, and give its path"},
    {"has been revoked", 0, "the Slurm job was cancelled", "The next try starts a new one"},
    {"Force Terminated JobId", 0, "the Slurm job was cancelled", "The next try starts a new one"},
    {"CANCELLED AT", 0, "the Slurm job was cancelled", "The next try starts a new one"},
};

static const struct meaning *meaning_of(const struct front_end *e)
{
    bool ssh = calls(e->command, "ssh"), slurm = calls_slurm(e->command);
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        const struct meaning *m = &meanings[i];
        bool fits = m->status ? ssh && e->known && e->status == m->status : slurm;
        if (fits && strstr(e->log, m->printed))
            return m;
    }
    return NULL;
}

/* The line of `text` that holds `at`, without what ends a sentence. */
static void copy_line(char *out, size_t size, const char *text, const char *at)
{
    const char *start = at, *end = at + strcspn(at, "\n");
    while (start > text && start[-1] != '\n')
        start--;
    while (end > start && strchr(" \t.", end[-1]))
        end--;
    snprintf(out, size, "%.*s", (int)(end - start), start);
}

/* Its last line that says something. */
static void last_line(char *out, size_t size, const char *text)
{
    size_t end = strlen(text);
    while (end > 0 && strchr(" \n\t", text[end - 1]))
        end--;
    copy_line(out, size, text, text + (end ? end - 1 : 0));
}

static const char *front_name(const char *command)
{
    return calls(command, "ssh")      ? "ssh"
           : calls(command, "srun")   ? "srun"
           : calls(command, "salloc") ? "salloc"
                                      : "the runner";
}

/* ssh's own words for a link that died, whether or not a runner had answered or ssh itself is gone
 * already. */
static bool broke(const struct front_end *e)
{
    const char *closed = strstr(e->log, "Connection to ");
    bool said = (closed && strstr(closed, " closed by remote host")) ||
                strstr(e->log, "client_loop: send disconnect");
    return said && calls(e->command, "ssh") && (!e->known || e->status == 255);
}

static const char *by_status(char *what, size_t size, const struct front_end *e)
{
    const char *front = front_name(e->command);
    bool ssh = !strcmp(front, "ssh"), far = front_is_far(e->command);
    if (broke(e)) {
        snprintf(what, size, "the ssh connection broke");
    } else if (!e->known) {
        snprintf(what, size, "the runner closed the connection");
    } else if (e->status == 127 ||
               (e->status == 2 && strstr(e->log, "No such file or directory") && far)) {
        snprintf(what, size, "'%.80s' was not found", e->command);
        return far ? "Is the runner on the PATH there? Copy build/warpdrill-runner there and give "
                     "its path"
                   : "Is it on the PATH?";
    } else if (e->status == 126) {
        snprintf(what, size, "'%.80s' is there but cannot be run", e->command);
        return "Was it built for that machine, and is it executable?";
    } else if (e->status == 255 && ssh) {
        snprintf(what, size, e->answered ? "the ssh connection broke" : "ssh could not connect");
        return e->answered ? NULL : "Try the same command in a shell";
    } else if (e->status > 128) {
        front = ssh ? front : "the runner"; /* srun passes on how its task ended */
        snprintf(what, size, "%s was ended by signal %d", front, e->status - 128);
    } else if (e->status) {
        snprintf(what, size, "%s ended with status %d", front, e->status);
    } else {
        snprintf(what, size, "the runner closed the connection");
    }
    return NULL;
}

void front_explain(char *out, size_t size, const struct front_end *e)
{
    char what[128], line[140];
    const struct meaning *m = meaning_of(e);
    const char *help = m ? m->help : by_status(what, sizeof what, e);
    if (m)
        copy_line(line, sizeof line, e->log, last_of(e->log, m->printed));
    else
        last_line(line, sizeof line, e->log);
    snprintf(out, size, "%s%s%s%s%s", m ? m->means : what, *line ? ". It said: " : "", line,
             help ? ". " : "", help ? help : "");
}
