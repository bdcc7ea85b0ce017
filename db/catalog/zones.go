package catalog

import (
	"fmt"
	"sync"
	"time"
)

// zones are those that were loaded, *time.Location by name.
var zones sync.Map

// LoadZone loads a time zone by its name, once.
func LoadZone(name string) (*time.Location, error) {
	if known, ok := zones.Load(name); ok {
		return known.(*time.Location), nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("catalog: time zone: %w", err)
	}
	zones.Store(name, zone)
	return zone, nil
}
