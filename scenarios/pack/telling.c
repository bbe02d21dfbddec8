/* The tables. A new hypothesis needs a row here; a test compares with the taxonomy. */
#include "scenarios/pack/telling.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* ---- hypotheses ---- */

/* name: names the mechanism, wherever it stands, beside the hypothesis's label and the end of its
 * id. code: does so in code and ids, while in a sentence it is everyday talk. hint: goes well with
 * it, and with other things. */
static const struct { const char *id, *name, *code, *hint;
} rows[] = {
    {"mem.uncoalesced",
     "*coalesc*|strided access*|strided load*|strided store*|scattered access*|scattered "
     "load*|scattered store*|scattered write*",
     "strided", "scattered|stride|columnwise"},
    {"mem.width-alignment",
     "misalign*|unaligned|narrow load*|narrow store*|narrow access*|unvectori*|not vectori*",
     "narrow|scalar load*|scalar store*|bytewise", "align*|unpacked"},
    {"mem.excess-traffic",
     "excess traffic|extra traffic|redundant load*|redundant read*|needless load*|wasted "
     "bandwidth|too much traffic",
     "reread*|reload*|read twice|reads twice", "redundant*|twice|traffic"},
    {"mem.cache-locality", "*thrash*|cache miss*|cache unfriendly|poor locality|bad locality",
     "locality|evict*", "raster*|swizzl*"},
    {"mem.local-spill", "*spill*|local memory", "local array*|dynamic index*|dynamically indexed",
     "local"},
    {"smem.bank-conflict", "bank conflict*|unpadded",
     "bank*|conflict*|no pad*|missing pad*|without pad*", "pad|padded|padding|swizzl*"},
    {"occ.smem-limited", "smem limit*|shared memory limit*|too much shared|too much smem",
     "oversized|hog", "big*|huge"},
    {"lat.low-mlp",
     "too few loads|few in flight|memory level parallelism|latency bound|one load at a time",
     "mlp|ilp|no unroll*|not unrolled", "unroll*|inflight"},
    {"lat.pipeline-broken",
     "no overlap|without overlap|not overlap*|broken pipeline*|unpipelined|serialised "
     "copies|serialized copies|drain* the pipeline|pipeline drain*|waits for all|wait for "
     "everything",
     "serialised|serialized|wait all|drain*", "overlap*|serial*"},
    {"lat.oversync",
     "*oversync*|needless barrier*|needless sync*|extra barrier*|extra sync*|redundant "
     "barrier*|redundant sync*|unnecessary barrier*|unnecessary sync*|superfluous "
     "barrier*|superfluous sync*|too many barriers",
     "needless*|unneeded|unnecessary|superfluous", "barrier*|sync*"},
    {"occ.register-limited", "register limit*|register pressure|too many registers|register bound",
     "", "register*|regs"},
    {"occ.block-shape",
     "tiny block*|small block*|block too small|block too large|blocks too small|blocks too "
     "large|bad block",
     "", "tiny"},
    {"occ.grid-underfill",
     "*underfill*|underfilled|too few blocks|small grid|idle sm*|idle multiprocessor*",
     "underused|underutili*", "tiny|idle"},
    {"occ.tail-imbalance", "tail effect*|*imbalance*|unbalanced|uneven*|partial wave*|load balanc*",
     "straggl*", "skew*|tail"},
    {"inst.divergence", "*diverg*", "branchy", "branch*"},
    {"inst.wrong-pipe",
     "promoted to double|promotion to double|fp 64 promotion|no tensor core*|slow pipe",
     "fp 64|promot*", "tensor*|emulat*"},
    {"inst.index-math", "index math|integer division*|integer modulo|index computation*",
     "divmod|fastdiv*", "modulo|mod"},
    {"inst.special-function", "special function*|slow math*|transcendental*", "sfu",
     "precise|accurate"},
    {"inst.atomic-contention", "*contention|contend*|contested|hot address*|hot bin*", "hot",
     "atomic*"},
    {"build.codegen", "code generation|debug build|debug flag*|missing bounds", "debug|o 0",
     "noinline"},
    {"host.launch-bound",
     "launch overhead|launch latenc*|too many launches|many tiny kernels|launch limited",
     "overhead", "tiny"},
    {"host.blocking-call", "blocking call*|blocking sync*|synchronous cop*", "blocking", "malloc*"},
    {"host.pageable-copy", "pageable*|unpinned|not pinned|not page locked", "", "pinned|pinning"},
    {"pipe.extra-pass",
     "extra pass*|needless pass*|redundant pass*|unfused|not fused|unnecessary pass*|needless cop*",
     "redundant*|needless*|unnecessary", "extra|fuse*|temp*"},
    {"pipe.ordering", "wrong order|misorder*|missing dependenc*|missing event*|wrong stream",
     "unordered", "order*"},
    {"serve.admission-limit", "admit*|admission*|max num seq*|batching limit*|batch limit*", "",
     "waiting|running|queue*|concurren*|batch*"},
    {"serve.prefill-stall", "unchunked|not chunked|stall*", "", "chunk*|prefill*|long prompt*"},
    {"serve.prefix-recomputed", "recompute*|prefix miss*", "", "prefix*|hit rate|cache hit*"},
    {"serve.kv-preemption", "preempt*|out of kv*", "", "kv|evict*"},
    {"corr.race",
     "race|races|racy|race condition*|missing barrier*|missing sync*|no barrier*|no sync*|without "
     "barrier*|without sync*|unsynchroni*|nosync|hazard*|raw hazard*",
     "", "barrier*|sync*"},
    {"corr.uninit-stale",
     "*uninit*|stale|never written|never initiali*|not initiali*|missing init*|without init*|unset "
     "memory",
     "garbage|leftover*|recycl*", "init*|old|zeroed|reuse*"},
    {"corr.bounds-layout",
     "out of bounds|bounds check*|missing bound*|off by one|overrun*|missing guard*|no "
     "guard*|without guard*",
     "unguarded|unchecked|oob", "bounds|tail*|guard*"},
    {"corr.numerics",
     "*overflow*|underflow*|precision loss|loss of precision|low precision|numerically "
     "unstable|instabilit*|cancellation|catastrophic*",
     "unstable", "precis*|naninf|saturat*"},
    {"corr.work-skipped",
     "work skipped|skipped work|skips work|skips the work|noop|no op|cached result*|partial "
     "result*",
     "skip*", "cached|memo*|early"},
    {"hang.deadlock", "*deadlock*|livelock*|never arriv*|hangs", "hang", "spin*"},
    {"bench.invalid-timing", "wrong span|mistimed|invalid timing|timing error", "", "timed|timer"},
    {"bench.unrepresentative", "misleading|unrepresentative|unfair", "", "warm*"},
    {"bench.cache-state", "cached data|warm cache|warm l 2|left in cache", "", "warm*|flush*"},
    {"bench.unlike-inputs", "unlike inputs|unreal inputs", "", "zeros|sorted"},
    {"bench.low-clocks", "clocks not up|cold clocks", "", "idle*|boost"},
    {"bench.hidden-spread", "hidden spread|hides the spread|bimodal*", "", "mean|median|outlier*"},
    {"bench.unit-slip", "wrong unit*|unit slip|wrong count", "", "gib|unit*"},
    {"sys.straggler-skew", "straggl*|slow rank", "skew*", "rank*"},
    {"sys.thermal-power", "throttl*|thermal*|power cap*|overheat*", "", "power|heat"},
    {"sys.link-topology", "topology|numa|pcie|slow link", "", "link*"},
    {"sys.shared-path", "oversubscri*|shared uplink*|congest*", "", "shared"},
    {"sys.fallback-path", "fallback*|falls back|fell back|fallen back|detour*", "",
     "socket*|staged|staging"},
    {"sys.shared-device", "noisy neighbo*|co-tenant*|two tenants|time slic*", "",
     "neighbo*|tenant*|mps"},
    {"sys.short-share",
     "smaller slice*|smaller share*|too small a slice|underprovision*|wrong profile|mig profile*",
     "", "slice*|quota*|mig"},
    {"sys.fault-stack", "faulty|xid|ecc error*|defective", "", "driver*"},
    {"none.at-limit",
     "at the limit|at limit|at its limit|hardware limit*|machine limit*|limit of the machine|limit "
     "of the hardware|at the roof*|nothing wrong|nothing is wrong|no defect*|innocent|as fast as "
     "it gets|speed of light",
     "healthy|optimal|clean|perfect|ideal", "best|peak|limit"},
};

