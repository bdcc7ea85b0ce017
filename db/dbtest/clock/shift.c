/* Moves the wall clock of a process by the nanoseconds in the file that CLOCK_SHIFT_FILE names, at once when they change.
 * It is preloaded into servers. libfaketime cannot take its place: that of Debian 12 ends a redis-server at its start,
 * whose jemalloc asks for the time before libfaketime is ready. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t second = 1000000000;
static const volatile int64_t *shift;

__attribute__((constructor)) static void map_shift(void) {
	const char *path = getenv("CLOCK_SHIFT_FILE");
	int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (file < 0)
		_exit(111);
	void *map = mmap(NULL, sizeof *shift, PROT_READ, MAP_SHARED, file, 0);
	close(file);
	if (map == MAP_FAILED)
		_exit(112);
	shift = map;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
	int failed = syscall(SYS_clock_gettime, clock, now);
	if (failed || !shift || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE))
		return failed;
	int64_t at = now->tv_sec * second + now->tv_nsec + *shift;
	now->tv_sec = at / second;
	now->tv_nsec = at % second;
	return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
	(void)zone;
	struct timespec at;
	if (clock_gettime(CLOCK_REALTIME, &at))
		return -1;
	now->tv_sec = at.tv_sec;
	now->tv_usec = at.tv_nsec / 1000;
	return 0;
}

time_t time(time_t *now) {
	struct timespec at;
	if (clock_gettime(CLOCK_REALTIME, &at))
		return -1;
	if (now)
		*now = at.tv_sec;
	return at.tv_sec;
}
