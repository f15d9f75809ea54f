import { defineConfig } from "hardhat/config";

import { compiler, settings } from "../hardhat.config.ts";

/** Compiles the benchmarks' own contracts separately, with the compiler settings of the kit's contracts. */
export default defineConfig({
  solidity: {
    profiles: { default: { compilers: [{ ...compiler, settings }] } },
    npmFilesToBuild: ["@across-protocol/contracts/contracts/handlers/MulticallHandler.sol"],
  },
  paths: {
    sources: "bench/contracts",
    artifacts: "cache/bench/artifacts",
    cache: "cache/bench/cache",
  },
});
