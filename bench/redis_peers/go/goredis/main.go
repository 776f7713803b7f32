// go-redis: a connection for each caller, from its pool.
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
	ctx := context.Background()
	work.Run(func(key string) (string, error) { return client.Get(ctx, key).Result() })
}
