/* From a save to its verdict: `warpdrill mend` watches a file, a fake runner answers at once. So it
 * is our own time alone: seeing the save, three comparisons, the race, eight comparisons more, and
 * keeping it. A GPU's time comes on top. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "tests/bench/bench.h"
#include "tests/folder.h"

enum { SAVES = 100 };
#define AIM "p99 under 300 ms"

static char line[4096];

static void give_up(const char *what)
{
    fprintf(stderr, "bench_mend: %s: %s\n", what, strerror(errno));
    exit(1);
}

static const char *build(void)
{
    const char *b = getenv("BUILD");
    return b ? b : "build";
}

static void diagnose(void)
{
    char *command = text_format("'%s/tests/fakes/fake_player' tests/packs/good row-sums/a %s/p.db",
                                build(), folder);
    if (system(command) != 0)
        give_up(command);
    free(command);
}

static FILE *watch(pid_t *pid)
{
    int ends[2];
    char *shell = text_format("exec '%s/warpdrill' mend row-sums/a --pack tests/packs/good --trust "
                              "--db %s/p.db --folder %s --runner '%s/tests/fakes/fake_runner live' "
                              "2>/dev/null",
                              build(), folder, folder, build());
    if (pipe(ends) != 0 || (*pid = fork()) < 0)
        give_up("the program does not start");
    if (*pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl("/bin/sh", "sh", "-c", shell, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    free(shell);
    return fdopen(ends[0], "r");
}

static void save(int k)
{
    char *beside = text_format("%s/beside", folder), *mine = text_format("%s/mine.cu", folder);
    FILE *f = fopen(beside, "w");
    if (!f)
        give_up(beside);
    fprintf(f, "// save %d\n// fake: time 2\n", k);
    fputs("extern \"C\" __global__ void sums(float *o) { *o = 0; }\n", f);
    fclose(f);
    if (rename(beside, mine) != 0)
        give_up(mine);
    free(beside);
    free(mine);
}

static void await_verdict(FILE *out, int number)
{
    char wanted[32];
    snprintf(wanted, sizeof wanted, "try %d: right", number);
    while (fgets(line, sizeof line, out))
        if (!strncmp(line, wanted, strlen(wanted)))
            return;
    give_up("it ended");
}

int main(void)
{
    static double took[SAVES];
    pid_t pid;
    if (folder_make("bench") != 0)
        give_up("no folder");
    diagnose();
    FILE *out = watch(&pid);
    await_verdict(out, 1);
    for (int k = 0; k < SAVES; k++) {
        double before = now_ms();
        save(k);
        await_verdict(out, k + 2);
        took[k] = now_ms() - before;
    }
    puts("mending, behind a runner that answers at once");
    show("  save to verdict", took, SAVES, AIM);
    kill(pid, SIGTERM);
    waitpid(pid, NULL, 0);
    fclose(out);
    return folder_remove(NULL);
}
