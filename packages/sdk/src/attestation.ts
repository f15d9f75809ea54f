export { attest, getOracleChains, getOracleLives } from "./client/oracle/attest.ts";
export {
  AttestationInvalidError,
  requireAttestation,
  verifyAttestation,
  type VerifyAttestationParameters,
} from "./client/oracle/verifyAttestation.ts";
export type { AttestationFault, Attested } from "./client/oracle/verification/attested.ts";
export type { TrustedChain, TrustedHub } from "./client/oracle/verification/trust.ts";
export {
  type Action,
  type Attestation,
  type AttestationBody,
  type AttestationRoute,
  createExecutionHasher,
  decodeAction,
  decodeEvmWithdrawal,
  depositExecutionKey,
  encodeAction,
  encodeEvmWithdrawal,
  type EvmWithdrawal,
  type Execution,
  EXECUTION_TYPES,
  executionDomain,
  hashExecution,
  hashOwnerOrder,
  hashWithdrawRequest,
  hubAlias,
  hubTokenId,
  NO_FILL_TYPES,
  NONCE_MAPPING_TYPES,
  onchainId,
  orderAddress,
  settlementExecutionKey,
  toVerifierCall,
  toWithdrawRequest,
  transferExecutionKey,
  withdrawalAddress,
  withdrawalExecutionKey,
} from "@crosscall/protocol/attestation";
export { vmCodecOf, type VmType } from "@crosscall/protocol/vms";
