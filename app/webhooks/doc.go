// Package webhooks sends what happens at a restaurant to the restaurant's own programs: signed requests to addresses
// that its owner gives, as the Standard Webhooks specification has them. An event of the outbox becomes one delivery
// per endpoint, in the database; whichever instance takes a delivery sends it, and tries again later where that fails.
package webhooks
