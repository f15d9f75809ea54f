#!/usr/bin/env node
// Checks the Node.js version before other imports, which older releases cannot load.
const OLDEST = [20, 12] as const;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  console.error(
    `Failed: create-crosscall needs Node.js ${OLDEST.join(".")} or newer. This is ${process.versions.node}.`,
  );
  console.error("To do: Install the current LTS release from https://nodejs.org.");
  process.exitCode = 1;
} else {
  const { runCommand } = await import("./runCommand.ts");
  const interrupt = new AbortController();
  process.on("SIGINT", () => interrupt.abort());
  process.exitCode = await runCommand(process.argv.slice(2), {
    workingFolder: process.cwd(),
    nodeVersion: process.versions.node,
    userAgent: process.env.npm_config_user_agent,
    isTerminal: process.stdin.isTTY && process.stdout.isTTY,
    signal: interrupt.signal,
    print: console.log,
    printError: console.error,
  });
}
