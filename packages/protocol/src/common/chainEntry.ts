import { doc } from "#doc";
import type * as Type from "typebox";

import type { ReadResponse } from "../schema/readResponse.ts";
import { nullable, oneOfOrUnknown } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

export const ChainCurrencySchema = T.Object(
  {
    id: T.String({ description: doc("Id such as eth or usdc.") }),
    symbol: T.String(),
    name: T.String(),
    address: T.String(),
    decimals: T.Integer({ minimum: 0 }),
    supportsBridging: T.Optional(T.Boolean()),
    supportsPermit: T.Optional(T.Boolean({ description: doc("Whether it has EIP-2612.") })),
    withdrawalFee: T.Optional(T.Number({ description: doc("In basis points.") })),
    depositFee: T.Optional(T.Number({ description: doc("In basis points.") })),
    surgeEnabled: T.Optional(T.Boolean()),
    metadata: T.Optional(T.Object({ logoURI: T.Optional(T.String()) })),
  },
  { additionalProperties: true, description: doc("A currency that the solver accepts.") },
) satisfies Type.TObject;

const address = T.Optional(T.String());
const routerPair = T.Optional(
  T.Object({ erc20Router: address, approvalProxy: address }, { additionalProperties: true }),
);
const text = T.Optional(nullable(T.String()));

/**
 * Schema of a chain. `contracts`, `protocol` and `vmType` accept unknown values: only EVM chains have a router, and the
 * service can add families.
 */
export const ChainEntrySchema = T.Object(
  {
    id: T.Integer(),
    name: T.String(),
    displayName: T.String(),
    vmType: T.String({ description: doc("Family of virtual machines: evm, svm, …") }),
    httpRpcUrl: T.String(),
    wsRpcUrl: text,
    explorerUrl: text,
    explorerName: text,
    explorerPaths: T.Optional(
      nullable(T.Object({ transaction: address, address, token: address }, { description: doc("Templates.") })),
    ),
    explorerQueryParams: T.Optional(nullable(T.Unknown())),
    iconUrl: text,
    logoUrl: text,
    brandColor: text,
    statusMessage: text,
    disabled: T.Boolean({ description: doc("Whether transfers to and from the chain are disabled.") }),
    depositEnabled: T.Boolean({ description: doc("Whether the chain can be a destination.") }),
    partialDisableLimit: T.Optional(T.Number({ description: doc("0 for none.") })),
    blockProductionLagging: T.Optional(T.Boolean()),
    tokenSupport: T.Optional(oneOfOrUnknown(["All", "Limited"], doc("Tokens that can be transferred."))),
    withdrawalFee: T.Optional(T.Number({ description: doc("In basis points.") })),
    depositFee: T.Optional(T.Number({ description: doc("In basis points.") })),
    surgeEnabled: T.Optional(T.Boolean()),
    baseChainId: T.Optional(nullable(T.Integer({ description: doc("Parent chain of an L2.") }))),
    tags: T.Optional(T.Array(T.String())),
    currency: ChainCurrencySchema,
    erc20Currencies: T.Array(ChainCurrencySchema),
    featuredTokens: T.Optional(T.Array(ChainCurrencySchema)),
    solverCurrencies: T.Optional(T.Array(ChainCurrencySchema)),
    solverAddresses: T.Array(T.String()),
    contracts: T.Optional(
      T.Object(
        {
          multicall3: address,
          erc20Router: address,
          approvalProxy: address,
          v3: routerPair,
          "v3.2": routerPair,
        },
        { additionalProperties: true },
      ),
    ),
    protocol: T.Optional(
      T.Object(
        {
          v2: T.Optional(
            T.Object(
              {
                chainId: T.Optional(nullable(T.String({ description: doc("Chain name in orders.") }))),
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
  { additionalProperties: true, description: doc("A chain that the service supports.") },
);

/** A chain, as the service sends it. */
export type ChainEntry = ReadResponse<typeof ChainEntrySchema>;

export const ChainListSchema = T.Object({ chains: T.Array(ChainEntrySchema) });
