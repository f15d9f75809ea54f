import { defineConfig } from "hardhat/config";

import base, { compiler, settings } from "./hardhat.config.ts";
import { branchPlugin } from "./scripts/setup/coverage/branchPlugin.ts";

// The build that counts which lines and branches the tests reach. It has folders of its own, since its code is not what is deployed.
export default defineConfig({
  ...base,
  plugins: [...(base.plugins ?? []), branchPlugin],
  solidity: { compilers: [{ ...compiler, settings: { ...settings, optimizer: { enabled: false } } }] },
  paths: { ...base.paths, artifacts: "artifacts-coverage", cache: "cache-coverage" },
  typechain: { dontOverrideCompile: true },
  coverage: { skipFiles: ["contracts/mocks/**", "contracts/localnet/**"] },
});
