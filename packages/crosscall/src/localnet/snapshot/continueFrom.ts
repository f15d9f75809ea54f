import { compact, InvalidInputError } from "@crosscall/protocol/core";
import type { ChainOptions } from "../devchain/options.ts";
import type { SavedChainState } from "../devchain/startChain.ts";
import type { LocalnetOptions } from "../options.ts";
import { redactUrl } from "../redactUrl.ts";
import type { NetworkSnapshot, SavedChain } from "./networkSnapshot.ts";

/** Options that may be replaced for a chain of a snapshot. Forks may also replace `forkUrl`. */
const OWN_SETTINGS: ReadonlySet<string> = new Set(["id", "rpcPort"] satisfies (keyof ChainOptions)[]);

/**
 * Merges the given options over those of a saved network.
 *
 * @throws {@link InvalidInputError} if a given chain is not in the snapshot, or a forked chain has no URL
 */
export function optionsFrom(snapshot: NetworkSnapshot, given: LocalnetOptions): LocalnetOptions {
  for (const [index, chain] of (given.chains ?? []).entries()) {
    const field = `chains[${index}]`;
    const saved = snapshot.chains.find(({ id }) => id === chain.id);
    if (saved === undefined) {
      throw new InvalidInputError({
        field: `${field}.id`,
        value: chain.id,
        reason: "the snapshot has no such chain",
        hint: `It has ${snapshot.chains.map(({ id }) => id).join(", ")}.`,
      });
    }
    const mayChange = (name: string): boolean => OWN_SETTINGS.has(name) || (name === "forkUrl" && isFork(saved));
    const settings: [string, unknown][] = Object.entries(chain);
    const changed = settings.find(([name, value]) => !mayChange(name) && value !== undefined);
    if (changed !== undefined) {
      const [name, value] = changed;
      throw new InvalidInputError({
        field: `${field}.${name}`,
        value: name === "forkUrl" ? redactUrl(String(value)) : value,
        reason: "cannot be changed for a chain of a snapshot",
        hint: "Omit it, or change it with the chain's controls once the network runs.",
      });
    }
  }
  const own = new Map(given.chains?.map((chain) => [chain.id, chain]));
  const chains = snapshot.chains.map((saved, index) => {
    const { rpcPort, forkUrl = saved.forkUrl } = own.get(saved.id) ?? {};
    if (forkUrl === undefined && isFork(saved)) throw missingForkUrl(saved, `chains[${index}].forkUrl`);
    return { ...toOptions(saved), ...compact({ rpcPort, forkUrl }) };
  });
  return { ...snapshot.options, ...given, chains };
}

export function chainStateOf(snapshot: NetworkSnapshot, chainId: number): SavedChainState | undefined {
  const saved = snapshot.chains.find(({ id }) => id === chainId);
  if (saved === undefined) return undefined;
  const { now, offsetMs } = snapshot.clock;
  return { ...saved, time: Math.floor((now - offsetMs) / 1_000) };
}

function isFork({ forkUrl, redactedForkUrl }: SavedChain): boolean {
  return (forkUrl ?? redactedForkUrl) !== undefined;
}

function missingForkUrl({ id, redactedForkUrl }: SavedChain, field: string): InvalidInputError {
  return new InvalidInputError({
    field,
    value: redactedForkUrl,
    reason: `the snapshot does not contain the credentials in the fork URL of chain ${id}`,
    hint: `Pass the URL as forkUrl of the chain, on the command line with --chain ${id}=fork:<url>.`,
  });
}

function toOptions(saved: SavedChain): ChainOptions {
  const { node: _node, blockBefore: _before, firstBlock: _first, redactedForkUrl: _redacted, ...options } = saved;
  return options;
}
