package locks

import (
	"embed"
	"sync"

	"github.com/redis/go-redis/v9"

	"lunchgo/locks/internal/memory"
)

//go:embed *.lua
var sources embed.FS

// operation is something that is done to a line; <operation>.lua says what.
type operation string

const (
	opEnter   operation = "enter"
	opHold    operation = "hold"
	opTake    operation = "take"
	opRelease operation = "release"
	opReturn  operation = "return"
	opLeave   operation = "leave"
	opBeat    operation = "beat"
	opRestore operation = "restore"
	opEvict   operation = "evict"
	opClose   operation = "close"
	opState   operation = "state"
	opRejoin  operation = "rejoin"
	opSuspend operation = "suspend"
	opList    operation = "list"

	opLines operation = "lines" // of the registry, not of a line
)

var operations = []operation{
	opEnter, opHold, opTake, opRelease, opReturn, opLeave, opBeat, opRestore, opEvict, opClose, opState, opRejoin,
	opSuspend, opList,
}

func newScripts(fallback bool) map[operation]*redis.Script {
	scripts := make(map[operation]*redis.Script, len(operations))
	for _, op := range operations {
		scripts[op] = redis.NewScript(source(op, fallback))
	}
	scripts[opLines] = redis.NewScript(source(opLines, false))
	return scripts
}

// memoryScripts are the operations as they are carried out in memory.
var memoryScripts = sync.OnceValue(func() map[operation]*memory.Script {
	scripts := make(map[operation]*memory.Script, len(operations))
	for _, op := range operations {
		script, err := memory.Compile(string(op), source(op, false))
		if err != nil {
			panic(err) // a fault of this package
		}
		scripts[op] = script
	}
	return scripts
})

// source is an operation's whole text. Redis has no modules for scripts, so what they share stands in front of each:
// names and clock, then reap, then promote; with a fallback, before all, what refuses a call that comes too late.
func source(op operation, fallback bool) string {
	parts := []string{"prelude", "reap", "promote", string(op)}
	if op == opLines {
		parts = []string{string(op)}
	}
	if fallback {
		parts = append([]string{"reject_late_call"}, parts...)
	}
	text := "local clock " // read once, by the first part that needs it
	for _, part := range parts {
		lua, err := sources.ReadFile(part + ".lua")
		if err != nil {
			panic(err) // the name is not one of the embedded files: a fault of this package
		}
		text += string(lua)
	}
	return text
}
