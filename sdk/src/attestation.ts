export { attest, getOracleChains, getOracleLives } from "./client/oracle/attest.ts";
export {
  AttestationInvalidError,
  requireAttestation,
  verifyAttestation,
  type VerifyAttestationParameters,
} from "./client/oracle/verifyAttestation.ts";
export type { AttestationFault, Attested } from "./client/oracle/verification/attested.ts";
export type { TrustedChain, TrustedHub } from "./client/oracle/verification/trust.ts";
export { type Action, decodeAction, encodeAction } from "./protocol/attestation/action.ts";
export { onchainId } from "./protocol/attestation/deterministicId.ts";
export { decodeEvmWithdrawal, encodeEvmWithdrawal, type EvmWithdrawal } from "./protocol/attestation/evmWithdrawal.ts";
export {
  createExecutionHasher,
  depositExecutionKey,
  type Execution,
  EXECUTION_TYPES,
  executionDomain,
  hashExecution,
  settlementExecutionKey,
  transferExecutionKey,
  withdrawalExecutionKey,
} from "./protocol/attestation/execution.ts";
export { NO_FILL_TYPES, NONCE_MAPPING_TYPES } from "./protocol/attestation/genericMapping.ts";
export { hubAlias, hubTokenId, orderAddress, withdrawalAddress } from "./protocol/attestation/hubIds.ts";
export { hashOwnerOrder } from "./protocol/attestation/ownerDigest.ts";
export type { Attestation, AttestationBody, AttestationRoute } from "./protocol/attestation/routes.ts";
export { toWithdrawRequest } from "./protocol/attestation/toWithdrawRequest.ts";
export { toVerifierCall } from "./protocol/attestation/verifierCall.ts";
export { hashWithdrawRequest } from "./protocol/attestation/withdrawRequest.ts";
export type { VmType } from "./protocol/vms/vmCodec.ts";
export { vmCodecOf } from "./protocol/vms/vmCodecOf.ts";
