package views

// APIDocs is the page that describes the JSON API, in the words of the description, which are English. Component:
// pages.APIDocs(views.APIDocs).
type APIDocs struct {
	Layout
	About  string
	Groups []APIGroup
	Types  []APIType
}

// APIGroup is what programs can do about one thing.
type APIGroup struct {
	Name, About string
	Operations  []APIOperation
}

// APIOperation is a call of the API.
type APIOperation struct {
	ID, Method, Path, Summary, Text string

	Parameters []APIMember // of path, query and head
	Takes      string      // the type of its body; empty for none
	Command    string      // that sends an example
	Answers    []APIAnswer
}

// APIAnswer is what a call is answered with, by status.
type APIAnswer struct {
	Status, Text string
	Type         string // of its body; empty for none, and for a problem
	Example      string
	Refused      bool
}

// APIType is an object that calls take or give.
type APIType struct {
	Name    string
	Members []APIMember
}

// APIMember is a member of an object, or a parameter of a call.
type APIMember struct {
	Name, Kind, About string
	Type              string // the object that it is, or is a list of; empty for none
	Optional          bool
}

// APIDocsURL is the page that describes the JSON API: pages.APIDocs.
func APIDocsURL() string { return "/api/docs" }

// APIDescriptionURL is the description itself, for programs.
func APIDescriptionURL() string { return "/api/openapi.json" }
