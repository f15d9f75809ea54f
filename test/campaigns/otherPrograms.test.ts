import { expect } from "chai";

import { COPIES, findCopy, versionOf } from "./otherPrograms/copies.ts";
import { runGaslessExample, runPermitExample, runServerActions, runWalletActions } from "./otherPrograms/examples.ts";
import { runProvider } from "./otherPrograms/interopSdk.ts";
import { redirectFetch } from "./otherPrograms/redirectFetch.ts";
import { callTools, runLiveTests } from "./otherPrograms/relayMcp.ts";
import { type Check, openStage, type Stage } from "./otherPrograms/stage.ts";
import { runEthersAdapter, runSvmAdapter } from "./otherPrograms/walletAdapters.ts";

const ADAPTERS = "node_modules/@relayprotocol";

type Run = (folder: string, stage: Stage, check: Check) => Promise<void>;

/** Checks to run in each folder of copies. docs/web.md explains how to add the copies. */
const PROGRAMS: readonly (readonly [folder: string, what: string, run: Run])[] = [
  ["relay-mcp", "live tests", runLiveTests],
  ["relay-mcp", "tools", callTools],
  [
    "relay-gasless-examples/4337-gasless",
    "payment to the fill",
    (folder, ...rest) => runGaslessExample(folder, "src/gasless-4337.ts", ...rest),
  ],
  [
    "relay-gasless-examples/7702-batch-executor",
    "payment to the fill",
    (folder, ...rest) => runGaslessExample(folder, "src/gasless-swap.ts", ...rest),
  ],
  ["relay-gasless-examples/byo-eoa-permit", "routes between chains", runPermitExample],
  ["relay-wallet-provider-examples/privy", "actions", runWalletActions],
  ["relay-wallet-provider-examples/turnkey", "actions", runWalletActions],
  ["relay-wallet-provider-examples/crossmint", "actions", runServerActions],
  ["interop-sdk/packages/cross-chain", "provider", runProvider],
  [`ethers-adapter/${ADAPTERS}/relay-ethers-wallet-adapter`, "payments", runEthersAdapter],
  [`svm-adapter/${ADAPTERS}/relay-svm-wallet-adapter`, "payments from Solana", runSvmAdapter],
];

// Other people's programs are not in this repository. CROSSCALL_OTHER_PROGRAMS is the path of a folder with copies
// of them.
describe("other people's programs, unmodified, on a network that mimics mainnet", () => {
  let stage: Stage;
  let close = (): Promise<void> => Promise.resolve();

  before(async function skipWithoutCopies() {
    if (COPIES === undefined) {
      console.log("  Skipped: CROSSCALL_OTHER_PROGRAMS names no folder with copies of other people's programs.");
      this.skip();
    }
    stage = await openStage();
    const restore = redirectFetch(stage.redirects);
    close = async () => {
      restore();
      await stage.network.close();
    };
  });
  after(() => close());

  for (const [path, what, run] of PROGRAMS) {
    it(`${path}: ${what}`, async function skipIfMissing() {
      const folder = findCopy(path);
      if (folder === undefined) {
        console.log(`      skipped: ${path} is not in the folder of copies`);
        this.skip();
      }
      const failures = new Map<string, string>();
      let checks = 0;
      await run(folder, stage, async (name, act) => {
        checks += 1;
        try {
          await act();
        } catch (error) {
          failures.set(name, String(error).slice(0, 1_000));
        }
      });
      console.log(`      ${path}, ${await versionOf(folder)}, ${what}: ${checks - failures.size} of ${checks}`);
      for (const [name, reason] of failures) console.log(`        failed: ${name}: ${reason}`);
      expect([...failures.keys()]).to.deep.equal([]);
      expect(checks).to.be.greaterThan(0);
    });
  }
});
