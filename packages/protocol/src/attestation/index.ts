export { type Action, decodeAction, encodeAction } from "./action.ts";
export { bitcoinScript } from "./bitcoinOutputs.ts";
export {
  CALL_REQUEST_TYPES,
  decodeEvmWithdrawal,
  encodeEvmWithdrawal,
  type EvmWithdrawal,
  hashEvmWithdrawal,
  withdrawnByEvm,
} from "./evmWithdrawal.ts";
export {
  createExecutionHasher,
  depositExecutionKey,
  type Execution,
  EXECUTION_TYPES,
  type ExecutionDomain,
  executionDomain,
  expiredWithdrawalExecutionKey,
  expiredWithdrawRequestExecutionKey,
  hashExecution,
  initiationExecutionKey,
  recoverExecutionKey,
  settlementExecutionKey,
  toVerifierCall,
  transferExecutionKey,
  withdrawalExecutionKey,
} from "./execution.ts";
export {
  genericMappingDomain,
  type MappingEntry,
  NO_FILL_TYPES,
  noFillEntry,
  noFillEntryId,
  NONCE_MAPPING_TYPES,
  nonceMappingEntry,
  nonceMappingEntryId,
  SET_ENTRY_TYPES,
} from "./genericMapping.ts";
export { hubAlias, hubTokenId, onchainId, orderAddress, withdrawalAddress } from "./hubIds.ts";
export { type OracleChainEntry, OracleChainsSchema, type OracleLives, OracleLivesSchema } from "./messages/chains.ts";
export {
  type AuthorizationFields,
  type DepositMessage,
  type DepositsAttestation,
  type DepositsBody,
  type ExecuteAndWithdrawAttestation,
  type ExecuteAndWithdrawBody,
  ExecuteAndWithdrawRequestSchema,
  type RecoverBody,
  type SignedExecuteAndWithdrawRequest,
} from "./messages/deposits.ts";
export { type SignedExecution, SignedExecutionSchema } from "./messages/parts.ts";
export type { FillAttestation, FillBody, RefundAttestation, RefundBody } from "./messages/solver.ts";
export {
  type EntryAttestation,
  type NoFillBody,
  type NonceMappingBody,
  type SignedEntry,
  SignedEntrySchema,
  type SignedTrigger,
  SignedTriggerSchema,
  type TriggerAttestation,
  type TriggerBody,
} from "./messages/statements.ts";
export type { ExecutionAttestation, TransferBody } from "./messages/transfer.ts";
export type {
  InitiatedAttestation,
  InitiatedBody,
  InitiationAttestation,
  InitiationBody,
  WithdrawalAddressRequest,
  WithdrawalAttestation,
  WithdrawalBody,
} from "./messages/withdrawals.ts";
export {
  type InitiatedV2Attestation,
  type InitiationV2Attestation,
  type OwnedWithdrawalBody,
  type PayloadParams,
  PayloadParamsSchema,
  type WithdrawalStatusAttestation,
  type WithdrawalV2Body,
} from "./messages/withdrawalsV2.ts";
export {
  AuthorizationResponseSchema,
  type AuthorizationAttestation,
  type AuthorizationBody,
  type HashesToSign,
  HashesToSignSchema,
  type WithdrawalV3Body,
  type WithdrawRequestAttestation,
  type WithdrawRequestBody,
} from "./messages/withdrawRequests.ts";
export { hashOwnerOrder, type OwnerOrder } from "./ownerDigest.ts";
export { type Attestation, ATTESTATION_ROUTES, type AttestationBody, type AttestationRoute } from "./routes.ts";
export { toSubmitWithdrawRequest } from "./toSubmitWithdrawRequest.ts";
export { toWithdrawRequest } from "./toWithdrawRequest.ts";
export { hashTrigger, TRIGGER_TYPES, triggerDomain } from "./trigger.ts";
export {
  allocatorDomain,
  allocatorSpenderDomain,
  EXECUTE_AND_WITHDRAW_TYPES,
  executorDomain,
  HASHES_TO_SIGN_TYPES,
  hashesToSignDomain,
  hashSubmitWithdrawRequest,
  hashWithdrawRequest,
  SUBMIT_WITHDRAW_REQUEST_TYPES,
  type SubmitWithdrawRequest,
  WITHDRAW_REQUEST_TYPES,
  type WithdrawRequest,
} from "./withdrawRequest.ts";
