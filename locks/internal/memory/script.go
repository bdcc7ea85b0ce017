package memory

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"
)

// Script is a script that Run carries out.
type Script struct{ proto *lua.FunctionProto }

// Compile returns the script of a text.
func Compile(name, text string) (*Script, error) {
	chunk, err := parse.Parse(strings.NewReader(text), name)
	if err != nil {
		return nil, err
	}
	proto, err := lua.Compile(chunk, name)
	return &Script{proto}, err
}

// Run carries a script out, as EVAL does, and returns the list that it answers.
func (s *Server) Run(script *Script, keys []string, args ...any) (values []any, err error) {
	m := machines.Get().(*machine)
	defer machines.Put(m)
	m.server = s
	m.SetGlobal("KEYS", table(m.LState, keys))
	m.SetGlobal("ARGV", table(m.LState, texts(args)))
	m.Push(m.NewFunctionFromProto(script.proto))
	if err := m.PCall(0, 1, nil); err != nil {
		m.SetTop(0)
		return nil, fmt.Errorf("script: %w", err)
	}
	answer := m.Get(-1)
	m.SetTop(0)
	values, _ = plain(answer).([]any)
	return values, nil
}

// machine runs Lua for one server at a time.
type machine struct {
	*lua.LState
	server *Server
}

var machines = sync.Pool{New: func() any {
	m := &machine{LState: lua.NewState(lua.Options{RegistryMaxSize: 1 << 17, RegistryGrowStep: 1 << 12})}
	m.SetGlobal("redis", m.SetFuncs(m.NewTable(), map[string]lua.LGFunction{"call": m.command}))
	m.SetGlobal("cjson", m.SetFuncs(m.NewTable(), map[string]lua.LGFunction{"encode": encode, "decode": decode}))
	return m
}}

// command is redis.call.
func (m *machine) command(l *lua.LState) int {
	args := make([]string, l.GetTop())
	for i := range args {
		args[i] = written(l.Get(i + 1))
	}
	key := ""
	if len(args) > 1 {
		key = args[1]
	}
	l.Push(luaValue(l, m.server.call(args[0], key, args[min(2, len(args)):])))
	return 1
}

// written is an argument of redis.call as a command gets it.
func written(v lua.LValue) string {
	if n, ok := v.(lua.LNumber); ok {
		return digits(float64(n))
	}
	return lua.LVAsString(v)
}

// luaValue is an answer of a command as a script gets it.
func luaValue(l *lua.LState, answer any) lua.LValue {
	switch v := answer.(type) {
	case string:
		return lua.LString(v)
	case int64:
		return lua.LNumber(v)
	case []any:
		t := l.CreateTable(len(v), 0)
		for _, item := range v {
			t.Append(luaValue(l, item))
		}
		return t
	}
	return lua.LFalse
}

func table(l *lua.LState, texts []string) *lua.LTable {
	t := l.CreateTable(len(texts), 0)
	for _, text := range texts {
		t.Append(lua.LString(text))
	}
	return t
}

// plain is what a script answers, as a client of Redis reads it.
func plain(v lua.LValue) any {
	switch v := v.(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return int64(math.Trunc(float64(v)))
	case *lua.LTable:
		values := make([]any, v.Len())
		for i := range values {
			values[i] = plain(v.RawGetInt(i + 1))
		}
		return values
	}
	return nil
}

// encode is cjson.encode, decode is cjson.decode of a list of strings.
func encode(l *lua.LState) int {
	text, err := json.Marshal(document(l.Get(1)))
	if err != nil {
		l.RaiseError("encode: %v", err)
	}
	l.Push(lua.LString(text))
	return 1
}

func decode(l *lua.LState) int {
	var values []string
	if err := json.Unmarshal([]byte(l.CheckString(1)), &values); err != nil {
		l.RaiseError("decode: %v", err)
	}
	l.Push(table(l, values))
	return 1
}

// document is a Lua value as JSON has it: a table with a first element is a list, any other an object.
func document(v lua.LValue) any {
	t, isTable := v.(*lua.LTable)
	if !isTable {
		return plain(v)
	}
	list, object := make([]any, t.Len()), map[string]any{}
	t.ForEach(func(key, value lua.LValue) { object[lua.LVAsString(key)] = document(value) })
	for i := range list {
		list[i] = document(t.RawGetInt(i + 1))
	}
	if len(list) > 0 {
		return list
	}
	return object
}
