import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import type { ChainOptions } from "../../devchain/options.ts";
import type { SavedChainState } from "../../devchain/startChain.ts";
import type { LocalnetOptions } from "../options.ts";
import type { NetworkSnapshot, SavedChain } from "./networkSnapshot.ts";

/** What a chain of a snapshot may have anew. */
const OWN_SETTINGS: ReadonlySet<string> = new Set(["id", "rpcPort"] satisfies (keyof ChainOptions)[]);

/**
 * Options of a network that continues from a snapshot: those of the saved network, replaced by those given.
 *
 * @throws {@link InvalidInputError} if the given chains are others
 */
export function optionsFrom(snapshot: NetworkSnapshot, given: LocalnetOptions): LocalnetOptions {
  for (const [index, chain] of (given.chains ?? []).entries()) {
    const field = `chains[${index}]`;
    if (!snapshot.chains.some(({ id }) => id === chain.id)) {
      throw new InvalidInputError({
        field: `${field}.id`,
        value: chain.id,
        reason: "the snapshot has no such chain",
        hint: `It has ${snapshot.chains.map(({ id }) => id).join(", ")}.`,
      });
    }
    const changed = Object.entries(chain).find(([name, value]) => !OWN_SETTINGS.has(name) && value !== undefined);
    if (changed !== undefined) {
      throw new InvalidInputError({
        field: `${field}.${changed[0]}`,
        value: changed[1],
        reason: "chains of a snapshot keep their settings",
        hint: "Omit it, or change it with the chain's controls once the network runs.",
      });
    }
  }
  const ports = new Map(given.chains?.map(({ id, rpcPort }) => [id, rpcPort]));
  const chains = snapshot.chains.map((saved) => {
    const rpcPort = ports.get(saved.id);
    return { ...toOptions(saved), ...(rpcPort === undefined ? {} : { rpcPort }) };
  });
  return { ...snapshot.options, ...given, chains };
}

export function chainStateOf(snapshot: NetworkSnapshot, chainId: number): SavedChainState | undefined {
  const saved = snapshot.chains.find(({ id }) => id === chainId);
  if (saved === undefined) return undefined;
  const { now, offsetMs } = snapshot.clock;
  return { ...saved, time: Math.floor((now - offsetMs) / 1_000) };
}

function toOptions({ node: _node, blockBefore: _before, firstBlock: _first, ...options }: SavedChain): ChainOptions {
  return options;
}
