package views

import "net/url"

// AccountURL is what a person keeps about themselves. GET: pages.Account. POST: fields Name, Phone, Language,
// Allergies; 303 to it, 422 renders it again.
func AccountURL() string { return "/account" }

// AccountPasswordURL sets another password. GET: pages.AccountPassword. POST: fields Password (the one of now) and
// NewPassword; 303 to the account, 422 and 429 render it again.
func AccountPasswordURL() string { return "/account/password" }

// AccountSessionsURL lists where the account is signed in. GET: pages.AccountSessions.
func AccountSessionsURL() string { return "/account/sessions" }

// AccountEndOthersURL ends all sessions but this one. POST: 303 to the list.
func AccountEndOthersURL() string { return AccountSessionsURL() + "/end" }

// AccountEndIdentityURL has a provider sign the account in no more. POST: field Issuer; 303 to the list.
func AccountEndIdentityURL() string { return "/account/identities/end" }

// AccountPasskeysURL adds a passkey. POST: fields Name and Answer; 303 to the list of sessions.
func AccountPasskeysURL() string { return "/account/passkeys" }

// AccountPasskeyChallengeURL asks for what a browser needs to make a passkey. POST: JSON, as
// PublicKeyCredential.parseCreationOptionsFromJSON takes its member publicKey.
func AccountPasskeyChallengeURL() string { return AccountPasskeysURL() + "/challenge" }

// AccountRemovePasskeyURL removes a passkey. POST: field Passkey; 303 to the list of sessions.
func AccountRemovePasskeyURL() string { return AccountPasskeysURL() + "/remove" }

// AccountEndURL ends a session. POST: 303 to the list.
func AccountEndURL(id string) string { return AccountSessionsURL() + "/" + url.PathEscape(id) + "/end" }

// AccountHistoryURL decides whether restaurants may keep notes and tags. POST: field Consent; 303 to the account.
func AccountHistoryURL() string { return "/account/history" }

// AccountConsentsURL agrees to versions of what people agree to. POST: fields Terms and Privacy; 303 to the account.
func AccountConsentsURL() string { return "/account/consents" }

// PushURL subscribes this browser to pushes. POST: fields Endpoint, P256dh, Auth and PushKey; 204.
func PushURL() string { return "/account/push" }

// WorkerURL is the service worker, which shows pushes and keeps pages for when there is no connection. GET.
func WorkerURL() string { return "/sw.js" }

// ManifestURL describes the site as an app that can be installed. GET.
func ManifestURL() string { return "/manifest.webmanifest" }

// OfflineURL is what the service worker shows in place of a page without a connection. GET: pages.Offline.
func OfflineURL() string { return "/offline" }

// AccountExportURL is a copy of all that is stored of a person, a JSON file. GET.
func AccountExportURL() string { return "/account/export" }

// AccountDeleteURL deletes the account. GET: pages.AccountDelete. POST: field Password; 303 to the search, 409, 422 and
// 429 render it again.
func AccountDeleteURL() string { return "/account/delete" }
