// Takes the screenshots of docs/images/: the console of a local network, and the report of a replay. Run `npm run
// docs:screenshots`, and review the images before you commit.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { encodeFunctionData, erc20Abi, parseUnits } from "viem";

import { type Localnet, localnet } from "../packages/crosscall/src/localnet/index.ts";
import { planVaultDeposit } from "../packages/crosscall/src/localnet/market/demoRequest.ts";
import {
  createSender,
  dollarRequest,
  endOf,
  quoteDollars,
  requestIdOf,
} from "../test/integration/support/scenarioRuns.ts";
import { startBrowser } from "../test/support/browser.ts";
import { until } from "../test/support/until.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

const WINDOW = { width: 1_280, height: 720 };

const started = await startBrowser();
const folder = await mkdtemp(join(tmpdir(), "crosscall-screenshots-"));
try {
  await using network = await localnet({ oracle: false });
  const failed = await fillRequests(network);
  const { consoleUrl } = network;
  await shoot("console-requests", `${consoleUrl}/requests`, network.createSignInUrl());
  await shoot("console-failure", `${consoleUrl}/requests/${failed}`, network.createSignInUrl());
  await shoot("console-fills", `${consoleUrl}/fills`, network.createSignInUrl());
  await shoot("replay-report", pathToFileURL(await writeReport(network, failed)).href);
} finally {
  await started.close();
  await rm(folder, { recursive: true });
}

/** @returns the id of a request that fails */
async function fillRequests(network: Localnet): Promise<string> {
  const send = createSender(network);
  const fill = async (change: Parameters<typeof quoteDollars>[1]): Promise<string> => {
    const quote = await quoteDollars(network, change);
    await send(quote);
    await endOf(network, requestIdOf(quote));
    return requestIdOf(quote);
  };
  const { dollar, vault } = network.chains[1].contracts;
  const fixedAmount = encodeFunctionData({
    abi: erc20Abi,
    functionName: "transfer",
    args: [vault, parseUnits("25", 6)],
  });
  for (const amount of ["5000000000000000", "20000000000000000"]) await fill({ amount });
  const failed = await fill({ txs: [{ to: dollar, data: fixedAmount, value: "0" }] });
  const { txs } = planVaultDeposit(network.chains[1].contracts, BigInt(dollarRequest(network).amount));
  await fill({ txs });
  await network.fills.hold();
  const held = await quoteDollars(network, { txs });
  await send(held);
  await until(async () => (await network.fills.list()).total === 1);
  await quoteDollars(network);
  return failed;
}

async function writeReport(network: Localnet, requestId: string): Promise<string> {
  const file = join(folder, "report.html");
  const service = ["--api-url", network.url, "--api-key", network.apiKey];
  const options = [...service, "--rpc-url", network.chains[1].rpcUrl, "--envelope", "--html", file];
  // The command exits with 1, because the fill fails.
  await promisify(execFile)(process.execPath, ["packages/crosscall/src/main.ts", "replay", requestId, ...options], {
    cwd: ROOT,
  }).catch(() => undefined);
  return file;
}

async function shoot(name: string, url: string, signInUrl?: string): Promise<void> {
  const page = await started.browser.newPage({ viewport: WINDOW, colorScheme: "light" });
  if (signInUrl !== undefined) await page.goto(signInUrl);
  await page.goto(url);
  await page.screenshot({ path: join(ROOT, `docs/images/${name}.png`), animations: "disabled" });
  await page.close();
  console.log(`docs/images/${name}.png`);
}
