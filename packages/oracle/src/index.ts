export { loadConfiguration } from "./config/loadConfiguration.ts";
export { createOracleLog } from "./log.ts";
export { type Oracle, startOracle } from "./startOracle.ts";
export { startWorkers } from "./workers/startWorkers.ts";
