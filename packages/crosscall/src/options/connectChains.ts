import { InvalidInputError } from "@crosscall/protocol/core";
import { connectTarget, type Target } from "./target.ts";

/**
 * Asks each node for its chain id.
 *
 * @returns nodes by chain id
 * @throws {@link InvalidInputError} for an invalid URL, or two nodes of a chain
 * @throws {@link WrongChainError} if a node has another chain than its option says
 * @throws {@link ChainError} if a node does not respond
 */
export async function connectChains(
  rpcUrls: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Target>> {
  const targets = new Map<number, Target>();
  for (const text of rpcUrls) {
    const [, id, url = text] = /^(\d{1,15})=(.*)$/u.exec(text) ?? [];
    const target = await connectTarget(url, id === undefined ? undefined : Number(id), signal);
    if (targets.has(target.chainId)) {
      throw new InvalidInputError({
        field: "--rpc-url",
        value: String(target.chainId),
        reason: "two endpoints are of this chain",
        hint: "Pass one endpoint per chain.",
      });
    }
    targets.set(target.chainId, target);
  }
  return targets;
}

/** @throws {@link InvalidInputError} if there is none */
export function requireTarget(targets: ReadonlyMap<number, Target>, chainId: number): Target {
  const target = targets.get(chainId);
  if (target !== undefined) return target;
  throw new InvalidInputError({
    field: "--rpc-url",
    value: undefined,
    reason: `chain ${chainId} is needed, and no endpoint of it is given`,
    hint: `Add --rpc-url ${chainId}=<url>.`,
  });
}

/**
 * Without calling the node, which need not be up if everything is cached.
 *
 * @param chainId undefined if only the node knows it
 * @throws {@link InvalidInputError} if none is given
 */
export function requireRpcUrl(rpcUrls: readonly string[] | undefined, chainId: number | undefined): string {
  const given = (rpcUrls ?? []).map((text) => {
    const [, id, url = text] = /^(\d{1,15})=(.*)$/u.exec(text) ?? [];
    return { id: id === undefined ? undefined : Number(id), url };
  });
  const named = given.find(({ id }) => id !== undefined && id === chainId);
  const open = given.filter(({ id }) => id === undefined || chainId === undefined);
  const found = named ?? (open.length === 1 ? open[0] : undefined);
  if (found !== undefined) return requireHttpUrl(found.url);
  const chain = chainId === undefined ? "the destination chain" : `chain ${chainId}`;
  throw new InvalidInputError({
    field: "--rpc-url",
    value: undefined,
    reason: open.length > 1 ? `several endpoints may be those of ${chain}` : `no endpoint of ${chain} is given`,
    hint: `Add --rpc-url ${chainId ?? "<id>"}=<url>, or set CROSSCALL_RPC_URL.`,
  });
}

/** @throws {@link InvalidInputError} without the URL, which may contain a key */
function requireHttpUrl(url: string): string {
  if (/^https?:\/\/./u.test(url) && URL.canParse(url)) return url;
  throw new InvalidInputError({
    field: "--rpc-url",
    value: "(hidden)",
    reason: "it is not an http or https URL",
    hint: "Pass the URL of the chain's JSON-RPC endpoint, with the option or in CROSSCALL_RPC_URL.",
  });
}
