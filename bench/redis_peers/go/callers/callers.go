// Package callers is what the programs of this folder share: the work, its clock and its processor time. See ../../README.md.
package callers

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
)

const keyCount = 10_000

type Work struct {
	Address    string
	Callers    int
	operations int
	keys       []string
}

// FromArguments reads PROGRAM HOST PORT CALLERS OPERATIONS.
func FromArguments() Work {
	callers, operations := number(os.Args[3]), number(os.Args[4])
	work := Work{os.Args[1] + ":" + os.Args[2], callers, operations / callers * callers, nil}
	for i := range keyCount {
		work.keys = append(work.keys, fmt.Sprintf("key:%012d", i))
	}
	return work
}

// Run does the work twice, the first time to get warm, and prints what the second took.
func (work Work) Run(get func(key string) (string, error)) {
	work.pass(get)
	began, used := time.Now(), processorSeconds()
	work.pass(get)
	seconds, cpu := time.Since(began).Seconds(), processorSeconds()-used
	fmt.Printf(`{"operations": %d, "seconds": %.6f, "cpu_seconds": %.6f}`+"\n", work.operations, seconds, cpu)
}

func (work Work) pass(get func(key string) (string, error)) {
	var all sync.WaitGroup
	for caller := range work.Callers {
		all.Add(1)
		go func() {
			defer all.Done()
			for turn := range work.operations / work.Callers {
				value, err := get(work.keys[(turn*work.Callers+caller)%keyCount])
				if err != nil || len(value) != 32 {
					panic(fmt.Sprint("another answer: ", err))
				}
			}
		}()
	}
	all.Wait()
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return value
}

// Of all threads of this process.
func processorSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}
