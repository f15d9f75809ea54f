import { defineConfig } from "hardhat/config";

import base, { compiler, settings } from "./hardhat.config.ts";
import { londonPlugin } from "./tools/london/londonPlugin.ts";

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
  networks: {
    london: { type: "edr-simulated", hardfork: "london", chainId: 31_337 },
  },
});
