/* Holds the token scanner against NVRTC's own reading: of a source that the scanner takes, NVRTC
 * may ask for no file but those passed in memory, and may read no directive that the scanner does
 * not.
 *
 *   against_nvrtc cases FILE          the corpus, as TAP, with NVRTC's half where it is installed
 *   against_nvrtc scan FILE           the scanner's half alone
 *   against_nvrtc search TRIES SEED   odd sources until TRIES were taken; shows each that differs
 *
 * Many sources go into one compilation, each as a header in memory, since a compilation takes
 * milliseconds and a source microseconds. Where an error ends it early, it goes on with the next
 * source. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/runner/api.h"
#include "kernels/wire/text.h"
#include "kernels/wire/token.h"
#include "tests/fuzz/odd_source.h"
#include "tests/fuzz/watched.h"

enum { BATCH = 32 };

/* What NVRTC makes of one text. */
struct verdict { char why[320]; /* "" where it agrees with the scanner */ };

static struct nvrtc_api rtc;

/* ---- one compilation ---- */

/* What each compilation asks for on its own: its texts by name before it finds them in memory, and
 * the clock's zone. */
static bool is_ours(const char *path)
{
    static const char *const names[] = {"__nv_", "all.cu", "warpdrill.h", "text-",
                                        "/etc/localtime"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(path, names[i], strlen(names[i])))
            return true;
    return false;
}

/* The log of a compilation, behind a newline; malloc'd. */
static char *compile(const char *source, int n, const char *const *texts, const char *const *names)
{
    static const char *const options[] = {"--gpu-architecture=compute_90", "--std=c++17",
                                          "-default-device"};
    nvrtc_program program;
    size_t size = 0;
    if (rtc.nvrtcCreateProgram(&program, source, "all.cu", n, texts, names)) {
        printf("Bail out! NVRTC makes no program\n");
        exit(2);
    }
    rtc.nvrtcCompileProgram(program, 3, options);
    rtc.nvrtcGetProgramLogSize(program, &size);
    char *log = mem_new(size + 2, 1);
    log[0] = '\n';
    rtc.nvrtcGetProgramLog(program, log + 1);
    rtc.nvrtcDestroyProgram(&program);
    return log;
}

/* ---- what NVRTC told, held against the scanner ---- */

/* Whether the scanner has the directive "#warning canary-N" too. */
static bool scanner_has(const char *text, const char *canary)
{
    struct token_text t;
    bool found = false;
    if (token_scan(&t, text, strlen(text), NULL))
        return false;
    for (char *line = strtok(t.text, "\n"); line && !found; line = strtok(NULL, "\n"))
        found = *line == '#' && strstr(line, "warning") && strstr(line, canary);
    token_free(&t);
    return found;
}

static void blame(struct verdict *v, const char *fmt, const char *what)
{
    if (*v->why)
        return;
    snprintf(v->why, sizeof v->why, fmt, what);
}

/* Each line "text-3(7): warning #1105-D: #warning directive: canary-31" of the log. */
static void compare(struct verdict *verdicts, const char *const *texts, int n, const char *log)
{
    for (const char *at = log; (at = strstr(at, "\ntext-")); at++) {
        int i = -1;
        char canary[32];
        if (sscanf(at, "\ntext-%d(%*d): warning #%*[^:]: #warning directive: %31[a-z0-9-]", &i,
                   canary) != 2)
            continue;
        if (i >= 0 && i < n && !scanner_has(texts[i], canary))
            blame(&verdicts[i], "NVRTC reads a directive that the scanner does not: %s", canary);
    }
}

/* How many texts were read to their ends. */
static int texts_read(const char *log, int n)
{
    char mark[64];
    int done = n;
    do
        snprintf(mark, sizeof mark, "directive: read-%d\n", done);
    while (!strstr(log, mark) && --done > 0);
    return done;
}

/* The text that includes them all, each followed by a mark of its own. */
static void make_main(char *out, int n)
{
    for (int i = 0; i < n; i++)
        out += sprintf(out, "#include \"text-%d\"\n#warning read-%d\n", i, i + 1);
    strcpy(out, "#error end\n");
}

/* Up to BATCH texts in one compilation; returns how many of them were read. */
static int read_batch(struct verdict *verdicts, const char *const *texts, int n)
{
    char source[(BATCH + 1) * 64], name[BATCH][16];
    const char *headers[BATCH + 1] = {"\n"}, *names[BATCH + 1] = {"warpdrill.h"};
    for (int i = 0; i < n; i++) {
        snprintf(name[i], sizeof name[i], "text-%d", i);
        headers[i + 1] = texts[i];
        names[i + 1] = name[i];
    }
    make_main(source, n);
    watched_clear(is_ours);
    char *log = compile(source, n + 1, headers, names);
    bool opened = *watched_path();
    int done = texts_read(log, n);
    compare(verdicts, texts, n, log);
    free(log);
    if (opened && n == 1)
        blame(verdicts, "NVRTC asks for %.250s", watched_path());
    for (int i = 0; opened && n > 1 && i < n; i++) /* which of them? */
        read_batch(&verdicts[i], &texts[i], 1);
    return opened || done == n ? n : done + 1;
}

static void read_texts(struct verdict *verdicts, const char *const *texts, int n)
{
    memset(verdicts, 0, (size_t)n * sizeof *verdicts);
    for (int at = 0; at < n;)
        at += read_batch(verdicts + at, texts + at, n - at);
}

