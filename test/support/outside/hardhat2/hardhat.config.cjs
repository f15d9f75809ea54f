// Configuration of a Hardhat 2 project that uses the compiler from npm.
require("@nomicfoundation/hardhat-toolbox");
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require("hardhat/builtin-tasks/task-names");
const { subtask } = require("hardhat/config");

const compilerPath = require.resolve("solc/soljson.js");

subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async ({ solcVersion }) => ({
  compilerPath,
  isSolcJs: true,
  version: solcVersion,
  longVersion: solcVersion,
}));

module.exports = {
  solidity: { version: require("solc/package.json").version, settings: { evmVersion: "cancun" } },
  paths: { sources: "src" },
};
