import { defineConfig } from "hardhat/config";

import base, { compiler, fsPermissions, seed, settings } from "./hardhat.config.ts";
import { londonPlugin } from "./scripts/setup/london/londonPlugin.ts";

// The build for chains without transient storage. It has folders of its own, so that neither build drops the other.
export default defineConfig({
  ...base,
  plugins: [...(base.plugins ?? []), londonPlugin],
  solidity: {
    compilers: [{ ...compiler, settings: { ...settings, evmVersion: "london" } }],
    splitTestsCompilation: true,
  },
  paths: { ...base.paths, artifacts: "artifacts-london", cache: "cache-london" },
  typechain: { dontOverrideCompile: true },
  test: {
    solidity: {
      profiles: {
        // The same sources as the other build: what differs is proven by fewer inputs, and by the campaigns with as many.
        default: { fsPermissions, fuzz: { runs: 64, seed }, invariant: { runs: 10, depth: 100 } },
        campaign: { fsPermissions, fuzz: { runs: 10_000, seed }, invariant: { runs: 100, depth: 100 } },
      },
    },
  },
  networks: {
    london: { type: "edr-simulated", hardfork: "london", chainId: 31_337 },
  },
});
