import { EventEmitter } from "node:events";

import type { Address, Hex } from "viem";

import { ProviderError } from "../browser/providerError.ts";
import { openHonestWallet } from "./honestWallet.ts";
import { NO_RESPONSE, WALLET_KINDS } from "./walletKinds.ts";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import type { HeldAction, MisbehavingWalletKind, MisbehavingWalletOptions } from "./walletOptions.ts";

/** A request that the user saw. */
export interface WalletPrompt {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A wallet for tests: an EIP-1193 provider for viem's `custom`, ethers' `BrowserProvider` and wagmi. */
export interface MisbehavingWallet extends AsyncDisposable {
  /** Account that the wallet exposes. Fund this account. */
  readonly address: Address;
  /** Requests shown to the user, in order. */
  readonly prompts: readonly WalletPrompt[];
  /** Hashes of the transactions sent to the node, in order. */
  readonly sent: readonly Hex[];
  request(request: { readonly method: string; readonly params?: unknown }): Promise<unknown>;
  on(event: string, listener: (value: unknown) => void): void;
  removeListener(event: string, listener: (value: unknown) => void): void;
  /**
   * Performs the held actions: includes the private transaction, signs as the last owner, or replaces as the user.
   * Waits for earlier requests that the wallet has not signed yet.
   *
   * @returns hashes of the transactions that it sent
   * @throws the node's error if it rejects a transaction, after trying the others
   */
  release(): Promise<readonly Hex[]>;
  /** Disconnects. Open requests fail with code 4900. */
  close(): Promise<void>;
}

const USER_METHODS: ReadonlySet<string> = new Set([
  "eth_requestAccounts",
  "eth_sendTransaction",
  "eth_signTypedData_v4",
  "personal_sign",
  "wallet_addEthereumChain",
  "wallet_sendCalls",
  "wallet_switchEthereumChain",
]);

/**
 * Creates a wallet that misbehaves in one way and behaves well otherwise. Held actions are performed by `release()`, or
 * at a request after `releaseAfterBlocks` blocks.
 */
export async function misbehavingWallet(
  kind: MisbehavingWalletKind,
  options: MisbehavingWalletOptions,
): Promise<MisbehavingWallet> {
  rejectUnknownOptions(options, {
    account: 1,
    rpcUrl: 1,
    releaseAfterBlocks: 1,
    methods: 1,
    sends: 1,
    rejection: 1,
    hasCode: 1,
    answer: 1,
    cap: 1,
    reads: 1,
  });
  const events = new EventEmitter();
  const prompts: WalletPrompt[] = [];
  const sent: Hex[] = [];
  const held: { readonly action: HeldAction; readonly block: number }[] = [];
  const asked = new Set<Promise<unknown>>();
  const ended = Promise.withResolvers<never>();
  // Handles the rejection, which would be unhandled if no request is waiting.
  ended.promise.catch(() => undefined);

  const honest = await openHonestWallet({
    ...options,
    onSent: (hash) => sent.push(hash),
    onChain: (chainId) => events.emit("chainChanged", chainId),
  });
  const { address = options.account.address, answers } = await WALLET_KINDS[kind]({
    honest,
    options,
    heldCount: () => held.length,
    async hold(action) {
      held.push({ action, block: await honest.blockNumber() });
    },
  });

  const release = async (count = held.length): Promise<readonly Hex[]> => {
    const hashes: Hex[] = [];
    const errors: unknown[] = [];
    for (const { action } of held.splice(0, count)) {
      try {
        const hash = await action();
        if (hash !== undefined) hashes.push(hash);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
    return hashes;
  };
  const releaseDue = async (): Promise<void> => {
    const { releaseAfterBlocks } = options;
    if (releaseAfterBlocks === undefined || held.length === 0) return;
    const block = await honest.blockNumber();
    await release(held.filter((each) => each.block + releaseAfterBlocks <= block).length);
  };

  const respond = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    await releaseDue();
    if (USER_METHODS.has(method)) prompts.push({ method, params });
    if (method === "eth_accounts" || method === "eth_requestAccounts") return [address];
    const answer = Object.hasOwn(answers, method) ? answers[method] : undefined;
    if (answer === undefined) return honest.answer(method, params);
    return answer(params, (changed = params) => honest.answer(method, changed));
  };

  const close = (): Promise<void> => {
    ended.reject(new ProviderError("disconnected", "The wallet is disconnected."));
    return Promise.resolve();
  };

  return {
    address,
    prompts,
    sent,
    async request({ method, params }) {
      const responding = respond(method, Array.isArray(params) ? params : []);
      if (USER_METHODS.has(method)) asked.add(responding);
      const answer = await responding.finally(() => asked.delete(responding));
      return answer === NO_RESPONSE ? ended.promise : answer;
    },
    on: (event, listener) => void events.on(event, listener),
    removeListener: (event, listener) => void events.off(event, listener),
    async release() {
      // Waits, because earlier requests to the user may not be held yet.
      await Promise.allSettled(asked);
      return release();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
