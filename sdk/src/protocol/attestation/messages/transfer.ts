import * as Type from "typebox";

import { SignedExecutionSchema } from "./execution.ts";
import { RequestPeerSignatures } from "./requestParts.ts";

/** Schema of the body of `POST /attestations/transfer/v1`. */
export const TransferBodySchema = Type.Object({
  chainId: Type.String({ description: "The chain of the currency, by its name in orders." }),
  currency: Type.String(),
  amount: Type.String({ description: "In the smallest unit." }),
  recipient: Type.String({ description: "An account of the hub." }),
  nonce: Type.String(),
  ownerChainId: Type.String({ description: "The chain of the owner's address." }),
  owner: Type.String(),
  ownerSignature: Type.String(),
  requestPeerSignatures: RequestPeerSignatures,
});

/** A transfer on the hub. */
export type TransferBody = Type.Static<typeof TransferBodySchema>;

/** Schema of the answers that are an execution alone. */
export const ExecutionAnswerSchema = Type.Object({ execution: SignedExecutionSchema });

/** An execution, attested. */
export type ExecutionAttestation = Type.Static<typeof ExecutionAnswerSchema>;
