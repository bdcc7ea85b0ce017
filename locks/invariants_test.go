package locks

// What a line promises, and where each promise is proved. "go test -run TestI07 -v ./locks" shows one of them: that it
// holds, and that its test fails ("without ...") when the guard in the scripts that keeps it is taken away.
//
//	I01 exclusion           a turn ends by its release, its lease's end or force     here, turn_test.go, evict_test.go
//	I02 fences              every turn's number is higher, whatever is lost          here, loss_test.go
//	I03 first come          the first of those alive and present has the next turn   here, loss_test.go, park_test.go
//	I04 work-conserving     no line is free while somebody waits for it              here, park_test.go
//	I05 one wake-up         a hand-off notifies one node once                        message_test.go
//	I06 no lost wake-up     without messages, a beat brings turns                    message_test.go
//	I07 stable place        nobody falls back                                        here, place_test.go, loss_test.go
//	I08 the dead            go within their life, together; the living never         life_test.go
//	I09 no leak             a quiet line leaves nothing                              quiet_test.go
//	I10 idempotence         an operation sent several times counts once              here, repeat_test.go, evict_test.go
//	I11 stale fences        change nothing                                           here, turn_test.go
//	I12 structure           a ticket in line is alive, has one owner and no turn     here
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

// One holder at a time.
func TestI01_OneHolderAtATime(t *testing.T) {
	testWithGuards(t, histories(10, 2),
		guard{"the look at the holder", "", "if has_holder() then return end", ""},
		guard{"the look at the holders of all lines", "", "and not has_holder()", ""},
		fenceOfRelease,
		claimOfLeaver,
		guard{"the claim that keeps who parks", opPark, "h[1] == ticket and h[2] == '1' or", ""},
		guard{"the claim that keeps a turn at its node", opEnter, "h[2] ~= node and h[3] == '1'", "false"},
		guard{"the node of a renewal", opHold, "and h[3] == node", ""},
	)
}

// Fences rise.
func TestI02_FencesRise(t *testing.T) {
	testWithGuards(t, histories(50, 2),
		clockInCounter,
		guard{"the counter", "", "local number = format_int(now)", "local number = format_int(now - 3600000000 * (now % 2))"},
		guard{"one fence for several lines", "",
			"here = set_holder(first[1], first[2], owner, owner_session, fence)",
			"here = set_holder(first[1], first[2], owner, owner_session, draw())",
		},
	)
}

// First come first served.
func TestI03_FirstComeFirstServed(t *testing.T) {
	testWithGuards(t, histories(70, 2),
		guard{"the arrival number", opEnter,
			"call('ZADD', waiting, arrival, ticket)\n",
			"call('ZADD', waiting, 1, ticket)\n",
		},
		orderOfLine,
		guard{"the wait for a joint head", "", "if owner_session == line then", "if true then"},
		returnOfTaken,
		absenceOfParked,
		guard{"its end", opRestore, "if not settling() then return answer(0) end", ""},
	)
	rare(t, 154, returnOfAdoptedHolder)
	rare(t, 64, guard{"the wait for older tickets", "", "if settling() then return end", ""})
	rare(t, 84, guard{"the wait of several lines for older tickets", "", "and not settling()", ""})
}

// No line is free while somebody waits.
func TestI04_NoLineIsFreeWhileSomebodyWaits(t *testing.T) {
	var guards []guard
	for _, op := range []operation{opRelease, opReturn, opLeave, opEvict} {
		guards = append(guards, guard{"promotion by " + string(op), op, "promote()\nreturn", "return"})
	}
	guards = append(guards,
		lookAtLease,
		removalOfDead,
	)
	testWithGuards(t, histories(110, 2), guards...)
	rare(t, 8, guard{"promotion by park", opPark, "promote()\nreturn", "return"})
}

// Places are stable.
func TestI07_PlacesAreStable(t *testing.T) {
	testWithGuards(t, histories(140, 2),
		placeOnReentry,
		parkedAhead,
		guard{"the parked ahead, in the progress", opState,
			"ahead[k / 2] = call('ZCOUNT', waiting, '-inf', '(' .. away[k])",
			"ahead[k / 2] = 1000",
		},
		guard{"the life of the parked", opBeat,
			"call('ZADD', alive, 'GT', unpack(refreshed))",
			"call('ZADD', alive, unpack(refreshed))",
		},
	)
	rare(t, 197, placeOfParked)
	rare(t, 184, guard{"a late beat's due", opBeat,
		"if #tickets > 0 then mark_tickets() end\n  reap()",
		"reap()\n  if #tickets > 0 then mark_tickets() end",
	})
	rare(t, 17, guard{"a late return's due", opEnter,
		"  detect_loss(ARGV[12], tonumber(ARGV[13]))",
		"  detect_loss(ARGV[12], tonumber(ARGV[13]))\n  reap()",
	})
}

// Repetitions count once.
func TestI10_RepetitionsCountOnce(t *testing.T) {
	testWithGuards(t, repeatedHistories(180, 2),
		requestOfClose,
		guard{"the request of an eviction", opEvict, "if before[1] == request then", "if false then"},
		memoryOfRelease,
		memoryOfReturn,
		guard{"the holder of a release", opRelease, "if h[1] == ticket and h[2] == fence then", "if h[1] then"},
		numberOfKnownTicket,
		placeOnParkingAgain,
	)
	testWithout(t, requestOfTake.name, repeatedHistories(185, 2), requestOfTake.off(t))
}

// Stale fences change nothing.
func TestI11_StaleFencesChangeNothing(t *testing.T) {
	testWithGuards(t, histories(220, 2),
		fenceOfRelease,
		guard{"the fence of a return", opReturn, "if h[1] == ticket and h[2] == fence then", "if h[1] == ticket then"},
		guard{"the fence of a renewal", opHold, "h[2] == fence and", ""},
	)
	rare(t, 3, guard{"the fence of a take", opTake, "or h[2] ~= fence", ""})
}

// Every ticket in line is alive and has one owner.
func TestI12_TicketInLineIsAliveAndHasOneOwner(t *testing.T) {
	testWithGuards(t, histories(250, 2),
		guard{"the last heartbeat", "", "{waiting, taken, parked, alive}", "{waiting, taken, parked}"},
		guard{"the life of keys", opEnter, "renew_life(record, waiting, parked, alive, owners, work)\n", ""},
		guard{"the return from the parked", opEnter, "if known_arrival then call('ZREM', parked, ticket) end", ""},
		guard{"a joint ticket's other line", opTake, "owner_session ~= line or", ""},
		guard{"a place lost in one line of several", opBeat, "if marks[i] == 'g' then each", "if false then each"},
		guard{"the end of a lapsed turn", opBeat, "and tonumber(h[3]) > now", ""},
		guard{"the node of who parks", opPark, "owner and owner ~= node", "false"},
	)
	rare(t, 140, guard{"the end of a parked one's place", "",
		"{waiting, taken, parked, alive}",
		"{waiting, taken, alive}",
	})
	rare(t, 24, guard{"the run that a closing leaves in its places", opClose,
		"local run = call('ZRANGE', taken, 0, -1)",
		"local run = {}",
	})
	rare(t, 227, guard{"the work of a leaver", opLeave, "call('HDEL', work, ticket)\n    owner", "owner"})
	rare(t, 39, guard{"who is served along", opTake, "or foreign and not loads[i]", ""})
}
