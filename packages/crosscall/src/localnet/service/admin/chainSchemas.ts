import * as Type from "typebox";

import { nullable } from "@crosscall/protocol/schema";

export const ChainStateSchema = Type.Object({
  chainId: Type.Integer(),
  blockNumber: Type.Integer({ description: "The latest block." }),
  blockHash: Type.String(),
  miningIntervalMs: nullable(
    Type.Integer({ description: "Time between blocks, in milliseconds; null where each transaction makes one." }),
  ),
  latencyMs: Type.Integer({ description: "Delay of every RPC call, in milliseconds." }),
});

export type ChainStateBody = Type.Static<typeof ChainStateSchema>;

export const FaucetAnswerSchema = Type.Object({
  chainId: Type.Integer(),
  address: Type.String({ description: "Account that received the funds." }),
  currency: Type.String({ description: "Address; the zero address is native." }),
  symbol: Type.String(),
  decimals: Type.Integer(),
  amount: Type.String({ description: "Smallest unit." }),
});

export const FaucetSchema = Type.Object(
  {
    address: Type.String({ description: "Account that receives the funds." }),
    currency: Type.Optional(Type.String({ description: "Address or symbol; native by default." })),
    amount: Type.String({ description: "Smallest unit, decimal." }),
  },
  { additionalProperties: false },
);

export const BlocksSchema = Type.Object({ blocks: Type.Integer() }, { additionalProperties: false });

export const MiningSchema = Type.Object(
  {
    intervalMs: Type.Optional(Type.Integer({ description: "Time between blocks, in milliseconds." })),
    automatic: Type.Optional(Type.Literal(true, { description: "Each transaction makes a block at once." })),
  },
  { additionalProperties: false, description: "Exactly one of the two." },
);

export const LatencySchema = Type.Object({ latencyMs: Type.Integer() }, { additionalProperties: false });
