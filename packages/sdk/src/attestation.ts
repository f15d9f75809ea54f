export { attest, getOracleChains, getOracleLives } from "./client/oracle/attest.ts";
export {
  AttestationInvalidError,
  requireAttestation,
  verifyAttestation,
  type VerifyAttestationParameters,
} from "./client/oracle/verifyAttestation.ts";
export type { AttestationFault, Attested } from "./client/oracle/verification/attested.ts";
export type { TrustedChain } from "./client/oracle/verification/trust.ts";
export {
  type Attestation,
  type AttestationBody,
  type AttestationRoute,
  decodeAction,
  decodeEvmWithdrawal,
  depositExecutionKey,
  encodeAction,
  type Execution,
  hashExecution,
  hashOwnerOrder,
  hubAlias,
  hubTokenId,
  onchainId,
  orderAddress,
  toVerifierCall,
  toWithdrawRequest,
  withdrawalAddress,
} from "@crosscall/protocol/attestation";
