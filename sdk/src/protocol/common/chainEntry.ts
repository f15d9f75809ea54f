import * as Type from "typebox";

import type { ReadResponse } from "../schema/readResponse.ts";
import { nullable, oneOfOrUnknown } from "../schema/schemaParts.ts";

export const ChainCurrencySchema = Type.Object(
  {
    id: Type.String({ description: "Such as eth or usdc." }),
    symbol: Type.String(),
    name: Type.String(),
    address: Type.String(),
    decimals: Type.Integer({ minimum: 0 }),
    supportsBridging: Type.Optional(Type.Boolean()),
    supportsPermit: Type.Optional(Type.Boolean({ description: "Whether it has EIP-2612." })),
    withdrawalFee: Type.Optional(Type.Number({ description: "In basis points." })),
    depositFee: Type.Optional(Type.Number({ description: "In basis points." })),
    surgeEnabled: Type.Optional(Type.Boolean()),
    metadata: Type.Optional(Type.Object({ logoURI: Type.Optional(Type.String()) })),
  },
  { additionalProperties: true, description: "A currency that the solver takes." },
);

const address = Type.Optional(Type.String());
const text = Type.Optional(nullable(Type.String()));

/** `contracts`, `protocol` and `vmType` are open: chains other than EVM have no router, and families may be new. */
export const ChainEntrySchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    displayName: Type.String(),
    vmType: Type.String({ description: "Family of virtual machines: evm, svm, …" }),
    httpRpcUrl: Type.String(),
    wsRpcUrl: text,
    explorerUrl: text,
    explorerName: text,
    explorerPaths: Type.Optional(
      nullable(Type.Object({ transaction: address, address, token: address }, { description: "Templates." })),
    ),
    explorerQueryParams: Type.Optional(nullable(Type.Unknown())),
    iconUrl: text,
    logoUrl: text,
    brandColor: text,
    statusMessage: text,
    disabled: Type.Boolean({ description: "Whether nothing moves to or from it." }),
    depositEnabled: Type.Boolean({ description: "Whether it can be a destination." }),
    partialDisableLimit: Type.Optional(Type.Number({ description: "0 for none." })),
    blockProductionLagging: Type.Optional(Type.Boolean()),
    tokenSupport: Type.Optional(oneOfOrUnknown(["All", "Limited"], "Which tokens can be moved.")),
    withdrawalFee: Type.Optional(Type.Number({ description: "In basis points." })),
    depositFee: Type.Optional(Type.Number({ description: "In basis points." })),
    surgeEnabled: Type.Optional(Type.Boolean()),
    baseChainId: Type.Optional(nullable(Type.Integer({ description: "Parent chain of an L2." }))),
    tags: Type.Optional(Type.Array(Type.String())),
    currency: ChainCurrencySchema,
    erc20Currencies: Type.Array(ChainCurrencySchema),
    featuredTokens: Type.Optional(Type.Array(ChainCurrencySchema)),
    solverCurrencies: Type.Optional(Type.Array(ChainCurrencySchema)),
    solverAddresses: Type.Array(Type.String()),
    contracts: Type.Optional(
      Type.Object(
        {
          multicall3: address,
          erc20Router: address,
          approvalProxy: address,
          v3: Type.Optional(
            Type.Object({ erc20Router: address, approvalProxy: address }, { additionalProperties: true }),
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
                depository: text,
                depositoryVault: text,
              },
              { additionalProperties: true },
            ),
          ),
        },
        { additionalProperties: true },
      ),
    ),
  },
  { additionalProperties: true, description: "A chain of the service." },
);

/** A chain of the service, as the service sends it. */
export type ChainEntry = ReadResponse<typeof ChainEntrySchema>;

export const ChainListSchema = Type.Object({ chains: Type.Array(ChainEntrySchema) });
