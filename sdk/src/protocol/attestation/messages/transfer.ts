import * as Type from "typebox";

import { SignedExecutionSchema } from "./execution.ts";
import { RequestPeerSignatures } from "./requestParts.ts";

export const TransferBodySchema = Type.Object({
  chainId: Type.String({ description: "The chain of the currency, by its name in orders." }),
  currency: Type.String(),
  amount: Type.String({ description: "In the smallest unit." }),
  recipient: Type.String({ description: "An account of the hub." }),
  nonce: Type.String({ pattern: "^[\\s\\S]*$", description: "Any text. Each is used once." }),
  ownerChainId: Type.String({ description: "The chain of the owner's address." }),
  owner: Type.String(),
  ownerSignature: Type.String(),
  requestPeerSignatures: RequestPeerSignatures,
});

export type TransferBody = Type.Static<typeof TransferBodySchema>;

export const ExecutionAnswerSchema = Type.Object({ execution: SignedExecutionSchema });

export type ExecutionAttestation = Type.Static<typeof ExecutionAnswerSchema>;
