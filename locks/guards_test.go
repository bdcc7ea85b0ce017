package locks

// The guards that several tests take away.
var (
	absenceOfParked = guard{
		"the absence of the parked", opPark,
		"call('ZADD', parked, arrival, ticket)\n    call('ZREM', waiting, ticket)",
		"call('ZADD', parked, arrival, ticket)",
	}
	claimOfLeaver  = guard{"the claim that keeps a leaver", opLeave, "h[1] == ticket and h[2] ~= '1'", "h[1] == ticket"}
	clockInCounter = guard{
		"the clock in the counter", "",
		"local number = format_int(now)",
		"local number = format_int((call('GET', counter) or 0) + 1)",
	}
	fenceOfRelease = guard{
		"the fence of a release", opRelease,
		"if h[1] == ticket and h[2] == fence then",
		"if h[1] == ticket then",
	}
	lookAtLease     = guard{"the look at the lease", "", "if h[1] and tonumber(h[2]) <= now then", "if false then"}
	memoryOfRelease = guard{
		"the memory of a release", opRelease,
		"elseif call('HGET', record, done_by) == fence then",
		"elseif false then",
	}
	memoryOfReturn = guard{
		"the memory of a return", opReturn,
		"call('HGET', record, done_by) == fence then",
		"false then",
	}
	numberOfKnownTicket = guard{
		"the number of a known ticket", opEnter,
		"if known_arrival then arrival = known_arrival elseif",
		"if",
	}
	orderOfLine = guard{
		"the order of the line", "",
		"call('ZRANGE', waiting, 0, 0, 'WITHSCORES')\n    if",
		"call('ZRANGE', waiting, -1, -1, 'WITHSCORES')\n    if",
	}
	parkedAhead = guard{
		"the parked ahead, in a place", opEnter,
		"rank + 1 + call('ZCOUNT', parked, '-inf', '(' .. arrival)",
		"rank + 1",
	}
	placeOfParked = guard{
		"the place of the parked", opEnter,
		"known_arrival, served = known_arrival or queued[i] or away,",
		"known_arrival, served = known_arrival or queued[i],",
	}
	placeOnParkingAgain = guard{"the place of a parked ticket", opPark, "or call('ZSCORE', parked, ticket)", "or 1"}
	placeOnReentry      = guard{
		"the place of who enters again", opEnter,
		"    adopt(owner)\n    set_owner()",
		"    call('ZREM', waiting, ticket)\n    adopt(owner)\n    set_owner()",
	}
	removalOfDead         = guard{"the removal of the dead", "", "if #dead == 0 then return end", "do return end"}
	requestOfClose        = guard{"the request of a closing", opClose, "if before[1] == request then", "if false then"}
	requestOfTake         = guard{"the request of a take", opTake, "local again = h[4] == request", "local again = false"}
	returnOfAdoptedHolder = guard{
		"the return of a holder that was adopted", "",
		"if call('ZSCORE', alive, ticket) then",
		"if false then",
	}
	returnOfTaken = guard{
		"the return of those taken along", "",
		"for i = 1, #run, 2 do call('ZADD', waiting, run[i + 1], run[i]) end",
		"",
	}
	waitForOlder = guard{"the wait for older tickets", "", "if till > now and till > r.till then", "if false then"}
)
