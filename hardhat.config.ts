import { createRequire } from "node:module";

import toolbox from "@nomicfoundation/hardhat-toolbox-mocha-ethers";
import { defineConfig } from "hardhat/config";

import { quickBuildPlugin } from "./tools/quickBuildPlugin.ts";
import { rootHooks } from "./tools/tests/rootHooks.ts";
import { strictEqualityPlugin } from "./tools/tests/strictEqualityPlugin.ts";

const resolve = createRequire(import.meta.url).resolve;

// The compiler comes from npm, so that a build needs no download.
export const compiler = { version: "0.8.37", path: resolve("solc/soljson.js") };

export const settings = {
  evmVersion: "cancun",
  viaIR: true,
  optimizer: { enabled: true, runs: 1_000_000 },
  metadata: { bytecodeHash: "none" },
} as const;

// Pinned, so that each run of a commit has the same inputs. `npm run fuzz` uses a new one.
export const seed = process.env.CROSSCALL_FUZZ_SEED ?? "0x63726f737363616c6c";

// Files that the tests read: vectors and published code.
export const fsPermissions = {
  readDirectory: ["test/vectors", "node_modules/@uniswap/v4-periphery/foundry-out/DeployPermit2.sol"],
};

// The code that replays put into a call must run on every chain, those without the newest opcodes too.
const build = {
  compilers: [{ ...compiler, settings }],
  overrides: { "contracts/replay/FillRunner.sol": { ...compiler, settings: { ...settings, evmVersion: "london" } } },
};

// Only ends tests that hang: a busy machine is five times slower.
const HANG_MS = 600_000 * Number(process.env.CROSSCALL_TEST_TIMEOUT_FACTOR ?? 1);

export default defineConfig({
  plugins: [toolbox, quickBuildPlugin, strictEqualityPlugin],
  solidity: { profiles: { default: build, production: build }, splitTestsCompilation: true },
  paths: { sources: ["contracts", "examples"], tests: { mocha: "test", solidity: "test/contracts" } },
  typechain: { outDir: "typechain-types", tsNocheck: true },
  test: {
    mocha: { timeout: HANG_MS, reporter: "./tools/tests/reporter.ts", rootHooks },
    solidity: {
      profiles: {
        default: { fsPermissions, fuzz: { runs: 256, seed }, invariant: { runs: 10, depth: 100 } },
        campaign: { fsPermissions, fuzz: { runs: 10_000, seed }, invariant: { runs: 100, depth: 100 } },
        long: { fsPermissions, fuzz: { runs: 100_000, seed }, invariant: { runs: 1_000, depth: 100 } },
      },
    },
  },
  networks: {
    hardhat: { type: "edr-simulated", hardfork: "cancun", chainId: 31_337 },
  },
});
