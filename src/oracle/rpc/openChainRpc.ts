import type { AdditionalData } from "../config/chainFiles.ts";
import { type ChainRpc, type ChainRpcOptions, createChainRpc } from "./chainRpc.ts";
import { createRpcEndpoint } from "./rpcEndpoint.ts";

/** How long a call may take. */
const TIMEOUT_MS = 10_000;

const BATCH_SIZE = 20;

/** Opens the endpoints of a chain as its configuration says. */
export function openChainRpc(
  chainId: string,
  rpcUrls: readonly string[],
  { rpcAgreement = 1, rpcBatchSize = BATCH_SIZE }: AdditionalData,
  { observer, clock }: Pick<ChainRpcOptions, "clock" | "observer">,
): ChainRpc {
  const endpoints = rpcUrls.map((url) => createRpcEndpoint({ url, batchSize: rpcBatchSize, timeoutMs: TIMEOUT_MS }));
  return createChainRpc({ chainId, endpoints, agreement: rpcAgreement, observer, clock });
}
