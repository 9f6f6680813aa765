/* What an AppImage begins with: it gives the program behind it a folder to run in, and runs it.

The packed folder (squashfs) follows the last byte of this ELF file, as AppImages of type 2 have it.
It is mounted by FUSE where the computer lets its user do so, and unpacked into a temporary folder
where not. The process that was started becomes the program. Another keeps watch: when the program
has ended, however that was, it unmounts or removes the folder.

--appimage-offset            where the packed folder begins, in bytes
--appimage-extract           unpack it into ./squashfs-root, and end
--appimage-extract-and-run   unpack it and run, whether it could be mounted or not

The libraries are squashfuse (BSD), libfuse (LGPL-2.1), zstd and zlib; all is linked into the file. */

#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <squashfuse/ll.h>
#include <squashfuse/squashfuse.h>

/* Compressions that squashfuse knows and no AppImage of Tandem has: they need no library then. */
int lzo1x_decompress_safe(void) { return -1; }
int LZ4_decompress_safe(void) { return -1; }
int lzma_stream_buffer_decode(void) { return 11; }

static char self[PATH_MAX];
static off_t offset;
static char folder[PATH_MAX];

static void end_with(const char *what, const char *which) {
    fprintf(stderr, "tandem: %s %s: %s\n", what, which, strerror(errno));
    exit(126);
}

static off_t end_of_elf(void) {
    Elf64_Ehdr head;
    int file = open(self, O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, &head, sizeof head) != sizeof head) end_with("cannot read", self);
    close(file);
    return (off_t)(head.e_shoff + (Elf64_Off)head.e_shentsize * head.e_shnum);
}

/* ---------------------------------------------------------------- unpacked */

static bool unpack_file(sqfs *fs, sqfs_inode *inode, const char *path) {
    static char block[1 << 20];
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, inode->base.mode & 0777);
    if (file < 0) return false;
    for (sqfs_off_t at = 0; at < (sqfs_off_t)inode->xtra.reg.file_size;) {
        sqfs_off_t size = sizeof block;
        if (sqfs_read_range(fs, inode, at, &size, block) != SQFS_OK || size <= 0) {
            errno = EIO;
            return close(file), false;
        }
        for (sqfs_off_t done = 0; done < size;) {
            ssize_t now = write(file, block + done, (size_t)(size - done));
            if (now < 0) return close(file), false;
            done += now;
        }
        at += size;
    }
    return close(file) == 0;
}

static bool unpack_link(sqfs *fs, sqfs_inode *inode, const char *path) {
    char target[PATH_MAX];
    size_t size = sizeof target;
    return sqfs_readlink(fs, inode, target, &size) == SQFS_OK && symlink(target, path) == 0;
}

/* Unpack all into `into`, which is there. */
static bool unpack(const char *into) {
    sqfs fs;
    sqfs_fd_t file;
    sqfs_err error = SQFS_OK;
    sqfs_traverse all;
    if (sqfs_fd_open(self, &file, false) != SQFS_OK || sqfs_init(&fs, file, (size_t)offset) != SQFS_OK ||
        sqfs_traverse_open(&all, &fs, sqfs_inode_root(&fs)) != SQFS_OK) {
        errno = EIO;
        return false;
    }
    bool is_well = true;
    while (is_well && sqfs_traverse_next(&all, &error)) {
        if (all.dir_end) continue;
        char path[PATH_MAX];
        sqfs_inode inode;
        errno = EIO;
        is_well = snprintf(path, sizeof path, "%s/%s", into, all.path) < (int)sizeof path &&
                  sqfs_inode_get(&fs, &inode, sqfs_dentry_inode(&all.entry)) == SQFS_OK;
        if (!is_well) break;
        switch (sqfs_dentry_type(&all.entry)) {
            case SQUASHFS_DIR_TYPE: is_well = mkdir(path, 0700) == 0; break;
            case SQUASHFS_REG_TYPE: is_well = unpack_file(&fs, &inode, path); break;
            case SQUASHFS_SYMLINK_TYPE: is_well = unpack_link(&fs, &inode, path); break;
        }
    }
    if (is_well && error != SQFS_OK) errno = EIO;
    is_well = is_well && error == SQFS_OK;
    int why = errno;
    sqfs_traverse_close(&all);
    sqfs_destroy(&fs);
    sqfs_fd_close(file);
    errno = why;
    return is_well;
}

static int remove_one(const char *path, const struct stat *state, int kind, struct FTW *where) {
    (void)state, (void)kind, (void)where;
    return remove(path);
}

