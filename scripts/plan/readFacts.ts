import type { Command } from "commander";

import type { CallFacts } from "@crosscall/sdk/internal/calls/check/parameters";
import { readCallFacts } from "@crosscall/sdk/internal/client/readCallFacts";
import { abortable } from "@crosscall/sdk/internal/core/abort";
import { connectTarget } from "../deploy/target.ts";
import type { BuiltPlan } from "./buildPlan.ts";

const VARIABLE = "CROSSCALL_RPC_URL";

/** Which node is asked. */
export interface AskedNode {
  readonly rpcUrl: string;
  /** Whether it is the variable's, which may be meant for other commands and so be of another chain. */
  readonly isVariable: boolean;
}

/** The node that the option or the variable names; an empty one is none. */
export function nodeOf({ rpcUrl }: { readonly rpcUrl?: string }, command: Command): AskedNode | undefined {
  if (rpcUrl === undefined || rpcUrl === "") return undefined;
  return { rpcUrl, isVariable: command.getOptionValueSource("rpcUrl") === "env" };
}

/**
 * What the destination chain says of a plan's calls; nothing where the variable names another chain.
 *
 * @param note told that it does
 * @throws {@link InvalidInputError} when the URL is none; never with the URL, which may carry a key
 * @throws {@link WrongChainError} when the option names another chain than the plan's destination
 * @throws {@link ChainError} when the node does not answer
 */
export async function readFacts(
  { request, contracts }: BuiltPlan,
  { rpcUrl, isVariable }: AskedNode,
  { signal, note }: { readonly signal: AbortSignal; readonly note: (text: string) => void },
): Promise<CallFacts> {
  const expected = request.destinationChainId;
  // Other commands take the chain's id before the URL.
  const url = rpcUrl.replace(/^\d{1,15}=/u, "");
  const connected = connectTarget(url, isVariable ? undefined : expected, signal);
  const { client, chainId } = await abortable(connected, signal, "asking for the chain's id");
  if (expected !== undefined && chainId !== expected) {
    note(`${VARIABLE} is of chain ${chainId}, and the calls are for chain ${expected}: nothing is asked`);
    return {};
  }
  return readCallFacts(client, { txs: request.txs ?? [], contracts, signal });
}
