import * as Type from "typebox";

import { nullable } from "./schemaParts.ts";

/** Schema of a currency of a chain entry. */
export const ChainCurrencySchema = Type.Object(
  {
    id: Type.String({ description: "Such as eth or usdc." }),
    symbol: Type.String(),
    name: Type.String(),
    address: Type.String(),
    decimals: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: true, description: "A currency that the solver takes." },
);

/** A currency of a chain entry. */
export type ChainCurrency = Type.Static<typeof ChainCurrencySchema>;

/**
 * Schema of an entry of `GET /chains` (PROTOCOL, sections 3 and 6). Chains that are not EVM chains have no router, and
 * families may be new, so `contracts`, `protocol` and `vmType` are open.
 */
export const ChainEntrySchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    displayName: Type.String(),
    vmType: Type.String({ description: "Family of virtual machines: evm, svm, …" }),
    httpRpcUrl: Type.String(),
    wsRpcUrl: Type.Optional(nullable(Type.String())),
    explorerUrl: Type.Optional(nullable(Type.String())),
    disabled: Type.Boolean({ description: "Whether nothing moves to or from it." }),
    depositEnabled: Type.Boolean({ description: "Whether it can be a destination." }),
    currency: ChainCurrencySchema,
    erc20Currencies: Type.Array(ChainCurrencySchema),
    solverAddresses: Type.Array(Type.String()),
    contracts: Type.Optional(
      Type.Object(
        {
          v3: Type.Optional(
            Type.Object(
              { erc20Router: Type.Optional(Type.String()), approvalProxy: Type.Optional(Type.String()) },
              { additionalProperties: true },
            ),
          ),
        },
        { additionalProperties: true },
      ),
    ),
    protocol: Type.Optional(
      Type.Object(
        {
          v2: Type.Optional(
            Type.Object(
              {
                chainId: Type.Optional(nullable(Type.String({ description: "Chain name in orders." }))),
                depository: Type.Optional(nullable(Type.String())),
              },
              { additionalProperties: true },
            ),
          ),
        },
        { additionalProperties: true },
      ),
    ),
  },
  { additionalProperties: true, description: "A chain that the service knows." },
);

/** A chain that the service knows. */
export type ChainEntry = Type.Static<typeof ChainEntrySchema>;

/** Schema of the answer of `GET /chains`. */
export const ChainListSchema = Type.Object({ chains: Type.Array(ChainEntrySchema) });

/** The chains that the service knows. */
export type ChainList = Type.Static<typeof ChainListSchema>;
