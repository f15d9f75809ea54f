import * as Type from "typebox";

import { nullable } from "@crosscall/sdk/internal/protocol/schema/schemaParts";

/** Schema of how a chain is now. */
export const ChainStateSchema = Type.Object({
  chainId: Type.Integer(),
  blockNumber: Type.Integer({ description: "The latest block." }),
  blockHash: Type.String(),
  miningIntervalMs: nullable(
    Type.Integer({ description: "Time between blocks, in milliseconds; null where each transaction makes one." }),
  ),
  latencyMs: Type.Integer({ description: "Delay of every RPC call, in milliseconds." }),
});

/** How a chain is now, on the wire. */
export type ChainStateBody = Type.Static<typeof ChainStateSchema>;

/** Schema of what the faucet gave. */
export const FaucetAnswerSchema = Type.Object({
  chainId: Type.Integer(),
  address: Type.String({ description: "Account that received the funds." }),
  currency: Type.String({ description: "Address; the zero address is native." }),
  symbol: Type.String(),
  amount: Type.String({ description: "Smallest unit." }),
});

/** Schema of what the faucet is asked. */
export const FaucetSchema = Type.Object(
  {
    address: Type.String({ description: "Account that receives the funds." }),
    currency: Type.Optional(Type.String({ description: "Address or symbol; native if left out." })),
    amount: Type.String({ description: "Smallest unit, decimal." }),
  },
  { additionalProperties: false },
);

/** Schema of a number of blocks. */
export const BlocksSchema = Type.Object({ blocks: Type.Integer() }, { additionalProperties: false });

/** Schema of how blocks are made. */
export const MiningSchema = Type.Object(
  {
    intervalMs: Type.Optional(Type.Integer({ description: "Time between blocks, in milliseconds." })),
    automatic: Type.Optional(Type.Literal(true, { description: "Each transaction makes a block at once." })),
  },
  { additionalProperties: false, description: "Exactly one of the two." },
);

/** Schema of a latency. */
export const LatencySchema = Type.Object({ latencyMs: Type.Integer() }, { additionalProperties: false });
