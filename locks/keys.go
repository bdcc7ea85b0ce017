package locks

import "strings"

// keys names what a line owns in Redis.
type keys struct {
	names   []string // KEYS of every script, in the order that prelude.lua explains
	channel string   // prefix of the channels of its partition; a node's name follows
}

// plain keeps braces out of a hash tag, which ends at the first closing one.
var plain = strings.NewReplacer("%", "%25", "{", "%7B", "}", "%7D")

// lineKeys is the only place that makes key names. All keys of a partition carry the same hash tag, so that they live
// in one slot of a Redis Cluster.
func lineKeys(prefix string, n Name) keys {
	partition := prefix + ":{" + plain.Replace(n.Partition) + "}:"
	line := partition + n.Key + ":"
	return keys{
		names: []string{
			line + "holder", line + "record", line + "waiting", line + "alive", line + "lent", line + "taken",
			partition + "counter",
		},
		channel: partition + "node:",
	}
}

func (k keys) holder() string  { return k.names[0] }
func (k keys) waiting() string { return k.names[2] }
func (k keys) taken() string   { return k.names[5] }
