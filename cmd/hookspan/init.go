package main

// initVerb writes a starter manifest.
func initVerb(c *console, args []string) int { return 0 }
