import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

import chromium from "@sparticuz/chromium";

import { DEFAULT_ROUTER, ROUTER_ADDRESS } from "../../packages/protocol/src/generations/routers.ts";
import { toTable } from "../../bench/table.ts";
import { TEMPLATE_NAMES, type TemplateName } from "../../packages/create-crosscall/src/templates.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { localNodeRequest } from "../../packages/crosscall/src/localnet/devchain/node.ts";
import { CONTRACT_SOURCES } from "../../packages/crosscall/src/localnet/devchain/published.ts";
import { startAnvil, startProgram, stopPrograms } from "../../test/integration/support/processes.ts";

const BASE = 8453;
const USDC_ON_BASE = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

/** Private key of the first account of every local node. */
const PRIVATE_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

const execute = promisify(execFile);

/**
 * Creates a project from each template with the packed command, installs it with the packed packages, and runs its
 * tests. Prints the duration.
 *
 * @param options.node path of the only Node.js program that the projects can use
 * @returns the failures
 */
export async function checkTemplates({
  folder,
  tarballs,
  node,
}: {
  readonly folder: string;
  readonly tarballs: Readonly<Record<string, string>>;
  readonly node: string;
}): Promise<readonly string[]> {
  const faults: string[] = [];
  const rows = [["template", "create s", "install s", "test s", "total s"]];
  try {
    for (const template of TEMPLATE_NAMES) {
      try {
        await checkTemplate(template);
      } catch (error) {
        const { stdout, stderr } = error as { readonly stdout?: string; readonly stderr?: string };
        faults.push(`template ${template}\n${stdout ?? ""}${stderr ?? String(error)}`);
      }
    }
  } finally {
    await stopPrograms();
  }
  console.log(toTable(rows));
  return faults;

  async function checkTemplate(template: TemplateName): Promise<void> {
    const project = join(folder, `my-${template}`);
    const { "@crosscall/contracts": contracts = "", "create-crosscall": _, ...others } = tarballs;
    const needed = [...(template === "proxy" ? [contracts] : []), ...Object.values(others)];
    const browser = { CHROMIUM_PATH: await chromium.executablePath(), TMPDIR: folder };
    const seconds: number[] = [];
    for (const [cwd, args] of [
      [
        folder,
        ["exec", "--yes", "--package", String(tarballs["create-crosscall"]), "--", "create-crosscall"].concat([
          `my-${template}`,
          "--template",
          template,
        ]),
      ],
      // Overrides the packages, because they are not in a registry yet.
      [project, ["install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error", ...needed]],
      [project, ["test"]],
    ] as const) {
      console.error(`template ${template}: npm ${args.join(" ")}...`);
      const started = performance.now();
      await run(cwd, args, browser);
      seconds.push((performance.now() - started) / 1000);
    }
    const total = seconds.reduce((sum, part) => sum + part, 0);
    rows.push([template, ...[...seconds, total].map((part) => part.toFixed(1))]);
    await run(project, ["run", "types"]);
    if (template === "proxy") await checkForkAndDeployment(project);
  }

  /** Runs the fork test and the deployment, with local nodes instead of Base. */
  async function checkForkAndDeployment(project: string): Promise<void> {
    // The fork test needs OP Stack blocks.
    const nodeArgs = [
      "node",
      "--chain-type",
      "op",
      "--chain-id",
      String(BASE),
      "--hostname",
      "127.0.0.1",
      "--port",
      "0",
    ];
    const { ready: forkUrl } = await startProgram(
      "node_modules/.bin/hardhat",
      nodeArgs,
      (line) => /server at (http:.*?)\/?$/u.exec(line)?.[1],
    );
    await placeContracts(forkUrl);
    const { stdout } = await run(project, ["test"], { BASE_RPC_URL: forkUrl });
    if (!/^ {2}4 passing/mu.test(stdout)) throw new Error(`the fork test did not run:\n${stdout}`);

    // Mines a block per second, because a deployment waits for confirmations.
    const { ready: url } = await startAnvil(BASE, "--block-time", "1");
    await placeContracts(url);
    await run(project, ["run", "deploy"], {
      BASE_RPC_URL: url,
      BASE_PRIVATE_KEY: PRIVATE_KEY,
      HARDHAT_IGNITION_CONFIRM_DEPLOYMENT: "false",
    });
  }

  async function placeContracts(url: string): Promise<void> {
    const client = chainClient(BASE, url);
    for (const [address, source] of [
      [USDC_ON_BASE, "localnet/tokens/LocalDollar"],
      [ROUTER_ADDRESS, CONTRACT_SOURCES[`router ${DEFAULT_ROUTER}`]],
    ] as const) {
      await localNodeRequest(client, "hardhat_setCode", [address, readArtifact(source).deployedBytecode]);
    }
  }

  function run(cwd: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}) {
    const env = {
      ...process.env,
      ...variables,
      NODE_OPTIONS: "",
      NO_COLOR: "1",
      PATH: `${join(node, "..")}:${process.env.PATH}`,
    };
    return execute("npm", args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
  }
}
