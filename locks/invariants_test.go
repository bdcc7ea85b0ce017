package locks

// What a line promises, and where each promise is proved. "go test -run TestI07 -v ./locks" shows one of them: that it
// holds, and that its test fails ("without ...") when the guard in the scripts that keeps it is taken away.
//
//	I01 exclusion           a turn ends by its release, its lease's end or force     here, turn_test.go, evict_test.go
//	I02 fences              every turn's number is higher, whatever is lost          here, loss_test.go
//	I03 first come          the lowest arrival number of all has the next turn       here, loss_test.go, orphans_test.go
//	I04 work-conserving     no line is free while somebody waits whom a node can serve   here
//	I05 one wake-up         a hand-off notifies one node once                        message_test.go
//	I06 no lost wake-up     without messages, a beat brings turns                    message_test.go
//	I07 stable place        nobody falls back                                        here, place_test.go, loss_test.go
//	I08 the dead            nobody with Work is dropped; who has none goes with its node   life_test.go, orphans_test.go
//	I09 no leak             a quiet line leaves nothing                              quiet_test.go
//	I10 idempotence         an operation sent several times counts once              here, repeat_test.go, evict_test.go
//	I11 stale fences        change nothing                                           here, turn_test.go
//	I12 structure           a ticket stands in one place, has one owner and its text in the log   here
//	I13 cost                of a hand-off does not grow with the line                cost_test.go
//	I14 clocks              those of nodes do not count                              clock_test.go
//	I15 crashes             whoever dies, the next one alive has its turn        fault_kill_test.go, fault_master_test.go
//	I16 several lines       all or nothing, and no deadlock                          lockall_test.go
//	I17 no spin             waiting costs a call a beat                              cost_test.go
//	I18 crowds              10,000 are all served in order                           crowd_test.go
//
// The tests in this file play random histories (model_run_test.go) and hold what Redis has after each step against a
// reference, and against the promises themselves (model_referee_test.go).

import "testing"

func TestI01_OneHolderAtATime(t *testing.T) {
	testWithGuards(t, histories(10, 2),
		guard{"the look at the holder", "", "if r.ticket or settling() then return end",
			"if settling() then return end"},
		guard{"the look at the holders of all lines", "", "ready and not r.ticket and", "ready and"},
		fenceOfRelease,
		turnOfLeaver,
		guard{"the node of a renewal", opHold, "and r.node == node", ""},
	)
}

func TestI02_FencesRise(t *testing.T) {
	testWithGuards(t, histories(50, 2),
		clockInCounter,
		guard{"the counter", "", "local first = now\n", "local first = now - 3600000000 * (now % 2)\n"},
		guard{"one fence for several lines", "", "set_holder(heads[i], fence)",
			"set_holder(heads[i], format_int(draw(1)))"},
	)
}

func TestI03_FirstComeFirstServed(t *testing.T) {
	testWithGuards(t, histories(70, 2),
		guard{"the arrival number", opEnter,
			"scores[#scores + 1], scores[#scores + 2] = e.arrival, e.ticket",
			"scores[#scores + 1], scores[#scores + 2] = 1, e.ticket",
		},
		orderOfLine,
		guard{"the look for who stands there", opEnter, "local at_once = empty and", "local at_once = lines == 1 and"},
		guard{"the wait of who finds nobody for older tickets", opEnter, "and goes_on() <= now", ""},
		guard{"the wait for a joint head", "", "if head.session == line and head.owner then", "if head.owner then"},
		returnOfTaken,
		guard{"its end", opRestore, "if not settling() then return answer(0) end", ""},
		guard{"the head of all lines, for who is taken along", opTake, "heads[same + 1] == here[same + 1]", "true"},
	)
	rare(t, 154, returnOfHolder)
	rare(t, 64, guard{"the wait for older tickets", "", "if r.ticket or settling() then return end",
		"if r.ticket then return end"})
	rare(t, 84, guard{"the wait of several lines for older tickets", "", "and not settling()", ""})
}

