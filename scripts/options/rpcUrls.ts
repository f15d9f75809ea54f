import { Option } from "commander";

import { InvalidInputError } from "../../src/core/errors.ts";
import { connectTarget, type Target } from "../deploy/target.ts";

/** `--rpc-url [id=]url`, repeatable: nodes of the chains that a command reads or sends to. */
export function rpcUrlOption(): Option {
  return new Option(
    "--rpc-url <[id=]url>",
    "a chain's JSON-RPC endpoint, with the chain id that it must have; repeatable (or CROSSCALL_RPC_URL for one)",
  )
    .env("CROSSCALL_RPC_URL")
    .argParser<readonly string[] | undefined>((text, others) => [...(others ?? []), text]);
}

/**
 * Connects to the nodes and asks each for its chain id.
 *
 * @returns the nodes by chain id
 * @throws {@link InvalidInputError} when a URL cannot be used, or two are of the same chain
 * @throws {@link WrongChainError} when a node is of another chain than its option says
 * @throws {@link ChainError} when a node does not answer
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
        cure: "Give one endpoint a chain.",
      });
    }
    targets.set(target.chainId, target);
  }
  return targets;
}

/**
 * The node of a chain.
 *
 * @throws {@link InvalidInputError} when there is none
 */
export function requireTarget(targets: ReadonlyMap<number, Target>, chainId: number): Target {
  const target = targets.get(chainId);
  if (target !== undefined) return target;
  throw new InvalidInputError({
    field: "--rpc-url",
    value: undefined,
    reason: `chain ${chainId} is needed, and no endpoint of it is given`,
    cure: `Add --rpc-url ${chainId}=<url>.`,
  });
}
