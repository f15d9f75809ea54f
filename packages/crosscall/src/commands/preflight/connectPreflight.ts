import { chainFamilyOf } from "@crosscall/protocol/chains";
import { SVM_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import { connectChains, parseRpcUrl, requireHttpUrl, type Target } from "../../options/target.ts";
import type { PreflightChain } from "../../replay/preflight/preflight.ts";

/** Chains of a preflight, and those of them that have a client. */
export interface PreflightTargets {
  readonly chains: readonly PreflightChain[];
  readonly targets: ReadonlyMap<number, Target>;
}

/**
 * Connects the chains of a preflight. SVM chains are not connected, because their nodes have no method to report the id.
 *
 * @param svmRpcUrl node of Solana in the folder's network, if it runs one
 */
export async function connectPreflight(
  endpoints: readonly string[],
  svmRpcUrl: string | undefined,
  signal: AbortSignal,
): Promise<PreflightTargets> {
  const svm: PreflightChain[] = [];
  const evm = endpoints.filter((text) => {
    const { id, url } = parseRpcUrl(text);
    if (id === undefined || chainFamilyOf(id).name !== "svm") return true;
    svm.push({ id, rpcUrl: requireHttpUrl(url) });
    return false;
  });
  if (svmRpcUrl !== undefined && svm.length === 0) svm.push({ id: SVM_CHAIN_ID, rpcUrl: svmRpcUrl });
  const targets = await connectChains(evm, signal);
  return { targets, chains: [...svm, ...[...targets].map(([id, { rpcUrl }]) => ({ id, rpcUrl }))] };
}
