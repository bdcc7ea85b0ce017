// Package reserve holds the use cases of diners and of a restaurant's staff: search, submit, change, pay, cancel, wait
// for a place, open and close slots. A use case reads through the ports of this package, decides by the rules of
// package booking, and lets the watchers of the slots know. Pages and the JSON API call the same methods.
package reserve
