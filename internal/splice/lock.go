package splice

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// lockWait is how long Update waits for others where its context sets no limit.
const lockWait = 30 * time.Second

// lock takes the lock of a target. It lies in the state folder, not beside the target, and stays there: whoever removed a
// lock file would hand one lock to two.
func (s Store) lock(ctx context.Context, f File) (unlock func(), err error) {
	if s.State == "" {
		return nil, &Error{Fault: IO, Path: f.Path, What: "no folder for locks was given"}
	}
	return Lock(ctx, filepath.Join(s.State, "locks", sum([]byte(f.Target))[:32]+".lock"))
}

// Lock takes a lock that all processes respect which take it by the same path, and that dies with its process. The folder
// is made, with mode 0700. The error is an *Error: Busy when the context ends first (or, if it has no end, after 30 s).
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, (&File{Path: path}).fault("failed to make the folder for the lock", err)
	}
	if _, limited := ctx.Deadline(); !limited {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, lockWait)
		defer stop()
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	_, err = l.TryLockContext(ctx, 5*time.Millisecond)
	switch {
	case err == nil:
		return func() { _ = l.Close() }, nil
	case errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled):
		return nil, &Error{Fault: Busy, Path: path, What: "another process holds this lock", Err: err, Hint: "wait for it to end, then try again"}
	}
	return nil, (&File{Path: path}).fault("failed to take the lock", err)
}
