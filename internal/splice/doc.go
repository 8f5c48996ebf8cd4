// Package splice x
package splice
