package locks

import (
	"slices"
	"strings"
)

// separator parts the keys of a joint line in its Name.Key, in scripts and in messages.
const separator = "\x1f"

// workSeparator parts a ticket's owner from its work, and a line's partition from its key in the registry.
const workSeparator = "\x1e"

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
	var names []string
	for _, key := range n.Lines() {
		line := partition + key + ":"
		names = append(names,
			line+"record", line+"waiting", line+"taken", line+"tickets", line+"log")
	}
	return keys{names: append(names, partition+"counter"), channel: partition + "node:"}
}

// The keys of the first line.
func (k keys) record() string  { return k.names[0] }
func (k keys) waiting() string { return k.names[1] }
func (k keys) taken() string   { return k.names[2] }
func (k keys) tickets() string { return k.names[3] }
func (k keys) log() string     { return k.names[4] }

// counter of the partition.
func (k keys) counter() string { return k.names[len(k.names)-1] }

// JointName names several lines of a partition taken together, as Client.Joint does. The order in which they are given
// does not matter.
func JointName(partition string, lines []string) Name {
	sorted := slices.Compact(slices.Sorted(slices.Values(lines)))
	return Name{Partition: partition, Key: strings.Join(sorted, separator)}
}

// Lines are the keys of the lines that the name stands for, in ascending order: one, unless it is a joint one.
func (n Name) Lines() []string { return strings.Split(n.Key, separator) }

// First is the line whose log tells of the tickets of a line: itself, of a joint one the first.
func (n Name) First() Name { return Name{n.Partition, n.Lines()[0]} }

func (n Name) joint() bool { return strings.Contains(n.Key, separator) }
