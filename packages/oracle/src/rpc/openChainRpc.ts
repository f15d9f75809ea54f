import type { AdditionalData } from "../chainFiles.ts";
import { type ChainRpc, type ChainRpcOptions, createChainRpc } from "./chainRpc.ts";
import type { ChainIdentity } from "./checkedEndpoint.ts";
import { createRpcEndpoint } from "./rpcEndpoint.ts";

export const RPC_TIMEOUT_MS = 10_000;

export const RPC_BATCH_SIZE = 20;

export function openChainRpc(
  chainId: string,
  rpcUrls: readonly string[],
  { rpcAgreement = 1, rpcBatchSize = RPC_BATCH_SIZE }: AdditionalData,
  { observer, clock }: Pick<ChainRpcOptions, "clock" | "observer">,
  identity?: ChainIdentity,
): ChainRpc {
  const endpoints = rpcUrls.map((url) =>
    createRpcEndpoint({ url, batchSize: rpcBatchSize, timeoutMs: RPC_TIMEOUT_MS }),
  );
  return createChainRpc({ chainId, endpoints, agreement: rpcAgreement, observer, clock, identity });
}