func TestI04_NoLineIsFreeWhileSomebodyWaits(t *testing.T) {
	var guards []guard
	for _, op := range []operation{opRelease, opReturn, opLeave, opEvict} {
		guards = append(guards, guard{"promotion by " + string(op), op, "promote()\nreturn", "return"})
	}
	guards = append(guards,
		lookAtLease,
		lossOfTheDead,
		adoptionOfHead,
	)
	testWithGuards(t, histories(110, 2), guards...)
}

func TestI07_PlacesAreStable(t *testing.T) {
	testWithGuards(t, histories(140, 2),
		placeOnReentry,
		numberOfKnownTicket,
		guard{"the work that a ticket had", opEnter, "if e.work == '' then e.work = work end", ""},
	)
	rare(t, 188, guard{"a late beat's due", opBeat,
		"  if ARGV[11] == '1' then keep_node() end\n  if #ids > 0 then mark_tickets() end\n  reap()",
		"  reap()\n  if ARGV[11] == '1' then keep_node() end\n  if #ids > 0 then mark_tickets() end",
	})
	rare(t, 17, guard{"a standstill's end", "", "if late and others > 0 and", "if false and"})
}

func TestI08_NobodyWithWorkIsDropped(t *testing.T) {
	testWithGuards(t, histories(360, 2),
		adoptionOfHead,
		lookAtNode,
		returnOfHolder,
		guard{"the life of a node", opBeat, "if ARGV[11] == '1' then keep_node() end", ""},
		guard{"the node that serves orphans", "", "if adopts then return node end", "do return node end"},
	)
	rare(t, 332, lossOfTheDead)
	rare(t, 333, guard{"the work of a dead node's ticket, for who is taken along", opTake, "if foreign and work == ''",
		"if foreign"})
}

func TestI10_RepetitionsCountOnce(t *testing.T) {
	testWithGuards(t, repeatedHistories(180, 2),
		requestOfClose,
		guard{"the request of an eviction", opEvict, "if before[1] == request then", "if false then"},
		memoryOfRelease,
		memoryOfReturn,
		guard{"the holder of a release", opRelease, "if r.ticket == ticket and r.fence == fence then",
			"if r.ticket then"},
		numberOfKnownTicket,
	)
	testWithout(t, requestOfTake.name, repeatedHistories(185, 2), requestOfTake.off(t))
}

func TestI11_StaleFencesChangeNothing(t *testing.T) {
	testWithGuards(t, histories(220, 2),
		fenceOfRelease,
		guard{"the fence of a return", opReturn, "if r.ticket == ticket and r.fence == fence then",
			"if r.ticket == ticket then"},
		guard{"the fence of a renewal", opHold, "r.fence == fence and", ""},
	)
	rare(t, 3, guard{"the fence of a take", opTake, "and r.fence == fence", ""})
}

// Every ticket in line stands in one place and has one owner, and the log says how it came and went.
func TestI12_TicketInLineHasOnePlaceAndOneOwner(t *testing.T) {
	testWithGuards(t, histories(250, 2),
		guard{"the life of the line's keys", opEnter, "if empty or call('ZCARD', waiting) == #texts then", "if false then"},
		guard{"the life of the log", opEnter, "if logged == 1 then renew_life(log) end", ""},
		guard{"a place lost in one line of several", opBeat, "if marks[i] == 'g' then\n", "if false then\n"},
		guard{"the end of a lapsed turn", opBeat, "and tonumber(r['end']) > now and", "and"},
		guard{"the end of a ticket", opRelease, "call('HDEL', tickets, unpack(done))", ""},
		guard{"the text of a turn", opRelease, "write_log('turn '", "local _ = ('turn '"},
		guard{"the text of a leaver", opLeave, "write_log('left ' .. arrival)", ""},
	)
	rare(t, 252, guard{"a joint ticket's other line", opTake,
		"if not again and owner_session ~= session then break end", ""})
	rare(t, 252, guard{"the end of the run", opRelease, "notify(done)\n    call('DEL', taken)", "notify(done)"})
	rare(t, 25, guard{"the run that a closing leaves in its places", opClose,
		"local part = call('ZPOPMIN', waiting, 1000)",
		"local part = call('ZPOPMIN', #call('ZRANGE', taken, 0, 0) > 0 and taken or waiting, 1000)",
	})
	rare(t, 42, guard{"who is served along", opTake, "if beats(owner) then break end", ""})
}
