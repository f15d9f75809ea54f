import { BaseError, createPublicClient, http, HttpRequestError, type PublicClient } from "viem";
import { CREATE2_FACTORY, CREATE2_FACTORY_CODE, FactoryMissingError } from "@crosscall/protocol/chains";
import { ChainError, InvalidInputError, WrongChainError } from "@crosscall/protocol/core";

export interface Target {
  readonly chainId: number;
  /** URL of the node. It may contain a key, so it is never printed. */
  readonly rpcUrl: string;
  readonly client: PublicClient;
}

/**
 * Connects to a node. Never prints the URL, because it may contain a key.
 *
 * @param expectedChainId chain id that the node must have
 * @param signal signal that ends all requests
 */
export async function connectTarget(
  rpcUrl: string,
  expectedChainId: number | undefined,
  signal: AbortSignal,
): Promise<Target> {
  const transport = http(requireHttpUrl(rpcUrl), {
    retryCount: 2,
    timeout: 20_000,
    // Without this signal, viem ends a request only after its own timeout.
    fetchFn: (input, init) =>
      fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal }),
  });
  const client = createPublicClient({ transport, cacheTime: 0 });
  const chainId = await asChainError(expectedChainId, () => client.getChainId());
  if (expectedChainId !== undefined && chainId !== expectedChainId) {
    throw new WrongChainError({ what: "the RPC endpoint", expectedChainId, actualChainId: chainId });
  }
  return { chainId, rpcUrl, client };
}

export async function requireFactory({ chainId, client }: Target): Promise<void> {
  const code = await client.getCode({ address: CREATE2_FACTORY });
  if (code === CREATE2_FACTORY_CODE) return;
  throw new FactoryMissingError({ chainId, hasOtherCode: code !== undefined });
}

/** Converts errors from the node to errors without the URL. */
export async function asChainError<Result>(chainId: number | undefined, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const isSilent = error.walk((layer) => layer instanceof HttpRequestError && layer.status === undefined) !== null;
    throw new ChainError({
      message: `the node of ${chainId === undefined ? "the chain" : `chain ${chainId}`} ${isSilent ? "does not respond" : "rejected a request"}: ${error.details || error.shortMessage}`,
      hint: "Check the RPC URL and that the node is up and in sync, then run the command again to continue.",
      chainId,
    });
  }
}

/**
 * Reads the chain id of each node.
 *
 * @returns nodes by chain id
 * @throws {@link InvalidInputError} for an invalid URL, or two nodes of a chain
 * @throws {@link WrongChainError} if a node serves a different chain than its option states
 * @throws {@link ChainError} if a node does not respond
 */
export async function connectChains(
  rpcUrls: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Target>> {
  const targets = new Map<number, Target>();
  for (const text of rpcUrls) {
    const { id, url } = parseRpcUrl(text);
    const target = await connectTarget(url, id, signal);
    if (targets.has(target.chainId)) {
      throw new InvalidInputError({
        field: "--rpc-url",
        value: String(target.chainId),
        reason: "the chain already has an endpoint",
        hint: "Pass one endpoint per chain.",
      });
    }
    targets.set(target.chainId, target);
  }
  return targets;
}

/** @throws {@link InvalidInputError} if no endpoint serves the chain */
export function requireTarget(targets: ReadonlyMap<number, Target>, chainId: number): Target {
  const target = targets.get(chainId);
  if (target !== undefined) return target;
  throw new InvalidInputError({
    field: "--rpc-url",
    value: undefined,
    reason: `chain ${chainId} is required, but has no endpoint`,
    hint: `Add --rpc-url ${chainId}=<url>.`,
  });
}

/**
 * Finds the URL of a chain without a request to the node, so that cached replays work while the node is down.
 *
 * @param chainId chain id; undefined if only the node can report it
 * @throws {@link InvalidInputError} if no endpoint was given
 */
export function requireRpcUrl(rpcUrls: readonly string[] | undefined, chainId: number | undefined): string {
  const given = (rpcUrls ?? []).map(parseRpcUrl);
  const named = given.find(({ id }) => id !== undefined && id === chainId);
  const open = given.filter(({ id }) => id === undefined || chainId === undefined);
  const found = named ?? (open.length === 1 ? open[0] : undefined);
  if (found !== undefined) return requireHttpUrl(found.url);
  const chain = chainId === undefined ? "the destination chain" : `chain ${chainId}`;
  throw new InvalidInputError({
    field: "--rpc-url",
    value: undefined,
    reason: open.length > 1 ? `several endpoints could be the endpoint of ${chain}` : `${chain} has no endpoint`,
    hint: `Add --rpc-url ${chainId ?? "<id>"}=<url>, or set CROSSCALL_RPC_URL.`,
  });
}

/** Parses `url` or `id=url`. */
export function parseRpcUrl(text: string): { readonly id: number | undefined; readonly url: string } {
  const [, id, url = text] = /^(\d{1,15})=(.*)$/u.exec(text) ?? [];
  return { id: id === undefined ? undefined : Number(id), url };
}

/** @throws {@link InvalidInputError} without the URL, which may contain a key */
export function requireHttpUrl(url: string): string {
  if (/^https?:\/\/./u.test(url) && URL.canParse(url)) return url;
  throw new InvalidInputError({
    field: "--rpc-url",
    value: "(hidden)",
    reason: "it is not an http or https URL",
    hint: "Pass the URL of the chain's JSON-RPC endpoint, with the option or in CROSSCALL_RPC_URL.",
  });
}
