export { checkOracle } from "./check/checkOracle.ts";
export { diffOracles, type DiffOutcome, type RequestDiff } from "./check/diffOracles.ts";
export { openOracleHttp, type OracleRequest, requireHttpUrl } from "./check/oracleHttp.ts";
export { type NumberedRequest, readRequests } from "./check/readRequests.ts";
