// Package receipt makes a line checkable by those who waited in it. A line writes a log of who entered, whose turn it
// was and who went. A receipt, signed by the server, commits it to what the log said when the receipt was given; once
// the log is published, Verify proves from both that the receipt's ticket was served in its order, or shows where it
// was not.
//
// The package is pure: it reads no clock, no Redis and no network, so that anybody can check with it.
//
// # The log
//
// A log is a list of texts, one an entry, that only grows:
//
//	born <µs>                                    first of all, in logs that say when their line began
//	enter <arrival>:<commitment>,…               a group of tickets that came together
//	turn <fence> <arrival>,<arrival>,…           a turn has ended; these were served in it, in this order
//	left <arrival>,…                             gave the place up
//	closed <arrival>,…                           sent away when the line closed
//	lost <arrival>,…                             dropped: nobody was left who could serve them
//	again <arrival>:<commitment>,…               put back after a loss of data
//
// A commitment is the beginning of the SHA-256 of the ticket's id, which nobody can guess: the log names nobody, and
// whoever has a ticket finds it there.
//
// # The chain
//
// The head of no entries is SHA-256("lunchgo line log v1\n" + line); the head of one entry more is SHA-256(head +
// entry). So a head commits to every entry before it. The first 16 hexadecimal digits of the head of the first entry
// name the log: a line that begins anew has another.
package receipt
