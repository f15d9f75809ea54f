// The first commands of the documentation for five kinds of readers.
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { ROOT } from "../publishedPackages.ts";
import type { Shell } from "./shell.ts";

export interface FirstSteps {
  readonly who: string;
  /** Page that the reader follows. */
  readonly page: string;
  /** Throws unless the reader succeeds. */
  readonly run: (shell: Shell) => Promise<void>;
}

/** Other programs publish it in their npm packages; `forge init` clones it. */
const FORGE_STD = "node_modules/@uniswap/v4-periphery/lib/v4-core/lib/forge-std";

/** Compiler from npm, because forge would download one. */
const COMPILER = `#!/usr/bin/env node
const solc = require(${JSON.stringify(createRequire(import.meta.url).resolve("solc"))});
const { readFileSync } = require("node:fs");
process.stdout.write(
  process.argv.includes("--version") ? "Version: " + solc.version() + "\\n" : solc.compile(readFileSync(0, "utf8")),
);
`;

export const AGENT_FILE = "agent.mjs";

/** What an agent does through the server: start a network, compose a deposit, and show that it works for all amounts. */
const AGENT = `
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
const client = new Client({ name: "agent", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: "npx", args: ["crosscall", "mcp", "--allow-control"] }));
const call = async (name, args = {}) => {
  const { structuredContent } = await client.callTool({ name, arguments: args }, undefined, { timeout: 120_000 });
  console.log(name, JSON.stringify(structuredContent));
  return structuredContent;
};
const { user, contracts, chains: [origin, destination] } = await call("start_network");
const { dollar: asset, vault, vaultProxy: proxy } = contracts[destination.id];
const { requestId: quote } = await call("quote", {
  plan: {
    recipe: "erc4626Deposit", args: { vault, asset }, proxy, tradeType: "EXACT_INPUT", amount: "1000000000000000000",
    user, refundTo: user, originChainId: origin.id, originCurrency: "0x0000000000000000000000000000000000000000",
    destinationChainId: destination.id,
  },
});
await call("replay", { quote, envelope: true, from: "1", to: "1000000000000" });
await call("stop_network");
await client.close();
`;

export const FIRST_STEPS: readonly FirstSteps[] = [
  {
    who: "contract engineer, Hardhat",
    page: "docs/start.md",
    async run(shell) {
      await shell.run("npm create crosscall my-proxy -- --template proxy");
      await shell.run("cd my-proxy && npm install");
      expectText(await shell.run("cd my-proxy && npm test"), /^ {2}3 passing/mu);
    },
  },
  {
    who: "contract engineer, Foundry",
    page: "docs/foundry.md",
    async run(shell) {
      // Instead of `forge init`, which needs GitHub.
      await mkdir(join(shell.folder, "lib"));
      await symlink(join(ROOT, FORGE_STD), join(shell.folder, "lib/forge-std"));
      await writeFile(join(shell.folder, "solc"), COMPILER, { mode: 0o755 });
      const page = await readFile(join(ROOT, "docs/foundry.md"), "utf8");
      for (const [, path = "", text = ""] of page.matchAll(/^`([\w./]+)`:\n\n```\w+\n(.*?)^```$/gmsu)) {
        await mkdir(dirname(join(shell.folder, path)), { recursive: true });
        await writeFile(join(shell.folder, path), text);
      }
      for (const name of ["MintProxy.sol", "NftSale.sol"]) {
        await cp(join(ROOT, "examples", name), join(shell.folder, "src", name));
      }
      await shell.run("npm install --save-dev @crosscall/contracts");
      const options = "FOUNDRY_OFFLINE=true FOUNDRY_SOLC=./solc";
      expectText(
        await shell.run(`${options} forge test --no-match-contract Fork`),
        /Suite result: ok\. 3 passed; 0 failed/u,
      );
    },
  },
  {
    who: "app developer",
    page: "README.md",
    async run(shell) {
      const readme = await readFile(join(ROOT, "README.md"), "utf8");
      const program = /^Save the program as `deposit\.mts`.*?```ts\n(.*?)^```$/msu.exec(readme)?.[1] ?? "";
      await shell.run("npm install crosscall @crosscall/sdk viem");
      await writeFile(join(shell.folder, "deposit.mts"), program);
      expectText(await shell.run("node deposit.mts"), /^success$/mu);
    },
  },
  {
    who: "support engineer",
    page: "docs/why-fills-fail.md",
    async run(shell) {
      await shell.run("npm install --save-dev crosscall viem");
      await shell.startUntil("npx crosscall up", /127\.0\.0\.1/u);
      const requestId = /0x[0-9a-f]{64}/u.exec(await shell.run("npx crosscall trigger SLIPPAGE"))?.[0] ?? "";
      const report = await shell.run(`npx crosscall replay ${requestId}`, { isExpectedToFail: true });
      expectText(report, /^Injected by the scenario SLIPPAGE[^]*^The fill fails: SLIPPAGE/mu);
    },
  },
  {
    who: "operator",
    page: "docs/oracle.md",
    async run(shell) {
      await shell.run("npm install --save-dev crosscall viem");
      await shell.startUntil("npx crosscall up --rpc-port 8645", /127\.0\.0\.1:8646/u);
      const variables = [
        "ENVIRONMENT=localnet HTTP_PORT=3190 ECDSA_PRIVATE_KEY=$(openssl rand -hex 32)",
        "LOCAL_31337_RPC_URL=http://127.0.0.1:8645 LOCAL_31338_RPC_URL=http://127.0.0.1:8646",
      ].join(" ");
      await shell.startUntil(
        `export ${variables}; npx crosscall oracle start --configs node_modules/crosscall/configs`,
        /127\.0\.0\.1:3190/u,
      );
      const checked = await shell.run("npx crosscall oracle check http://127.0.0.1:3190");
      if ((checked.match(/^ok /gmu) ?? []).length !== 5) throw new Error(checked);
    },
  },
  {
    who: "agent",
    page: "docs/agents.md",
    async run(shell) {
      await shell.run("npm install --save-dev crosscall viem @modelcontextprotocol/sdk");
      await writeFile(join(shell.folder, AGENT_FILE), AGENT);
      expectText(await shell.run(`node ${AGENT_FILE}`), /"worksForAll":true/u);
    },
  },
];

function expectText(output: string, pattern: RegExp): void {
  if (!pattern.test(output)) throw new Error(`${pattern} is not in:\n${output}`);
}