/* Loads and watches NVRTC, and proves that an #include is seen. */
static bool prepare(struct err *err)
{
    static struct verdict verdict;
    const char *const text = "#include \"warpdrill.h\"\n#include \"nowhere\"\n";
    if (api_load_nvrtc(&rtc, err))
        return false;
    read_texts(&verdict, &text, 1);
    if (!watched_begin()) {
        err_set(err, ERR_UNSUPPORTED, "this system cannot watch what a process opens (seccomp)");
        return false;
    }
    read_texts(&verdict, &text, 1);
    if (!*verdict.why)
        err_set(err, ERR_INTERNAL, "an #include is not seen");
    return *verdict.why;
}

/* ---- odd sources ---- */

/* Groups left open would take what comes behind the text with them. */
static void close_groups(char *text, const struct token_text *t)
{
    int open = 0;
    for (const char *line = t->text; *line; line = strchr(line, '\n') + 1) {
        const char *word = line + strspn(line, "# ");
        if (*line == '#')
            open += !strncmp(word, "if", 2) ? 1 : !strncmp(word, "endif", 5) && open > 0 ? -1 : 0;
    }
    for (; open > 0; open--)
        strcat(text, "\n#endif\n");
}

/* Makes sources until the scanner takes one; returns how many it took. */
static long make_text(char text[ODD_SOURCE_MOST * 2], uint64_t *seed, int first)
{
    struct token_text t;
    long made = 1;
    while (token_scan(&t, text, odd_source(text, seed, first), NULL))
        made++;
    close_groups(text, &t);
    token_free(&t);
    return made;
}

static int search(long tries, uint64_t seed)
{
    static char text[BATCH][ODD_SOURCE_MOST * 2]; /* with room for what closes its groups */
    static struct verdict verdicts[BATCH];
    const char *texts[BATCH];
    long made = 0, taken = 0, wrong = 0;
    time_t began = time(NULL);
    for (; taken < tries; taken += BATCH) {
        for (int i = 0; i < BATCH; i++) {
            made += make_text(text[i], &seed, i * ODD_CANARIES);
            texts[i] = text[i];
        }
        read_texts(verdicts, texts, BATCH);
        for (int i = 0; i < BATCH; i++) {
            if (!*verdicts[i].why)
                continue;
            wrong++;
            printf("--- %s\n%s\n---\n", verdicts[i].why, texts[i]);
        }
    }
    printf("against_nvrtc: %ld sources; the scanner took %ld; NVRTC read %ld of these otherwise "
           "(%ld s)\n", made, taken, wrong, (long)(time(NULL) - began));
    return wrong != 0;
}

/* ---- the corpus ---- */

/* Cases of a file: "=== refuse: what it is" or "=== accept: ...", then the source up to the next
 * such line. */
static char *read_file(const char *path)
{
    enum { MOST = 1 << 20 };
    FILE *f = fopen(path, "r");
    char *all = mem_new(MOST + 2, 1);
    size_t n = f ? fread(all + 1, 1, MOST, f) : 0;
    if (f)
        fclose(f);
    all[0] = '\n';
    if (n == 0 || n == MOST) {
        printf("Bail out! %s cannot be read, or is too large\n", path);
        exit(2);
    }
    return all;
}

static bool judge(const char *text, bool accept, bool with_nvrtc)
{
    struct token_text t;
    struct err err = {0};
    struct verdict verdict;
    bool refused = token_scan(&t, text, strlen(text), &err) != 0;
    token_free(&t);
    if (refused == accept)
        printf("# %s\n", refused ? err.text : "the scanner takes it");
    if (refused || !with_nvrtc)
        return refused != accept;
    read_texts(&verdict, &text, 1);
    if (*verdict.why)
        printf("# %s\n", verdict.why);
    return accept && !*verdict.why;
}

static int replay(char *all, bool with_nvrtc)
{
    static const char head[] = "\n=== ";
    int n = 0, failed = 0;
    for (char *at = strstr(all, head), *next; at; at = next) {
        char *name = at + strlen(head), *text = name + strcspn(name, "\n");
        *text++ = '\0';
        next = strstr(text, head);
        if (next)
            next[1] = '\0'; /* the newline before it ends the text */
        bool ok = judge(text, !strncmp(name, "accept: ", 8), with_nvrtc);
        failed += !ok;
        printf("%s %d - %s\n", ok ? "ok" : "not ok", ++n, name);
    }
    printf("1..%d\n", n);
    free(all);
    return failed != 0;
}

int main(int argc, char **argv)
{
    struct err err = {0};
    setlinebuf(stdout);
    if (argc == 3 && !strcmp(argv[1], "scan"))
        return replay(read_file(argv[2]), false);
    bool is_cases = argc == 3 && !strcmp(argv[1], "cases");
    bool is_search = argc == 4 && !strcmp(argv[1], "search");
    if (!is_cases && !is_search) {
        fprintf(stderr, "usage: against_nvrtc cases FILE | scan FILE | search TRIES SEED\n");
        return 2;
    }
    char *cases = is_cases ? read_file(argv[2]) : NULL; /* later no file can be opened */
    bool ready = prepare(&err);
    if (!ready)
        printf("# NVRTC's reading is skipped: %s\n", err.text);
    if (is_cases)
        return replay(cases, ready);
    return ready ? search(atol(argv[2]), strtoull(argv[3], NULL, 0) | 1) : 0;
}
