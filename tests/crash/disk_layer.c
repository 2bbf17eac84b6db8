/* A layer between SQLite and the file system, for tests: it is loaded before libc (LD_PRELOAD), writes down what
 * is done to the files of one folder, kills the process before the Nth such thing, or has it fail.
 *
 * Record: kind (1 byte), length of the name (2), offset (8), length of the data (8), name, data; little-endian.
 * Kinds: C created, W written (data at offset), T truncated (to offset), S synced, U unlinked, R renamed (data:
 * the new name), D folder synced, N a note of the test's own. A record is appended in one write, in the order in
 * which things were done; a sync is noted once it has ended.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST 1024
static char folder[4096];
static int log_fd = -1;
static long kill_at = 0, done = 0;
static char fault = 0;
static char *names[MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

/* Functions that the tests call by ctypes. */
void disk_layer_watch(const char *path) { snprintf(folder, sizeof folder, "%s", path); }
void disk_layer_log(const char *path) { log_fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600); }
void disk_layer_kill_at(long number) { kill_at = number; done = 0; }
long disk_layer_done(void) { return done; }
/* 'F' full, 'R' read-only, 'I' no sync succeeds, 'S' a sync takes 0.3 seconds, 0 nothing. */
void disk_layer_fault(char kind) { fault = kind; }

static void note(char kind, const char *name, uint64_t offset, const void *data, uint64_t length) {
    if (log_fd < 0) return;
    uint8_t head[19];
    uint16_t name_length = strlen(name);
    head[0] = kind;
    memcpy(head + 1, &name_length, 2);
    memcpy(head + 3, &offset, 8);
    memcpy(head + 11, &length, 8);
    struct iovec parts[3] = {{head, 19}, {(void *)name, name_length}, {(void *)data, length}};
    if (syscall(SYS_writev, log_fd, parts, 3) < 0) _exit(97);
}
void disk_layer_note(const char *text) {
    pthread_mutex_lock(&lock);
    note('N', "", 0, text, strlen(text));
    pthread_mutex_unlock(&lock);
}

/* The name of a path within the folder ("" for the folder itself), or NULL. */
static const char *within(const char *path) {
    size_t length = strlen(folder);
    if (!length || !path || strncmp(path, folder, length)) return NULL;
    if (!path[length]) return "";
    return path[length] == '/' ? path + length + 1 : NULL;
}
static const char *name_of(int fd) { return fd >= 0 && fd < MOST ? names[fd] : NULL; }
/* The shared memory is not a lasting file: SQLite makes it again from the log. */
static int counts(const char *name) {
    size_t length = name ? strlen(name) : 0;
    return name && !(length > 4 && !strcmp(name + length - 4, "-shm"));
}
static void begin(void) {
    pthread_mutex_lock(&lock);
    if (++done == kill_at) kill(getpid(), SIGKILL);
}
static void end(void) { pthread_mutex_unlock(&lock); }

static int opened(const char *path, int flags, int was_there, int fd) {
    const char *name = within(path);
    if (fd >= 0 && fd < MOST && name) {
        free(names[fd]);
        names[fd] = strdup(name);
        if ((flags & O_CREAT) && !was_there && counts(name)) {
            begin();
            note('C', name, 0, "", 0);
            end();
        }
    }
    return fd;
}
static int refused(const char *path, int flags) {
    const char *name = within(path);
    return counts(name) && (fault == 'R') && (flags & (O_WRONLY | O_RDWR));
}
static int open_it(const char *symbol, int at, const char *path, int flags, mode_t mode) {
    REAL(int, "openat", int, const char *, int, ...);
    (void)symbol;
    if (refused(path, flags)) { errno = EROFS; return -1; }
    int was_there = access(path, F_OK) == 0;
    return opened(path, flags, was_there, real(at, path, flags, mode));
}
#define MODE mode_t mode = 0; if (flags & O_CREAT) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); }
int open(const char *path, int flags, ...) { MODE return open_it("open", AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return open_it("open64", AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int at, const char *path, int flags, ...) { MODE return open_it("openat", at, path, flags, mode); }
int close(int fd) {
    REAL(int, "close", int);
    if (fd >= 0 && fd < MOST && names[fd]) { free(names[fd]); names[fd] = NULL; }
    return real(fd);
}
static ssize_t written(int fd, const void *data, size_t length, off_t offset) {
    REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
    const char *name = name_of(fd);
    if (name && fault == 'F') { errno = ENOSPC; return -1; }
    if (!counts(name)) return real(fd, data, length, offset);
    if (fault == 'R') { errno = EROFS; return -1; }
    begin();
    ssize_t wrote = real(fd, data, length, offset);
    if (wrote > 0) note('W', name, offset, data, wrote);
    end();
    return wrote;
}
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return written(fd, data, length, offset); }
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { return written(fd, data, length, offset); }
ssize_t write(int fd, const void *data, size_t length) {
    REAL(ssize_t, "write", int, const void *, size_t);
    if (!counts(name_of(fd))) return real(fd, data, length);
    off_t at = lseek(fd, 0, SEEK_CUR);
    ssize_t wrote = written(fd, data, length, at);
    if (wrote > 0) lseek(fd, at + wrote, SEEK_SET);
    return wrote;
}
static int truncated(int fd, off_t length) {
    REAL(int, "ftruncate", int, off_t);
    const char *name = name_of(fd);
    if (!counts(name)) return real(fd, length);
    if (fault == 'R') { errno = EROFS; return -1; }
    begin();
    int failed = real(fd, length);
    if (!failed) note('T', name, length, "", 0);
    end();
    return failed;
}
int ftruncate(int fd, off_t length) { return truncated(fd, length); }
int ftruncate64(int fd, off64_t length) { return truncated(fd, length); }
static int synced(int fd) {
    const char *name = name_of(fd);
    if (!name || (*name && !counts(name))) return syscall(SYS_fsync, fd);
    if (fault == 'I') { errno = EIO; return -1; }
    if (fault == 'S') usleep(300000);
    begin();
    int failed = syscall(SYS_fsync, fd);
    if (!failed) note(*name ? 'S' : 'D', name, 0, "", 0);
    end();
    return failed;
}
int fsync(int fd) { return synced(fd); }
int fdatasync(int fd) { return synced(fd); }
int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    const char *name = within(path);
    if (!counts(name)) return real(path);
    begin();
    int failed = real(path);
    if (!failed) note('U', name, 0, "", 0);
    end();
    return failed;
}
int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    const char *name = within(from), *next = within(to);
    if (!counts(name) || !next) return real(from, to);
    begin();
    int failed = real(from, to);
    if (!failed) note('R', name, 0, next, strlen(next));
    end();
    return failed;
}
