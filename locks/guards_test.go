package locks

// The guards that several tests take away.
var (
	clockInCounter = guard{
		"the clock in the counter", "",
		"local first = now\n",
		"local first = tonumber(call('GET', counter) or 0) + 1\n",
	}
	fenceOfRelease = guard{
		"the fence of a release", opRelease,
		"if r.ticket == ticket and r.fence == fence then",
		"if r.ticket == ticket then",
	}
	lookAtLease = guard{"the look at the lease", "", "if not r.ticket or tonumber(r['end']) > now then",
		"if true then"}
	memoryOfRelease = guard{
		"the memory of a release", opRelease,
		"if r[ended] == fence then",
		"if false then",
	}
	returnOfUnknown = guard{
		"the return of those that the holder does not know of", opRelease,
		"if names_all and not results[run[i]] then",
		"if false then",
	}
	memoryOfReturn = guard{
		"the memory of a return", opReturn,
		"r[ended] == fence then",
		"false then",
	}
	numberOfKnownTicket = guard{
		"the number of a known ticket", opEnter,
		"if e.known then e.arrival = e.known elseif e.arrival == '0' then drawn[#drawn + 1] = e end",
		"drawn[#drawn + 1], e.stands = e, {}",
	}
	orderOfLine = guard{
		"the order of the line", "",
		"call('ZPOPMIN', waiting, 1)\n    if",
		"call('ZPOPMAX', waiting, 1)\n    if",
	}
	lookAtNode = guard{"the look at a head's node", "", "if beats(head.owner) then return head end",
		"if true then return head end"}
	lossOfTheDead = guard{
		"the end of those whom nobody can serve", "",
		"    lose(head.ticket, head.arrival)\n  end",
		"    call('ZADD', waiting, head.arrival, head.ticket)\n    do return nil end\n  end",
	}
	adoptionOfHead = guard{
		"the adoption of a head", "",
		"if head.work ~= '' then",
		"if false then",
	}
	placeOnReentry = guard{
		"the place of who enters again", opEnter,
		"e.stands[i], found = true, true",
		"e.stands[i], found = nil, true",
	}
	requestOfClose = guard{"the request of a closing", opClose, "if before[1] == request then", "if false then"}
	requestOfTake  = guard{"the request of a take", opTake, "local again = before[1] == request", "local again = false"}
	returnOfHolder = guard{
		"the return of a holder that others can serve", "",
		"end_turn(work ~= '' or beats(owner) and (owner ~= r.node or lapsed == 2 and owner == node))",
		"end_turn(false)",
	}
	returnOfTaken = guard{
		"the return of those taken along", "",
		"for i = 1, #run, 2 do call('ZADD', waiting, run[i + 1], run[i]) end",
		"",
	}
	turnOfLeaver = guard{
		"the turn that a leaver has", opLeave,
		"    status = 2\n",
		"    if r.ticket == ticket then call('HDEL', tickets, ticket) free_line() status = 1 end\n",
	}
	waitForOlder = guard{
		"the wait for older tickets", "",
		"if known ~= '0' and tonumber(known) < tonumber(r.born) then",
		"if false then",
	}
)
