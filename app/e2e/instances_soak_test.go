package e2e_test

import (
	"testing"
	"time"
)

// newTrial starts three instances behind a proxy, alone on the machine as far as other trials go.
func newTrial(t *testing.T) *balanced {
	t.Helper()
	skipUnlessSoak(t)
	return newBalanced(t, 3)
}

func TestSoak_InstancesCalm(t *testing.T) {
	b := newTrial(t)
	b.rush(0, func() {}).mustNotFail(t)
}

// Requests that were under way at a killed instance, and its streams, may fail. Everybody comes back and gets a true answer.
func TestSoak_InstancesOneKilled(t *testing.T) {
	b := newTrial(t)
	r := b.rush(0, b.instances[0].kill)
	t.Logf("%d requests and streams failed with the instance", r.HTTPErrors)
}

func TestSoak_InstancesOneStopped(t *testing.T) {
	b := newTrial(t)
	b.rush(8*time.Second, b.instances[1].terminate).mustNotFail(t)
}

func TestSoak_InstancesOneAdded(t *testing.T) {
	b := newTrial(t)
	b.rush(8*time.Second, func() {
		b.add()
		eventually(t, "the new one serves", func() bool { return b.servers()["i3"].sessions > 10 })
	}).mustNotFail(t)
}

func TestSoak_InstancesRolled(t *testing.T) {
	b := newTrial(t)
	b.rush(25*time.Second, func() {
		for _, instance := range b.instances {
			b.roll(instance)
		}
	}).mustNotFail(t)
}
