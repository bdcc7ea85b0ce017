package views

import "time"

// Mailbox is the page of letters that no mail server sends. Component: pages.Mailbox(views.Mailbox).
type Mailbox struct {
	Layout
	Letters []MailboxLetter // the newest first
	Pager   Pager
}

// MailboxLetter is a letter in the mailbox.
type MailboxLetter struct {
	Letter
	Subject  string
	To       string
	At       time.Time
	Calendar bool // has one attached
	IsOld    bool // it has what is so now, and not what was so then
}
