package splice

import "golang.org/x/sys/unix"

func keepAttributeForTest(p string) bool {
	return unix.Setxattr(p, "user.splice", []byte("kept"), 0) == nil
}

func hasAttributeForTest(p string) bool {
	b := make([]byte, 16)
	n, err := unix.Getxattr(p, "user.splice", b)
	return err == nil && string(b[:n]) == "kept"
}
