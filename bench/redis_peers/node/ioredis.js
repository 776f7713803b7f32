// ioredis: callers share a connection, their commands are joined. See ../README.md.

import Redis from "ioredis";

const KEYS = 10_000;
const [host, port, callers, operations] = [process.argv[2], ...process.argv.slice(3).map(Number)];
const each = Math.floor(operations / callers);
const keys = Array.from({ length: KEYS }, (_, i) => "key:" + String(i).padStart(12, "0"));
const client = new Redis({ host, port, enableAutoPipelining: true });

async function caller(number) {
  for (let turn = 0; turn < each; turn++) {
    const value = await client.get(keys[(turn * callers + number) % KEYS]);
    if (value.length !== 32) throw new Error("another answer");
  }
}

const pass = () => Promise.all(Array.from({ length: callers }, (_, number) => caller(number)));

await pass(); // to get warm
const began = performance.now();
const used = process.cpuUsage(); // of all threads
await pass();
const seconds = (performance.now() - began) / 1e3;
const cpu = process.cpuUsage(used);
console.log(JSON.stringify({ operations: each * callers, seconds, cpu_seconds: (cpu.user + cpu.system) / 1e6 }));
client.disconnect();
