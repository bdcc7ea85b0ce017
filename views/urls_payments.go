package views

import "net/url"

// PaymentURL leads to the payment provider's page. GET: pages.PaymentWindow, and the browser goes on by itself; 303 to
// PaymentReturnURL once the provider has decided.
func PaymentURL(id string) string { return "/payments/" + url.PathEscape(id) }

// PaymentReturnURL is where the provider sends the browser back to. GET: 303 to the reservation that is paid, else
// pages.PaymentReturn.
func PaymentReturnURL(id string) string { return PaymentURL(id) + "/return" }

// PaymentLeaveURL is where the provider sends the browser of a diner who gives up. GET: 303 to PayURL, or to
// PaymentReturnURL where that says more.
func PaymentLeaveURL(id string) string { return PaymentURL(id) + "/leave" }

// PaymentLinkURL is where the letter leads that asks a guest for whom staff booked for the deposit. GET:
// pages.PaymentLink. POST: signs in for that reservation, 303 to PayURL; 409 renders pages.PaymentLink.
func PaymentLinkURL(token string) string { return "/pay/" + url.PathEscape(token) }

// PracticeBankURL is the payment window of demos. GET: pages.PracticeBank. POST: field Result; 303 to PaymentReturnURL
// or PaymentLeaveURL.
func PracticeBankURL(id string) string { return "/practice-bank/" + url.PathEscape(id) }
