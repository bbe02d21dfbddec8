/* A compiler whose image is the source text itself. A text with "fake: refuse" does not compile, one
 * with "fake: endless-compilation" never ends; "fake: read PATH" is a compiler that was talked into opening a
 * file, whose log says how that went. The plan's `newest_arch` is the newest architecture that it knows. */
#include "kernels/runner/api.h"

#include "tests/fakes/fake.h"

#define DECLARE(name, result, parameters, needed) result name parameters;
NVRTC_CALLS(DECLARE)

struct _nvrtcProgram { char *text; const char *log; };

nvrtc_result nvrtcVersion(int *major, int *minor) { FAKE_CALL(); *major = 13; *minor = 0; return 0; }
nvrtc_result nvrtcGetNumSupportedArchs(int *n) { FAKE_CALL(); *n = 3; return 0; }
nvrtc_result nvrtcGetSupportedArchs(int *archs) { FAKE_CALL(); archs[0] = 75; archs[1] = 80; archs[2] = (int)fake_number("newest_arch", 90); return 0; }

nvrtc_result nvrtcCreateProgram(nvrtc_program *out, const char *src, const char *name, int n, const char *const *headers,
                                const char *const *names)
{
    (void)name, (void)n, (void)headers, (void)names;
    FAKE_CALL();
    *out = calloc(1, sizeof **out);
    (*out)->text = strdup(src);
    (*out)->log = "";
    return 0;
}

static nvrtc_result try_to_read(nvrtc_program p, const char *path)
{
    static char log[128];
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(path, " \n"), path);
    FILE *f = fopen(name, "re");
    snprintf(log, sizeof log, "%s %s", name, f ? "was opened" : "was denied");
    if (f)
        fclose(f);
    p->log = log;
    return 6;
}

nvrtc_result nvrtcCompileProgram(nvrtc_program p, int n, const char *const *options)
{
    (void)n, (void)options;
    FAKE_CALL();
    while (strstr(p->text, "fake: endless-compilation"))
        pause();
    const char *read = strstr(p->text, "fake: read ");
    if (read)
        return try_to_read(p, read + strlen("fake: read "));
    if (!strstr(p->text, "fake: refuse"))
        return 0;
    p->log = "suspect.cu(1): error: refused by the fake";
    return 6;
}

nvrtc_result nvrtcDestroyProgram(nvrtc_program *p) { free((*p)->text); free(*p); *p = NULL; FAKE_CALL(); return 0; }
nvrtc_result nvrtcGetPTXSize(nvrtc_program p, size_t *bytes) { FAKE_CALL(); *bytes = strlen(p->text) + 1; return 0; }
nvrtc_result nvrtcGetPTX(nvrtc_program p, char *out) { FAKE_CALL(); memcpy(out, p->text, strlen(p->text) + 1); return 0; }
nvrtc_result nvrtcGetCUBINSize(nvrtc_program p, size_t *bytes) { FAKE_CALL(); *bytes = strlen(p->text) + 1; return 0; }
nvrtc_result nvrtcGetCUBIN(nvrtc_program p, char *out) { FAKE_CALL(); memcpy(out, p->text, strlen(p->text) + 1); return 0; }
nvrtc_result nvrtcGetProgramLogSize(nvrtc_program p, size_t *bytes) { FAKE_CALL(); *bytes = strlen(p->log) + 1; return 0; }
nvrtc_result nvrtcGetProgramLog(nvrtc_program p, char *out) { FAKE_CALL(); memcpy(out, p->log, strlen(p->log) + 1); return 0; }
const char *nvrtcGetErrorString(nvrtc_result e) { return e == 6 ? "NVRTC_ERROR_COMPILATION" : "NVRTC_ERROR_OF_THE_FAKE"; }
