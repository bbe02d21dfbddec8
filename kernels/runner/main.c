/* warpdrill-runner: one program in four roles. Without arguments it is the supervisor, which
 * starts itself again as compiler and worker before anything has loaded CUDA. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/runner/compiler.h"
#include "kernels/runner/sanitized.h"
#include "kernels/runner/supervisor.h"
#include "kernels/runner/worker.h"
#include "kernels/wire/message.h"
#include "kernels/wire/os.h"

static int supervise(void)
{
    if (isatty(STDIN_FILENO))
        fputs("warpdrill-runner speaks kernels/PROTOCOL.md on stdin and stdout; `warpdrill` starts "
              "it.\n",
              stderr);
    char *program = os_program_path();
    if (!program) {
        fputs("warpdrill-runner: cannot find its own file, so it cannot start its children\n",
              stderr);
        return EXIT_FAILURE;
    }
    int status = supervisor_run(program, STDIN_FILENO, STDOUT_FILENO);
    free(program);
    return status;
}

/* Of "--worker" or "--worker=2", of how many GPUs; 0: another role. */
static int ranks_of(const char *argument, const char *role)
{
    size_t n = strlen(role);
    if (strncmp(argument, role, n) != 0)
        return 0;
    return argument[n] == '=' ? atoi(argument + n + 1) : argument[n] == '\0';
}

int main(int argc, char **argv)
{
    if (argc == 1)
        return supervise();
    if (argc == 3 && !strcmp(argv[1], "--compiler"))
        return compiler_main(atoi(argv[2]));
    if (argc == 3 && ranks_of(argv[1], WORKER))
        return worker_main(atoi(argv[2]), true, ranks_of(argv[1], WORKER));
    if (argc == 3 && ranks_of(argv[1], WORKER_WITH_FILES))
        return worker_main(atoi(argv[2]), false, ranks_of(argv[1], WORKER_WITH_FILES));
    if (argc == 3 && !strcmp(argv[1], "--sanitized"))
        return sanitized_main(argv[2]);
    if (argc == 2 && !strcmp(argv[1], "--version")) {
        printf("warpdrill-runner %s, protocol %d, method %d\n", WARPDRILL_VERSION, PROTOCOL_VERSION,
               METHOD_VERSION);
        return EXIT_SUCCESS;
    }
    fputs("usage: warpdrill-runner [--version]\n", stderr);
    return 2;
}