/* Words with single blanks between them. */
static size_t put_words(char *out, size_t at, size_t size, const char *s)
{
    bool gap = false;
    for (size_t first = at; *s && at + 2 < size; s++) {
        bool is_letter = isalnum((unsigned char)*s);
        if (is_letter && gap && at > first)
            out[at++] = ' ';
        if (is_letter)
            out[at++] = (char)tolower((unsigned char)*s);
        gap = !is_letter;
    }
    return at;
}

/* "bank conflict|bank conflicts": the end of its id, and its label. */
static const char *label_of(char *out, size_t size, const struct hypothesis *h)
{
    size_t at = put_words(out, 0, size, strchr(h->id, '.') + 1);
    out[at++] = '|';
    out[put_words(out, at, size, h->label)] = '\0';
    return out;
}

struct teller {
    bool verdict;
    char label_text[96];
    struct patterns label, name, code, hint; /* of a verdict: -, always, names, soft */
};

static void cut_hypothesis(struct teller *t, const struct hypothesis *h)
{
    size_t r = 0;
    while (r < sizeof rows / sizeof *rows && strcmp(rows[r].id, h->id))
        r++;
    bool known = r < sizeof rows / sizeof *rows;
    t->verdict = false;
    patterns_cut(&t->label, label_of(t->label_text, sizeof t->label_text, h));
    patterns_cut(&t->name, known ? rows[r].name : "");
    patterns_cut(&t->code, known ? rows[r].code : "");
    patterns_cut(&t->hint, known ? rows[r].hint : "");
}

