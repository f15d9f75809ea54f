import { type Chain, type Client, numberToHex } from "viem";

import { ChainError, systemTimer, waitOn, WrongChainError } from "@crosscall/protocol/core";
import { kitErrorIn, throwOwn, type WaitLimits } from "./node.ts";
import { type ErrorSigns, hasSign, isUserRejection } from "./walletErrors.ts";
import { UserRejectedError } from "./executionErrors.ts";
import { readChainId } from "./walletResponses.ts";

/** Some wallets report the old chain for a while after a switch. */
const FOLLOW_TIMEOUT_MS = 10_000;

const FOLLOW_INTERVAL_MS = 250;

const UNKNOWN_CHAIN: ErrorSigns = {
  // EIP-3085; WalletConnect.
  codes: [4_902, 5_100],
  words: [
    /\b(?:unrecognized|unknown|unsupported) (?:chain|network)|\btry adding the chain|\b(?:chain|network)\b.{0,60}\bnot (?:been )?(?:added|configured|found|recognized|supported)/iu,
  ],
};

/** The wallet already has an open request, which the user can still confirm. */
const PENDING: ErrorSigns = { codes: [-32_002] };

type Tried = "switched" | "pending" | "unknownChain" | "refused";

/**
 * Switches a wallet to a chain, adds the chain if the wallet does not know it, and waits until the wallet reports the
 * chain.
 * @param chain definition of the chain, if the caller passed it
 * @throws {@link UserRejectedError} when the user rejects the switch; `stepId` is the wallet's method
 * @throws {@link WrongChainError} when the wallet stays on another chain
 */
export async function switchChain(
  client: Client,
  chainId: number,
  { chain, ...limits }: WaitLimits & { readonly chain: Chain | undefined },
): Promise<void> {
  const ask = (method: string, parameter: object) => prompt(client, method, parameter);
  if ((await askChainId(client)) === chainId) return;
  const target = { chainId: numberToHex(chainId) };
  const methods = ["wallet_switchEthereumChain"];
  let { outcome, cause } = await ask("wallet_switchEthereumChain", target);
  if (outcome === "unknownChain" && chain !== undefined) {
    methods.push("wallet_addEthereumChain");
    ({ outcome, cause } = await ask("wallet_addEthereumChain", toEip3085(chain)));
    // Wallets that add a chain do not necessarily switch to it.
    if (outcome === "switched" && (await askChainId(client)) !== chainId) {
      ({ outcome, cause } = await ask("wallet_switchEthereumChain", target));
    }
  }
  const followMs = outcome === "switched" || outcome === "pending" ? FOLLOW_TIMEOUT_MS : 0;
  const actualChainId = await follow(client, chainId, followMs, limits);
  if (actualChainId === chainId) return;
  throw new WrongChainError({
    what: "the wallet",
    expectedChainId: chainId,
    actualChainId,
    hint: `${methods.join(" and ")} did not switch the chain. ${hintOf(outcome, chainId, chain)}`,
    cause,
  });
}

async function prompt(
  client: Client,
  method: string,
  parameter: object,
): Promise<{ readonly outcome: Tried; readonly cause: unknown }> {
  try {
    await client.request({ method, params: [parameter] } as never);
    return { outcome: "switched", cause: undefined };
  } catch (cause) {
    throwOwn(cause);
    if (isUserRejection(cause)) throw new UserRejectedError({ stepId: method, cause });
    return { outcome: readOutcome(cause), cause };
  }
}

function readOutcome(error: unknown): Tried {
  if (hasSign(error, UNKNOWN_CHAIN)) return "unknownChain";
  return hasSign(error, PENDING) ? "pending" : "refused";
}

async function follow(
  client: Client,
  chainId: number,
  followMs: number,
  { signal, timer = systemTimer }: WaitLimits,
): Promise<number> {
  const startedAt = timer.now();
  for (let waitedMs = 0; ; waitedMs = Math.max(waitedMs + FOLLOW_INTERVAL_MS, timer.now() - startedAt)) {
    const actual = await askChainId(client);
    if (actual === chainId || waitedMs >= followMs) return actual;
    await waitOn(timer, FOLLOW_INTERVAL_MS, signal, "the switch of the wallet's chain");
  }
}

async function askChainId(client: Client): Promise<number> {
  // Does not use viem's action, which shares the response of an open request.
  const answer: unknown = await client.request({ method: "eth_chainId" }).catch((cause: unknown) => {
    throw (
      kitErrorIn(cause) ??
      new ChainError({
        message: "the wallet's node did not return its chain id",
        hint: "Check the node, or use another node.",
        chainId: undefined,
        cause,
      })
    );
  });
  const chainId = readChainId(answer);
  if (chainId !== undefined) return chainId;
  throw new ChainError({
    message: `the wallet's node returned ${JSON.stringify(answer)} as its chain id`,
    hint: "Check the node, or use another node.",
    chainId: undefined,
  });
}

function toEip3085({ id, name, nativeCurrency, rpcUrls, blockExplorers }: Chain): object {
  return {
    chainId: numberToHex(id),
    chainName: name,
    nativeCurrency,
    rpcUrls: rpcUrls.default.http,
    ...(blockExplorers === undefined ? {} : { blockExplorerUrls: [blockExplorers.default.url] }),
  };
}

function hintOf(outcome: Tried, chainId: number, chain: Chain | undefined): string {
  if (outcome !== "unknownChain") return `Connect to chain ${chainId}.`;
  return chain === undefined
    ? `Add chain ${chainId} to the wallet, or pass a wallet client with the chain's definition in \`chain\`.`
    : `Add chain ${chainId} to the wallet.`;
}
