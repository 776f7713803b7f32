// go-redis with its automatic pipelining, which it calls experimental: callers share connections.
package main

import (
	"context"

	"github.com/redis/go-redis/v9"
	"redis_peers/callers"
)

func main() {
	work := callers.FromArguments()
	client := redis.NewClient(&redis.Options{Addr: work.Address, PoolSize: work.Callers, DisableIdentity: true})
	defer client.Close()
	pipeliner, err := client.AutoPipeline()
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	work.Run(func(key string) (string, error) { return pipeliner.Get(ctx, key).Result() })
}
