export { type KeyLimits } from "../service/keys/keyLimits.ts";
export { type KeyOptions } from "../service/keys/keyOptions.ts";
export { localAccounts, type LocalAccounts } from "../devchain/accounts.ts";
export {
  type ChainControls,
  type ChainState,
  type LatencyParameters,
  type MineParameters,
  type MiningParameters,
  type ReorgParameters,
} from "../devchain/chainControls.ts";
export { type ChainContracts } from "../devchain/contracts.ts";
export { type Localnet, localnet, type LocalnetChain } from "./localnet.ts";
export { type OracleHub } from "../devchain/oracleHub.ts";
export { type LocalOracle } from "./oracle/startLocalOracles.ts";
export { type ActiveScenario, type ScenarioControls, type SetScenario } from "../scenarios/controls.ts";
export type { LogLevel } from "@crosscall/sdk/internal/core/logLevel";
export { type RequestTransition } from "../service/admin/requestTransitions.ts";
export { LOCAL_ADMIN_KEY, LOCAL_API_KEY, type LocalnetOptions } from "./options.ts";
export { type WebhookOptions } from "../service/webhooks/settings.ts";
export { type SettableClock } from "../service/settableClock.ts";
export type { ChainOptions, Protocol } from "../devchain/options.ts";
