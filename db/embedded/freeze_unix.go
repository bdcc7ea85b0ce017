//go:build unix

package embedded

import "syscall"

// Freeze makes the server stand still, with its connections open, until Thaw. It is for tests of a machine that hangs.
func (s *Server) Freeze() { s.current.Load().signal(syscall.SIGSTOP) }

// Thaw lets a server go on that Freeze stopped; one that runs goes on as it does.
func (s *Server) Thaw() { s.current.Load().signal(syscall.SIGCONT) }
