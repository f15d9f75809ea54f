import { type CallFacts, readCallFacts } from "@crosscall/sdk/calls";
import { abortable } from "@crosscall/protocol/core";
import type { Command } from "../../options/command.ts";
import { connectTarget } from "../../options/target.ts";
import type { BuiltPlan } from "./buildPlan.ts";

const VARIABLE = "CROSSCALL_RPC_URL";

export interface AskedNode {
  readonly rpcUrl: string;
  /** The variable may be meant for other commands, and so for another chain. */
  readonly isVariable: boolean;
}

/** From the option or the variable; an empty one counts as none. */
export function nodeOf({ rpcUrl }: { readonly rpcUrl?: string }, command: Command): AskedNode | undefined {
  if (rpcUrl === undefined || rpcUrl === "") return undefined;
  return { rpcUrl, isVariable: command.getOptionValueSource("rpcUrl") === "env" };
}

/**
 * Facts of the destination chain about a plan's calls; none if the variable's node has another chain.
 *
 * @param note reports that
 */
export async function readFacts(
  { request, contracts }: BuiltPlan,
  { rpcUrl, isVariable }: AskedNode,
  { signal, note }: { readonly signal: AbortSignal; readonly note: (text: string) => void },
): Promise<CallFacts> {
  const expected = request.destinationChainId;
  // Other commands take `chainId=url`.
  const url = rpcUrl.replace(/^\d{1,15}=/u, "");
  const connected = connectTarget(url, isVariable ? undefined : expected, signal);
  const { client, chainId } = await abortable(connected, signal, "asking for the chain's id");
  if (expected !== undefined && chainId !== expected) {
    note(`${VARIABLE} has chain ${chainId}, but the calls are for chain ${expected}: facts of the chain are skipped`);
    return {};
  }
  return readCallFacts(client, { txs: request.txs ?? [], contracts, signal });
}
