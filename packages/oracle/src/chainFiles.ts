import * as Type from "typebox";

import { VM_TYPES } from "@crosscall/protocol/vms";

const count = (description: string) => Type.Integer({ minimum: 0, description });
const url = Type.String({ pattern: "^https?://", description: "HTTP URL." });
const evmAddress = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$", description: "Contract on the hub." });

export const FinalityTierSchema = Type.Object({
  maxAmount: Type.String({
    pattern: "^[0-9]+$",
    description: "Upper limit, exclusive, of the amounts that the tier applies to.",
  }),
  finalizationBlocks: Type.Optional(count("Number of later blocks.")),
  finalizationTime: Type.Optional(count("Seconds on the chain's clock.")),
  feeBps: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, description: "Fee of the fast mode." })),
});

export const AdditionalDataSchema = Type.Object({
  finalizationBlocks: Type.Optional(count("Number of later blocks that make a transaction final.")),
  finalizationTime: Type.Optional(count("Seconds on the chain's clock after which a transaction is final.")),
  genesisHash: Type.Optional(
    Type.String({ minLength: 32, description: "Hash of the first block; every endpoint must report it." }),
  ),
  isZksyncStack: Type.Optional(Type.Boolean()),
  fastMode: Type.Optional(
    Type.Object({
      feeRecipient: Type.Optional(Type.String()),
      finalityTiers: Type.Unsafe<Record<string, Type.Static<typeof FinalityTierSchema>[]>>({
        type: "object",
        additionalProperties: Type.Array(FinalityTierSchema),
      }),
    }),
  ),
  rpcUrls: Type.Optional(Type.Array(url, { description: "Additional endpoints, for failover and agreement." })),
  rpcAgreement: Type.Optional(
    Type.Integer({ minimum: 1, description: "Number of endpoints that must agree; 1 by default." }),
  ),
  rpcBatchSize: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: "Maximum number of JSON-RPC calls per HTTP request; 20 by default.",
    }),
  ),
  esploraCompatibleApiUrl: Type.Optional(url),
  blockstreamClientId: Type.Optional(Type.String()),
  blockstreamClientSecret: Type.Optional(Type.String()),
  blockstreamLoginUrl: Type.Optional(url),
  maestroApiKey: Type.Optional(Type.String()),
  proxyApiUrl: Type.Optional(url),
  proxyApiKey: Type.Optional(Type.String()),
  rpcApiKey: Type.Optional(Type.String()),
  explorerApiUrl: Type.Optional(url),
  signDataDomain: Type.Optional(Type.String()),
});

/** An entry of `configs/chains.<ENVIRONMENT>.json` with resolved placeholders. */
export const ChainFileEntrySchema = Type.Object({
  id: Type.String({ minLength: 1, description: "Name of the chain in orders." }),
  vmType: Type.Enum([...VM_TYPES], { type: "string" }),
  httpRpcUrl: url,
  depository: Type.Optional(Type.String({ minLength: 1 })),
  additionalDepositories: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
  hubChainId: Type.Optional(
    Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: "^[0-9]+$" })], {
      description: "Number of the chain on the hub.",
    }),
  ),
  additionalData: Type.Optional(AdditionalDataSchema),
});

/** The content of `configs/chains.hub.<ENVIRONMENT>.json`, with resolved placeholders. */
export const HubFileSchema = Type.Object({
  id: Type.String({ minLength: 1, description: "The hub's own name." }),
  evmChainId: Type.Integer({ minimum: 1 }),
  httpRpcUrl: url,
  hubAddress: Type.Optional(evmAddress),
  oracleAddress: evmAddress,
  oracleVersion: Type.String({ minLength: 1 }),
  rateLimiter: Type.Optional(Type.Object({ address: evmAddress, type: Type.Literal("amount") })),
  oracleMultisigAddress: Type.Optional(evmAddress),
  genericMappingAddress: Type.Optional(evmAddress),
  allocatorAddress: Type.Optional(evmAddress),
  executorAddress: Type.Optional(evmAddress),
  depositAddressManagerAddress: Type.Optional(evmAddress),
  auroraHttpRpcUrl: Type.Optional(url),
  auroraEvmChainId: Type.Optional(Type.Integer({ minimum: 1 })),
  auroraAllocatorAddress: Type.Optional(evmAddress),
  auroraAllocatorSpenderAddress: Type.Optional(evmAddress),
  auroraOracleMultisigAddress: Type.Optional(evmAddress),
});

export type AdditionalData = Type.Static<typeof AdditionalDataSchema>;

export type ChainConfig = Type.Static<typeof ChainFileEntrySchema> & { readonly additionalData: AdditionalData };

export type HubConfig = Type.Static<typeof HubFileSchema>;
