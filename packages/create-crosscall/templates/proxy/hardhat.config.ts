import { createRequire } from "node:module";

import toolbox from "@nomicfoundation/hardhat-toolbox-mocha-ethers";
import crosscall from "crosscall/hardhat";
import { configVariable, defineConfig } from "hardhat/config";

export default defineConfig({
  plugins: [toolbox, crosscall],
  solidity: {
    // Uses the compiler of the npm package `solc`, so that builds download nothing.
    compilers: [
      {
        version: "0.8.37",
        path: createRequire(import.meta.url).resolve("solc/soljson.js"),
        settings: { evmVersion: "cancun", optimizer: { enabled: true } },
      },
    ],
    // Builds the token of the local tests.
    npmFilesToBuild: ["@crosscall/contracts/localnet/tokens/LocalDollar.sol"],
  },
  // Hardhat does not know the hardforks of Base, which forks of it need.
  chainDescriptors: {
    8453: {
      name: "Base",
      chainType: "op",
      hardforkHistory: { isthmus: { timestamp: 1_746_806_401 } },
    },
  },
  networks: {
    base: {
      type: "http",
      chainType: "op",
      url: configVariable("BASE_RPC_URL"),
      accounts: [configVariable("BASE_PRIVATE_KEY")],
    },
    // Add `blockNumber` to use the same state in every run. Older blocks need an archive node.
    baseFork: {
      type: "edr-simulated",
      chainType: "op",
      chainId: 8453,
      forking: { url: configVariable("BASE_RPC_URL") },
    },
  },
});
