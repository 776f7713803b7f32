// Lettuce: callers share a connection, by its asynchronous commands.

import io.lettuce.core.RedisClient;

public final class Lettuce {
    public static void main(String[] words) throws InterruptedException {
        Callers work = new Callers(words);
        RedisClient client = RedisClient.create(work.address);
        var commands = client.connect().async();
        work.run(commands::get);
        client.shutdown();
    }
}
