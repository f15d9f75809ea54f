import type {
  AttestationBody,
  DepositMessage,
  DepositsAttestation,
  DepositsBody,
  EntryAttestation,
  ExecutionAttestation,
  FillAttestation,
  InitiationAttestation,
  InitiationV2Attestation,
  NoFillBody,
  NonceMappingBody,
  RefundAttestation,
  TransferBody,
  WithdrawalAttestation,
  WithdrawalBody,
} from "@crosscall/protocol/attestation";

/** An oracle's response together with its request. */
export type Attested =
  | Answered<"deposits", DepositsBody, DepositsAttestation>
  | AnsweredWithDeposits<"fill", AttestationBody<"solver-fills/v1">, FillAttestation>
  | AnsweredWithDeposits<"refund", AttestationBody<"solver-refunds/v1">, RefundAttestation>
  /** On chains of `ethereum-vm` and `tron-vm`: ids of other families are not derived here. */
  | Answered<"withdrawal", WithdrawalBody, WithdrawalAttestation>
  | Answered<"initiation", AttestationBody<"withdrawal-initiation/v1">, InitiationAttestation>
  | Answered<"initiationV2", AttestationBody<"withdrawal-initiation/v2">, InitiationV2Attestation>
  | AnsweredWithDeposits<"recovery", AttestationBody<"recover/v1">, ExecutionAttestation>
  | Answered<"transfer", TransferBody, ExecutionAttestation>
  | Answered<"noFill", NoFillBody, EntryAttestation>
  | Answered<"nonceMapping", NonceMappingBody, EntryAttestation>;

/** A response of one kind, with its request. */
export interface Answered<Kind extends string, Request, Answer> {
  readonly kind: Kind;
  readonly request: Request;
  readonly answer: Answer;
}

/** With deposits whose attestations were verified before. */
export interface AnsweredWithDeposits<Kind extends string, Request, Answer> extends Answered<Kind, Request, Answer> {
  /** For each input of the order, as verified in attestations of their own. */
  readonly deposits: readonly DepositMessage[];
}

/** What was compared. */
export type AttestationCheck =
  /** Fields that repeat the request. */
  | "request"
  /** Fields that follow from the request. */
  | "message"
  /** Signed ids, keys and actions. */
  | "execution"
  /** The hub. */
  | "domain"
  /** The signers. */
  | "signature"
  /** The number of trusted signers. */
  | "threshold";

/** A field of a response that is not what it must be. */
export interface AttestationFault {
  readonly check: AttestationCheck;
  /** Path in the response: `execution.signatures[0].signature`. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
}
