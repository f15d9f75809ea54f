export { type KeyLimits } from "./keys/keyLimits.ts";
export { type KeyOptions } from "./keys/keyOptions.ts";
export { localAccounts, type LocalAccounts } from "./accounts.ts";
export {
  type ChainControls,
  type ChainState,
  type LatencyParameters,
  type MineParameters,
  type MiningParameters,
  type ReorgParameters,
} from "./chains/chainControls.ts";
export { type ChainContracts } from "./chains/contracts.ts";
export { type Localnet, localnet, type LocalnetChain } from "./localnet.ts";
export { type OracleHub } from "./oracle/localHub.ts";
export { type LocalOracle } from "./oracle/startLocalOracles.ts";
export { type ActiveScenario, type ScenarioControls, type SetScenario } from "./scenarios/controls.ts";
export type { LogLevel } from "@crosscall/sdk/internal/core/logLevel";
export { type RequestTransition } from "./service/admin/requestTransitions.ts";
export { type ChainOptions, LOCAL_ADMIN_KEY, LOCAL_API_KEY, type LocalnetOptions, type Protocol } from "./options.ts";
export { type WebhookOptions } from "./webhooks/settings.ts";
export { type SettableClock } from "./settableClock.ts";
