package pg

// A Guard names a statement that decides a race.
type Guard string

// A Weakening returns another statement in place of the query of a guard.
type Weakening func(g Guard, query string) string

// Guarded returns the statement that a guard stands for: query. A test takes the guard away by Weaken, which
// puts a weaker statement there, to show the race that the guard prevents. It may also hold the caller until a rival
// has come as far.
func (p *Pool) Guarded(g Guard, query string) string {
	if weaken := p.Weakening.Load(); weaken != nil {
		return (*weaken)(g, query)
	}
	return query
}

// Weaken has a test rewrite the statement of a guard from now on, in place of how it was rewritten before. What
// rewrites it runs just before the statement does, so it may also let others in.
func (p *Pool) Weaken(g Guard, edit func(query string) string) {
	others := p.Weakening.Load()
	weaken := Weakening(func(at Guard, query string) string {
		switch {
		case at == g:
			return edit(query)
		case others != nil:
			return (*others)(at, query)
		}
		return query
	})
	p.Weakening.Store(&weaken)
}

// Weakened returns a pool of the same connections with another weakening.
func (p *Pool) Weakened(weaken Weakening) *Pool {
	twin := &Pool{sql: p.sql, connector: p.connector, config: p.config, statements: p.statements}
	twin.Weakening.Store(&weaken)
	return twin
}
