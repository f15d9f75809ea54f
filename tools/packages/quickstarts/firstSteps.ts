// What the documentation tells five kinds of readers to do first. Every command is a line of the documentation.
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { ROOT } from "../publishedPackages.ts";
import type { Stranger } from "./stranger.ts";

export interface Path {
  readonly who: string;
  /** Page that the reader follows. */
  readonly page: string;
  /** Throws unless the reader succeeds. */
  readonly walk: (stranger: Stranger) => Promise<void>;
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

export const PATHS: readonly Path[] = [
  {
    who: "contract engineer, Hardhat",
    page: "docs/start.md",
    async walk(stranger) {
      await stranger.run("npm create crosscall my-proxy -- --template proxy");
      await stranger.run("cd my-proxy && npm install");
      expectText(await stranger.run("cd my-proxy && npm test"), /^ {2}3 passing/mu);
    },
  },
  {
    who: "contract engineer, Foundry",
    page: "docs/foundry.md",
    async walk(stranger) {
      // Instead of `forge init`, which needs GitHub.
      await mkdir(join(stranger.folder, "lib"));
      await symlink(join(ROOT, FORGE_STD), join(stranger.folder, "lib/forge-std"));
      await writeFile(join(stranger.folder, "solc"), COMPILER, { mode: 0o755 });
      const page = await readFile(join(ROOT, "docs/foundry.md"), "utf8");
      for (const [, path = "", text = ""] of page.matchAll(/^`([\w./]+)`:\n\n```\w+\n(.*?)^```$/gmsu)) {
        await mkdir(dirname(join(stranger.folder, path)), { recursive: true });
        await writeFile(join(stranger.folder, path), text);
      }
      for (const name of ["MintProxy.sol", "NftSale.sol"]) {
        await cp(join(ROOT, "examples", name), join(stranger.folder, "src", name));
      }
      await stranger.run("npm install --save-dev @crosscall/contracts");
      const options = "FOUNDRY_OFFLINE=true FOUNDRY_SOLC=./solc";
      expectText(
        await stranger.run(`${options} forge test --no-match-contract Fork`),
        /Suite result: ok\. 3 passed; 0 failed/u,
      );
    },
  },
  {
    who: "app developer",
    page: "README.md",
    async walk(stranger) {
      const readme = await readFile(join(ROOT, "README.md"), "utf8");
      const program = /^Save the program as `deposit\.mts`.*?```ts\n(.*?)^```$/msu.exec(readme)?.[1] ?? "";
      await stranger.run("npm install crosscall @crosscall/sdk viem");
      await writeFile(join(stranger.folder, "deposit.mts"), program);
      expectText(await stranger.run("node deposit.mts"), /^success$/mu);
    },
  },
  {
    who: "support engineer",
    page: "docs/why-fills-fail.md",
    async walk(stranger) {
      await stranger.run("npm install --save-dev crosscall viem");
      await stranger.startUntil("npx crosscall up", /127\.0\.0\.1/u);
      const requestId = /0x[0-9a-f]{64}/u.exec(await stranger.run("npx crosscall trigger SLIPPAGE"))?.[0] ?? "";
      const report = await stranger.run(`npx crosscall replay ${requestId}`, { isExpectedToFail: true });
      expectText(report, /^Injected by the scenario SLIPPAGE[^]*^The fill fails: SLIPPAGE/mu);
    },
  },
  {
    who: "operator",
    page: "docs/oracle.md",
    async walk(stranger) {
      await stranger.run("npm install --save-dev crosscall viem");
      await stranger.startUntil("npx crosscall up --rpc-port 8645", /127\.0\.0\.1:8646/u);
      const variables = [
        "ENVIRONMENT=localnet HTTP_PORT=3190 ECDSA_PRIVATE_KEY=$(openssl rand -hex 32)",
        "LOCAL_31337_RPC_URL=http://127.0.0.1:8645 LOCAL_31338_RPC_URL=http://127.0.0.1:8646",
      ].join(" ");
      await stranger.startUntil(
        `export ${variables}; npx crosscall oracle start --configs node_modules/crosscall/configs`,
        /127\.0\.0\.1:3190/u,
      );
      const checked = await stranger.run("npx crosscall oracle check http://127.0.0.1:3190");
      if ((checked.match(/^ok /gmu) ?? []).length !== 5) throw new Error(checked);
    },
  },
  {
    who: "agent",
    page: "docs/agents.md",
    async walk(stranger) {
      await stranger.run("npm install --save-dev crosscall viem @modelcontextprotocol/sdk");
      await writeFile(join(stranger.folder, AGENT_FILE), AGENT);
      expectText(await stranger.run(`node ${AGENT_FILE}`), /"worksForAll":true/u);
    },
  },
];

function expectText(output: string, pattern: RegExp): void {
  if (!pattern.test(output)) throw new Error(`${pattern} is not in:\n${output}`);
}
