/* What the supervisor reads of its own making: messages of its children, and entries of the compile
 * cache. Any bytes are told apart into whole messages and nonsense; no entry passes without its
 * checksum. */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include "kernels/runner/cache.h"
#include "kernels/runner/ipc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_messages(const uint8_t *data, size_t size)
{
    int fd[2];
    int rc = socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fd);
    assert(rc == 0);
    struct ipc *from = ipc_new(fd[0]), *to = ipc_new(fd[1]);
    struct ipc_message m;
    ssize_t n = send(fd[0], data, size, MSG_NOSIGNAL); /* more than a socket holds is cut */
    assert(n >= 0 || size == 0);
    while ((rc = ipc_try(to, &m, NULL)) == 1) {
        assert(json_is_object(m.head) && m.n_blobs <= IPC_BLOBS);
        for (int i = 0; i < m.n_blobs; i++)
            assert(m.blobs[i][m.lens[i]] == '\0');
        ipc_message_free(&m);
    }
    assert(rc == 0 || rc == ERR_BAD_REQUEST);
    ipc_free(from);
    ipc_free(to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char key[] = "00";
    struct cache_entry e;
    read_messages(data, size);
    if (cache_unpack(&e, key, (const char *)data, size)) {
        assert(memmem(data, size, "sha256", 6));
        assert(e.image_len > 0 && e.image[e.image_len] == '\0' && e.ptx[e.ptx_len] == '\0');
        cache_entry_free(&e);
    }
    return 0;
}
