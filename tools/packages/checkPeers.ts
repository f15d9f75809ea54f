// Uses the packages with the oldest and the newest version of each peer dependency.
import { cp, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import chromium from "@sparticuz/chromium";

import { ROOT } from "./publishedPackages.ts";

const COMPILER = join(ROOT, "node_modules/typescript/bin/tsc");

/** Functions from the check of the packages. */
export interface PackageTools {
  readonly tarballs: Readonly<Record<"@crosscall/contracts" | "@crosscall/sdk" | "crosscall", string>>;
  readonly startProject: (name: string) => Promise<string>;
  readonly install: (project: string, names: readonly string[]) => Promise<void>;
  readonly expectSuccess: (
    what: string,
    program: string,
    args: readonly string[],
    cwd?: string,
    variables?: NodeJS.ProcessEnv,
  ) => Promise<void>;
}

const TYPECHAIN = `import type { PushExecutor } from "@crosscall/contracts/typechain-types";
export const pullerOf = (executor: PushExecutor): Promise<string> => executor.livePuller();
// @ts-expect-error The contract has no such function.
export const nothingOf = (executor: PushExecutor): unknown => executor.nothing();
`;

const BROWSER = `import { expect, test as base } from "@playwright/test";
import { withLocalnet } from "crosscall/testing/browser";

interface Page {
  readonly ethereum: { request(call: { method: string; params?: unknown[] }): Promise<unknown> };
}

const test = withLocalnet(base, { network: { oracle: false } });

test("pays with the wallet, and lets the user refuse", async ({ page, network, wallet }) => {
  await page.goto(network.consoleUrl);
  const [from] = (await page.evaluate(() =>
    (globalThis as unknown as Page).ethereum.request({ method: "eth_requestAccounts" }),
  )) as string[];
  expect(from?.toLowerCase()).toBe(wallet.address.toLowerCase());
  const pay = () =>
    page.evaluate(
      (account) =>
        (globalThis as unknown as Page).ethereum
          .request({ method: "eth_sendTransaction", params: [{ from: account, to: account, value: "0x1" }] })
          .catch((error: { code: number }) => error.code),
      from,
    );
  expect(await pay()).toMatch(/^0x[0-9a-f]{64}$/);
  wallet.rejectNext("eth_sendTransaction");
  expect(await pay()).toBe(4001);
});
`;

export async function checkPeers(tools: PackageTools): Promise<void> {
  const viems = await endsOf("packages/sdk", "viem");
  const ethers = await endsOf("contracts", "ethers");
  const chais = await endsOf("packages/crosscall", "chai");
  const hardhats = await endsOf("packages/crosscall", "hardhat");
  const playwrights = await endsOf("packages/crosscall", "@playwright/test");
  // npm replaces the oldest versions in the same project, as in an update.
  const project = await tools.startProject("peers");
  for (const end of [0, 1] as const) {
    await checkEnd(tools, project, {
      viem: viems[end],
      ethers: ethers[end],
      chai: chais[end],
      hardhat: hardhats[end],
      playwright: playwrights[end],
    });
  }
}

/** Returns the oldest version of a range, and the newest major version. */
async function endsOf(folder: string, name: string): Promise<readonly [oldest: string, newest: string]> {
  const { peerDependencies } = JSON.parse(await readFile(join(ROOT, folder, "package.json"), "utf8")) as {
    readonly peerDependencies: Readonly<Record<string, string>>;
  };
  const range = peerDependencies[name] ?? "";
  return [/[\d.]+/u.exec(range)?.[0] ?? "", range];
}

interface Peers {
  readonly viem: string;
  readonly ethers: string;
  readonly chai: string;
  readonly hardhat: string;
  readonly playwright: string;
}

async function checkEnd(
  { tarballs, install, expectSuccess }: PackageTools,
  project: string,
  { viem, ethers, chai, hardhat, playwright }: Peers,
): Promise<void> {
  const manifest = { name: "integrator", type: "module" };
  const files = {
    "package.json": JSON.stringify(manifest),
    "hardhat.config.js": "export default {};\n",
    "typechain.ts": TYPECHAIN,
    "wallet.spec.ts": BROWSER,
  };
  await cp(join(ROOT, "test/support/outside/peers"), project, { recursive: true });
  // Uses a TypeScript configuration, because Playwright 1.50 hangs while loading a configuration in JavaScript.
  await rename(join(project, "playwright.config.js"), join(project, "playwright.config.ts"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
  await install(project, [
    ...Object.values(tarballs),
    ...[`viem@${viem}`, `ethers@${ethers}`, `chai@${chai}`, `hardhat@${hardhat}`, `@playwright/test@${playwright}`],
  ]);
  const node = (name: string, file: string): Promise<void> => expectSuccess(name, process.execPath, [file], project);
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "node20", "--target", "es2022"];
  const types = [
    "--lib",
    "es2023,esnext.disposable,dom",
    "--types",
    "node",
    "--typeRoots",
    join(ROOT, "node_modules/@types"),
  ];
  const checked = [COMPILER, ...options, ...types, "typechain.ts", "wallet.spec.ts"];
  await expectSuccess(`types, ethers ${ethers}, Playwright ${playwright}`, process.execPath, checked, project);
  await node(`execution, viem ${viem}, ethers ${ethers}`, "pay.js");
  await node(`matchers, chai ${chai}, Hardhat ${hardhat}`, "match.js");
  const executable = await chromium.executablePath();
  const variables = { CHROMIUM_PATH: executable, TMPDIR: project };
  const program = join(project, "node_modules/@playwright/test/cli.js");
  await expectSuccess(`Playwright ${playwright}`, process.execPath, [program, "test"], project, variables);
}
