import { defineConfig } from "hardhat/config";

import { compiler, settings } from "../hardhat.config.ts";

/** Compiles the peers of the benchmarks as the kit compiles its own contracts, apart from the kit's build. */
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
