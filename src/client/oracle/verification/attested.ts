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
  InitiationBody,
  WithdrawalAttestation,
  WithdrawalBody,
} from "../../../protocol/attestation/messages/withdrawals.ts";
import type { AttestFillParameters } from "../attestFill.ts";
import type { AttestRefundParameters } from "../attestRefund.ts";

/** An answer of an oracle beside what it was asked. */
export type Attested =
  | Answered<"deposits", DepositsBody, DepositsAttestation>
  | AnsweredSettlement<"fill", AttestFillParameters, FillAttestation>
  | AnsweredSettlement<"refund", AttestRefundParameters, RefundAttestation>
  /** Of chains of `ethereum-vm` and `tron-vm`: the ids of other families are not derived here. */
  | Answered<"withdrawal", WithdrawalBody, WithdrawalAttestation>
  | Answered<"initiation", InitiationBody, InitiationAttestation>
  | Answered<"transfer", TransferBody, ExecutionAttestation>
  | Answered<"noFill", NoFillBody, EntryAttestation>
  | Answered<"nonceMapping", NonceMappingBody, EntryAttestation>;

/** An answer of one kind. */
export interface Answered<Kind extends string, Request, Answer> {
  readonly kind: Kind;
  readonly request: Request;
  readonly answer: Answer;
}

/** The answer to a fill or a refund. */
export interface AnsweredSettlement<Kind extends string, Request, Answer> extends Answered<Kind, Request, Answer> {
  /** The deposits of the order's inputs, each as an attestation of deposits tells it that was verified itself. */
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

/** A place where an answer is not what it must be. */
export interface AttestationFault {
  readonly check: AttestationCheck;
  /** The field of the answer, such as `execution.signatures[0].signature`. */
  readonly path: string;
  readonly expected: string;
  readonly seen: string;
}
