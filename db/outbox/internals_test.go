package outbox

// AnnounceLock is what the tests of package outbox_test reach of the inside: they use db/testkit, which imports this
// package.
const AnnounceLock = announceLock
