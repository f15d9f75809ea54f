export { checkOracle } from "./check/checkOracle.ts";
export { diffOracles, type DiffOutcome, type RequestDiff } from "./check/diffOracles.ts";
export {
  type NumberedRequest,
  openOracleHttp,
  type OracleRequest,
  readRequests,
  requireHttpUrl,
} from "./check/oracleHttp.ts";
