import { doc } from "#doc";
import type * as Type from "typebox";

import { RequestPeerSignatures, SignedExecutionSchema } from "./parts.ts";
import * as T from "../../schema/type.ts";

export const TransferBodySchema = T.Object({
  chainId: T.String({ description: doc("The chain of the currency, by its name in orders.") }),
  currency: T.String(),
  amount: T.String({ description: doc("In the smallest unit.") }),
  recipient: T.String({ description: doc("An account of the hub.") }),
  nonce: T.String({ pattern: "^[\\s\\S]*$", description: doc("Any unique text.") }),
  ownerChainId: T.String({ description: doc("The chain of the owner's address.") }),
  owner: T.String(),
  ownerSignature: T.String(),
  requestPeerSignatures: RequestPeerSignatures,
});

export type TransferBody = Type.Static<typeof TransferBodySchema>;

export const ExecutionResponseSchema = T.Object({ execution: SignedExecutionSchema });

export type ExecutionAttestation = Type.Static<typeof ExecutionResponseSchema>;
