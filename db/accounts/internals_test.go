package accounts

// What the tests of package accounts_test reach of the inside: they use db/testkit, which imports this package.
const (
	ExportBatch = exportBatch
	MaxRevoked  = maxRevoked
)

var ExportSections = exportSections

func (s section) Name() string     { return s.name }
func (s section) Tables() []string { return s.tables }
func (s section) Query() string    { return s.query }
