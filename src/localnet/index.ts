export { type KeyLimits } from "./keys/keyLimits.ts";
export { type KeyOptions } from "./keys/keyOptions.ts";
export { localAccounts, type LocalAccounts } from "./accounts.ts";
export { type ChainContracts } from "./chains/contracts.ts";
export { type Localnet, localnet, type LocalnetChain } from "./localnet.ts";
export { type LogLevel } from "./log.ts";
export { type RequestTransition } from "./service/admin/requestTransitions.ts";
export { type ChainOptions, LOCAL_ADMIN_KEY, LOCAL_API_KEY, type LocalnetOptions } from "./options.ts";
export { type SettableClock } from "./settableClock.ts";