static enum telling hear_hypothesis(const struct teller *t, const struct words *w,
                                    enum spoken where, int *first, int *n)
{
    if ((*first = patterns_find(&t->label, w, n)) >= 0 ||
        (*first = patterns_find(&t->name, w, n)) >= 0)
        return TELLS_NAME;
    if (where == SPOKEN_PROSE)
        return TELLS_NOTHING;
    if ((*first = patterns_find(&t->code, w, n)) >= 0)
        return TELLS_NAME;
    return (*first = patterns_find(&t->hint, w, n)) >= 0 ? TELLS_HINT : TELLS_NOTHING;
}

/* ---- verdicts ---- */

static void cut_verdict(struct teller *t)
{
    static const char always[] =
        "bug|bugs|buggy|bugged|bugfix|naive|naively|deliberate*|intentional*|on "
        "purpose|hack|hacky|oops|todo|fixme|xxx|regress*|culprit*|sabotag*|mutant*|inject*|pessimi*"
        "|unoptimi*|suboptimal|inefficient*";
    static const char names[] =
        "slow|slower|slowest|broken|wrong|bad|worse|worst|faulty|incorrect|cheat*|answer|solution|"
        "baseline|workaround|fix|fixes|mistake*|antipattern|poor|poorly|defect*|leak*|trap|trick*";
    static const char soft[] = "fast|faster|fastest|good|better|best|correct|optimi*|opt|improved|"
                               "original|orig|before|after|ok|v 1|v 2|v 3|new|old|perfect*";
    t->verdict = true;
    patterns_cut(&t->name, always);
    patterns_cut(&t->code, names);
    patterns_cut(&t->hint, soft);
}

static enum telling hear_verdict(const struct teller *t, const struct words *w, enum spoken where,
                                 int *first, int *n)
{
    if ((*first = patterns_find(&t->name, w, n)) >= 0)
        return where == SPOKEN_PROSE ? TELLS_HINT : TELLS_NAME;
    if (where == SPOKEN_PROSE)
        return TELLS_NOTHING;
    if ((*first = patterns_find(&t->code, w, n)) >= 0)
        return TELLS_NAME;
    bool soft = where == SPOKEN_NAME && (*first = patterns_find(&t->hint, w, n)) >= 0;
    return soft ? TELLS_HINT : TELLS_NOTHING;
}

/* ---- one subject and many texts ---- */

struct teller *teller_new(const struct hypothesis *h)
{
    struct teller *t = mem_new(1, sizeof *t);
    if (h)
        cut_hypothesis(t, h);
    else
        cut_verdict(t);
    return t;
}

void teller_free(struct teller *t)
{
    free(t);
}

enum telling teller_hear(const struct teller *t, const struct words *w, enum spoken where,
                         int *first, int *n)
{
    return t->verdict ? hear_verdict(t, w, where, first, n)
                      : hear_hypothesis(t, w, where, first, n);
}

enum telling telling_hypothesis(const struct hypothesis *h, const struct words *w,
                                enum spoken where, int *first, int *n)
{
    struct teller t;
    cut_hypothesis(&t, h);
    return hear_hypothesis(&t, w, where, first, n);
}

enum telling telling_verdict(const struct words *w, enum spoken where, int *first, int *n)
{
    struct teller t;
    cut_verdict(&t);
    return hear_verdict(&t, w, where, first, n);
}
