// rueidis: callers share a connection, their commands are joined.
package main

import (
	"context"

	"github.com/redis/rueidis"
	"redis_peers/callers"
)

func main() {
	work := callers.FromArguments()
	client, err := rueidis.NewClient(rueidis.ClientOption{
		InitAddress:       []string{work.Address},
		DisableCache:      true,
		AlwaysPipelining:  true,
		PipelineMultiplex: 0, // 2^0 connections
	})
	if err != nil {
		panic(err)
	}
	defer client.Close()
	ctx := context.Background()
	work.Run(func(key string) (string, error) { return client.Do(ctx, client.B().Get().Key(key).Build()).ToString() })
}
