// Generates docs/commands.md from the commands. `--check` writes nothing and fails if the page is out of date.
import { readFileSync, writeFileSync } from "node:fs";

import type { Command } from "commander";

import { createProgram } from "../program.ts";

const PAGE = new URL("../../docs/commands.md", import.meta.url);
const WIDTH = 110;

const HEAD = `# Commands

Generated from the commands by \`npm run generate\`.

Run \`npx crosscall <command>\` with the package installed, or \`npm run crosscall -- <command>\` in a checkout. Every command
has \`--help\` and \`--json\`.

- \`--json\` prints one object on standard output, and \`{"ok": false, "error": …}\` if the command fails. \`watch\` prints one
  object per line.
- Progress goes to standard error.
- Pass keys in environment variables: other users of the machine can read arguments.

| exit code | meaning                                                                                              |
| --------- | ---------------------------------------------------------------------------------------------------- |
| 0         | success; also commands that run until Ctrl-C                                                         |
| 1         | failure: the message states what failed, why, and what to do                                         |
| 2         | invalid command line; a message goes to standard error, and nothing is printed as JSON               |
| 130       | stopped by Ctrl-C or SIGTERM before the command was done, or \`send\` was not confirmed                |

A command also exits with 1 if its findings match \`--fail-on\` (\`plan\`, \`check\`, \`quote\`, \`migrate report\`), if the request is
not filled (\`send\`, \`watch\`), if the fill fails (\`replay\`), or if a check fails (\`signature verify\`, \`oracle check\`, \`oracle diff\`,
\`webhooks test\`).
`;

const page = [HEAD, ...listCommands(await createProgram()).map(toSection)].join("\n");
if (!process.argv.includes("--check")) {
  writeFileSync(PAGE, page);
} else if (readFileSync(PAGE, "utf8") !== page) {
  console.error("docs/commands.md is out of date: run `npm run generate`");
  process.exitCode = 1;
}

function listCommands(command: Command, name = ""): readonly (readonly [name: string, command: Command])[] {
  if (command.commands.length === 0) return [[name, command]];
  // Not the implicit help command.
  const visible = command.createHelp().visibleCommands(command);
  const children = command.commands
    .filter((child) => visible.includes(child))
    .flatMap((child) => listCommands(child, `${name} ${child.name()}`.trim()));
  return command.registeredArguments.length === 0 ? children : [[name, command], ...children];
}

function toSection([name, command]: readonly [name: string, command: Command]): string {
  return [`## ${name}`, "", "```text", helpOf(command), "```", ""].join("\n");
}

function helpOf(command: Command): string {
  let help = "";
  command.configureOutput({ getOutHelpWidth: () => WIDTH, writeOut: (text) => (help += text) });
  command.outputHelp();
  return help.trim();
}
