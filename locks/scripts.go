package locks

import (
	"embed"

	"github.com/redis/go-redis/v9"
)

//go:embed *.lua
var sources embed.FS

// scripts are the operations on a line.
type scripts struct {
	enter, hold, take, release, giveBack, leave, beat, close, state *redis.Script
}

func newScripts() scripts {
	script := func(name string) *redis.Script { return redis.NewScript(source(name)) }
	return scripts{
		enter:    script("enter"),
		hold:     script("hold"),
		take:     script("take"),
		release:  script("release"),
		giveBack: script("return"),
		leave:    script("leave"),
		beat:     script("beat"),
		close:    script("close"),
		state:    script("state"),
	}
}

// source is an operation's whole text. Redis has no modules for scripts, so what they share stands in front of each:
// names and clock, then reap, then promote.
func source(operation string) string {
	text := ""
	for _, part := range []string{"prelude", "reap", "promote", operation} {
		lua, err := sources.ReadFile(part + ".lua")
		if err != nil {
			panic(err) // the name is not one of the embedded files: a fault of this package
		}
		text += string(lua)
	}
	return text
}
