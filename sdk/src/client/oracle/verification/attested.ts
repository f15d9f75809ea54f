import type {
  DepositMessage,
  DepositsAttestation,
  DepositsBody,
} from "../../../protocol/attestation/messages/deposits.ts";
import type {
  EntryAttestation,
  NoFillBody,
  NonceMappingBody,
} from "../../../protocol/attestation/messages/genericMapping.ts";
import type { FillAttestation, RefundAttestation } from "../../../protocol/attestation/messages/solver.ts";
import type { ExecutionAttestation, TransferBody } from "../../../protocol/attestation/messages/transfer.ts";
import type {
  InitiationAttestation,
  WithdrawalAttestation,
  WithdrawalBody,
} from "../../../protocol/attestation/messages/withdrawals.ts";
import type { InitiationV2Attestation } from "../../../protocol/attestation/messages/withdrawalsV2.ts";
import type { AttestationBody } from "../../../protocol/attestation/routes.ts";

/** An oracle's response together with its request. */
export type Attested =
  | Answered<"deposits", DepositsBody, DepositsAttestation>
  | AnsweredWithDeposits<"fill", AttestationBody<"solver-fills/v1">, FillAttestation>
  | AnsweredWithDeposits<"refund", AttestationBody<"solver-refunds/v1">, RefundAttestation>
  /** Of chains of `ethereum-vm` and `tron-vm`: the ids of other families are not derived here. */
  | Answered<"withdrawal", WithdrawalBody, WithdrawalAttestation>
  | Answered<"initiation", AttestationBody<"withdrawal-initiation/v1">, InitiationAttestation>
  | Answered<"initiationV2", AttestationBody<"withdrawal-initiation/v2">, InitiationV2Attestation>
  | AnsweredWithDeposits<"recovery", AttestationBody<"recover/v1">, ExecutionAttestation>
  | Answered<"transfer", TransferBody, ExecutionAttestation>
  | Answered<"noFill", NoFillBody, EntryAttestation>
  | Answered<"nonceMapping", NonceMappingBody, EntryAttestation>;

/** An answer of one kind. */
export interface Answered<Kind extends string, Request, Answer> {
  readonly kind: Kind;
  readonly request: Request;
  readonly answer: Answer;
}

/** An answer about deposits that were attested before. */
export interface AnsweredWithDeposits<Kind extends string, Request, Answer> extends Answered<Kind, Request, Answer> {
  /** These deposits (of each input of the order), as attestations of deposits tell them that were verified themselves. */
  readonly deposits: readonly DepositMessage[];
}

/** What of an answer was held against what. */
export type AttestationCheck =
  /** What the answer repeats of the question. */
  | "request"
  /** What the answer tells, against what derives from it and from the question. */
  | "message"
  /** The ids, keys and actions that are signed. */
  | "execution"
  /** The hub that is signed for. */
  | "domain"
  /** Who signed. */
  | "signature"
  /** How many of those that are trusted signed. */
  | "threshold";

/** A field of a response that is not what it must be. */
export interface AttestationFault {
  readonly check: AttestationCheck;
  /** The field of the answer, such as `execution.signatures[0].signature`. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
}
