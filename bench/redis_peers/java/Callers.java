// What the programs of this folder share: the work, its clock and its processor time. See ../README.md.

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

final class Callers {
    static final int KEYS = 10_000;

    final String address;
    final int callers;
    private final int each;
    private final String[] keys = new String[KEYS];
    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** PROGRAM HOST PORT CALLERS OPERATIONS */
    Callers(String[] words) {
        address = "redis://" + words[0] + ":" + words[1];
        callers = Integer.parseInt(words[2]);
        each = Integer.parseInt(words[3]) / callers;
        for (int i = 0; i < KEYS; i++) {
            keys[i] = String.format("key:%012d", i);
        }
    }

    /** Does the work twice, the first time to get warm, and prints what the second took. */
    void run(Function<String, CompletionStage<String>> get) throws InterruptedException {
        pass(get);
        long began = System.nanoTime();
        long used = process.getProcessCpuTime(); // of all threads, the compiler's and the collector's too
        pass(get);
        double seconds = (System.nanoTime() - began) / 1e9;
        double cpu = (process.getProcessCpuTime() - used) / 1e9;
        System.out.printf(Locale.ROOT, "{\"operations\": %d, \"seconds\": %.6f, \"cpu_seconds\": %.6f}%n", each * callers, seconds, cpu);
    }

    private void pass(Function<String, CompletionStage<String>> get) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(callers);
        for (int caller = 0; caller < callers; caller++) {
            ask(get, caller, 0, ended);
        }
        ended.await();
    }

    /** A caller asks again when it has its answer; no thread waits for it. */
    private void ask(Function<String, CompletionStage<String>> get, int caller, int turn, CountDownLatch ended) {
        if (turn == each) {
            ended.countDown();
            return;
        }
        get.apply(keys[(int) (((long) turn * callers + caller) % KEYS)]).whenComplete((value, error) -> {
            if (error != null || value == null || value.length() != 32) {
                System.err.println("another answer: " + error);
                Runtime.getRuntime().halt(3);
            }
            ask(get, caller, turn + 1, ended);
        });
    }
}
