// Maporder finds ranges over maps that leave something behind which depends on the order of the map: it differs from run
// to run. It is a tool of go vet, which has it look at tests too:
//
//	go vet -vettool=maporder ./...
package main

import (
	"golang.org/x/tools/go/analysis/unitchecker"
)

func main() { unitchecker.Main(analyzer) }
