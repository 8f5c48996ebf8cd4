//go:build unix && !linux

package splice

func keepAttributeForTest(string) bool { return false }

func hasAttributeForTest(string) bool { return false }
