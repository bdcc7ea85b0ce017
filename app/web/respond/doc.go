// Package respond is what handlers share between the request and its answer: who sent it (auth.go), what a form says
// (form.go), what an error means (problem.go, sentence.go), what surrounds a page (layout.go, flash.go), how a page
// or an event stream is written (render.go, sse.go), and how many may ask the database at once (load_shedder.go).
package respond
