import { defineConfig } from "hardhat/config";

import base, { compiler, fsPermissions, settings } from "./hardhat.config.ts";
import { quickBuildPlugin } from "./tools/quickBuildPlugin.ts";

// The build that counts which lines the tests reach. It has folders of its own, since its code is not what
// is deployed.
export default defineConfig({
  ...base,
  // Recording needs more stack than the legacy code generator has.
  plugins: [...(base.plugins ?? []).filter((plugin) => plugin !== quickBuildPlugin)],
  solidity: {
    compilers: [{ ...compiler, settings: { ...settings, optimizer: { enabled: false } } }],
    splitTestsCompilation: true,
  },
  paths: { ...base.paths, artifacts: "artifacts-coverage", cache: "cache-coverage" },
  typechain: { dontOverrideCompile: true },
  // The first inputs reach all lines, and recording is slow.
  test: { solidity: { fsPermissions, fuzz: { runs: 200, seed: "0x1" }, invariant: { runs: 10, depth: 50 } } },
  coverage: { skipFiles: ["contracts/mocks/**", "contracts/localnet/**", "contracts/testing/**"] },
});
