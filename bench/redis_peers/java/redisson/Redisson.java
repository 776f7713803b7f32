// Redisson: a connection for each caller, from its pool, by its asynchronous commands.

import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

public final class Redisson {
    public static void main(String[] words) throws InterruptedException {
        Callers work = new Callers(words);
        Config config = new Config();
        config.useSingleServer().setAddress(work.address).setConnectionPoolSize(work.callers).setConnectionMinimumIdleSize(work.callers);
        var client = org.redisson.Redisson.create(config);
        work.run(key -> client.<String>getBucket(key, StringCodec.INSTANCE).getAsync());
        client.shutdown();
    }
}
