export { BITCOIN_CODEC } from "./bitcoin.ts";
export { ETHEREUM_CODEC } from "./ethereum.ts";
export { HYPERLIQUID_CODEC } from "./hyperliquid.ts";
export { HYPERLIQUID_DOLLAR, HYPERLIQUID_TYPES, SEND_ASSET, USD_SEND } from "./hyperliquidActions.ts";
export { LIGHTER_CODEC, lighterCurrency, lighterTransferText, type SignedLighterTransfer } from "./lighter.ts";
export { SOLANA_CODEC } from "./solana.ts";
export { associatedTokenAccount, depositoryStateOf, programAddress, usedRequestOf, vaultOf } from "./solanaPrograms.ts";
export {
  ASSERTIONS_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "./svmPrograms.ts";
export { TRON_CODEC } from "./tron.ts";
export { VM_TYPES, type VmCodec, type VmType } from "./vmCodec.ts";
export { vmCodecOf } from "./vmCodecOf.ts";