static void remove_folder(void) {
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Make `folder`: a new one of this user alone, where programs may be run. */
static bool make_folder(void) {
    const char *home = getenv("HOME"), *places[] = {getenv("TMPDIR"), "/tmp", "/var/tmp", home};
    for (size_t at = 0; at < sizeof places / sizeof *places; at++) {
        struct statvfs state;
        if (!places[at] || !*places[at] || statvfs(places[at], &state) || state.f_flag & ST_NOEXEC)
            continue;
        if (snprintf(folder, sizeof folder, "%s/.tandem-XXXXXX", places[at]) < (int)sizeof folder &&
            mkdtemp(folder))
            return true;
    }
    return false;
}

/* ---------------------------------------------------------------- mounted */

/* Whether what was mounted can be unmounted again; fusermount3 looks into /etc/mtab. */
static bool can_unmount(void) {
    return geteuid() == 0 || access("/etc/mtab", R_OK) == 0;
}

static void *unmount_at_the_end(void *alive) {
    char none;
    while (read(*(int *)alive, &none, 1) < 0 && errno == EINTR) {}
    if (umount2(folder, MNT_DETACH)) { /* whoever is not root has it done by fusermount3 */
        pid_t other = fork();
        if (!other) {
            execlp("fusermount3", "fusermount3", "-u", "-z", "-q", folder, (char *)NULL);
            _exit(127);
        }
        int status = -1;
        waitpid(other, &status, 0);
        if (status) _exit(125); /* else this would wait for ever */
    }
    return NULL; /* who still reads is served until the last file is closed */
}

static const struct fuse_lowlevel_ops OPERATIONS = {
    .getattr = sqfs_ll_op_getattr,
    .opendir = sqfs_ll_op_opendir,
    .releasedir = sqfs_ll_op_releasedir,
    .readdir = sqfs_ll_op_readdir,
    .lookup = sqfs_ll_op_lookup,
    .open = sqfs_ll_op_open,
    .release = sqfs_ll_op_release,
    .read = sqfs_ll_op_read,
    .readlink = sqfs_ll_op_readlink,
    .forget = sqfs_ll_op_forget,
    .statfs = stfs_ll_op_statfs,
};

/* Serve `folder` until the other end of `alive` is closed and nobody reads; false if it cannot be. */
static bool serve(int alive, int ready) {
    char *words[] = {"tandem", "-o", "ro,nodev,nosuid,fsname=tandem", NULL};
    struct fuse_args arguments = FUSE_ARGS_INIT(3, words);
    struct fuse_lowlevel_ops operations = OPERATIONS;
    sqfs_ll_chan channel;
    sqfs_ll *fs = sqfs_ll_open(self, (size_t)offset);
    if (!fs || sqfs_ll_mount(&channel, folder, &arguments, &operations, sizeof operations, fs) != SQFS_OK)
        return false;
    pthread_t watch;
    if (pthread_create(&watch, NULL, unmount_at_the_end, &alive)) return false;
    if (write(ready, "+", 1) != 1) return false;
    close(ready);
    fuse_session_loop(channel.session);
    pthread_join(watch, NULL);
    return true;
}

/* ---------------------------------------------------------------- started */

/* Keep `folder` as long as the other end of `alive` is open; tell `ready` once it can be used. */
static void keep(int alive, int ready, bool is_mounted) {
    setsid(); /* a Ctrl+C in the terminal is for the program */
    signal(SIGHUP, SIG_IGN);
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC), errors = dup(2);
    if (nowhere < 0 || errors < 0) _exit(126);
    dup2(nowhere, 0), dup2(nowhere, 1), dup2(nowhere, 2);
    if (is_mounted) {
        bool is_well = serve(alive, ready);
        rmdir(folder);
        _exit(is_well ? 0 : 125);
    }
    if (!unpack(folder)) {
        dup2(errors, 2);
        fprintf(stderr, "tandem: cannot unpack into %s: %s\n", folder, strerror(errno));
        remove_folder();
        _exit(126);
    }
    close(errors);
    if (write(ready, "+", 1) != 1) _exit(126);
    close(ready);
    char none;
    while (read(alive, &none, 1) < 0 && errno == EINTR) {}
    remove_folder();
    _exit(0);
}

/* Have another process mount or unpack `folder`; false where that came to nothing. */
static bool is_kept(bool is_mounted) {
    int alive[2], ready[2];
    if (!make_folder()) end_with("cannot make a folder in", "TMPDIR, /tmp, /var/tmp or HOME");
    if (pipe(alive) || pipe(ready)) end_with("cannot make a pipe for", folder);
    pid_t keeper = fork();
    if (keeper < 0) end_with("cannot start a process for", folder);
    if (!keeper) {
        close(alive[1]), close(ready[0]);
        keep(alive[0], ready[1], is_mounted);
    }
    close(alive[0]), close(ready[1]);
    char sign;
    ssize_t got;
    while ((got = read(ready[0], &sign, 1)) < 0 && errno == EINTR) {}
    close(ready[0]);
    if (got == 1) return true; /* alive[1] stays open in the program, until it ends */
    close(alive[1]);
    waitpid(keeper, NULL, 0);
    return false;
}

static void run(char **argv) {
    char program[PATH_MAX + 8], owd[PATH_MAX];
    snprintf(program, sizeof program, "%s/AppRun", folder);
    setenv("APPIMAGE", self, 1);
    setenv("APPDIR", folder, 1);
    setenv("ARGV0", argv[0], 1);
    if (getcwd(owd, sizeof owd)) setenv("OWD", owd, 1);
    execv(program, argv);
    end_with("cannot run", program); /* and what keeps the folder sees that this has ended */
}

int main(int argc, char **argv) {
    ssize_t size = readlink("/proc/self/exe", self, sizeof self - 1);
    if (size < 0) end_with("cannot read", "/proc/self/exe");
    offset = end_of_elf();
    const char *asked = argc > 1 ? argv[1] : "", *always = getenv("APPIMAGE_EXTRACT_AND_RUN");
    if (!strcmp(asked, "--appimage-offset")) {
        printf("%lld\n", (long long)offset);
        return 0;
    }
    if (!strcmp(asked, "--appimage-extract")) {
        if (mkdir("squashfs-root", 0755) || !unpack("squashfs-root"))
            end_with("cannot unpack into", "squashfs-root");
        return 0;
    }
    bool is_unpacked = always && *always && strcmp(always, "0");
    if (!strcmp(asked, "--appimage-extract-and-run")) {
        is_unpacked = true;
        argv[1] = argv[0];
        argv++;
    } else if (!strncmp(asked, "--appimage-", 11)) {
        fprintf(stderr, "tandem: %s is not known; there are --appimage-offset, --appimage-extract and "
                        "--appimage-extract-and-run\n", asked);
        return 2;
    }
    if ((!is_unpacked && can_unmount() && is_kept(true)) || is_kept(false)) run(argv);
    return 126;
}
