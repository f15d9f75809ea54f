import type { Page } from "playwright-core";

import { toPageError } from "./providerError.ts";
import { createWallet, type EmitEvent, type InjectedWallet, type WalletOptions } from "./wallet.ts";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import type { WalletRequest } from "./walletChains.ts";

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#4f46e5"/></svg>',
)}`;

/**
 * Adds a wallet to every document that the page opens from now on: an EIP-1193 provider at `window.ethereum`, which is
 * also announced with EIP-6963. The page only forwards requests, and accounts sign in this process. Each wallet needs a
 * different name.
 *
 * @throws InvalidInputError when an option is invalid
 */
export async function injectWallet(page: Page, options: WalletOptions): Promise<InjectedWallet> {
  rejectUnknownOptions(options, { chains: 1, accounts: 1, isConnected: 1, batches: 1, name: 1 });
  const { name = "Local wallet" } = options;
  const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/gu, "-");
  const [binding, emitter] = [`crosscall:request:${slug}`, `crosscall:emit:${slug}`];
  const emit: EmitEvent = async (event, value) => {
    const script = `window[${JSON.stringify(emitter)}]?.(${JSON.stringify(event)}, ${JSON.stringify(value)})`;
    // Ignores errors from a frame that is being replaced, because the new frame reads the state when it loads.
    await Promise.all(page.frames().map((frame) => frame.evaluate(script).catch(() => undefined)));
  };
  const { wallet, handle } = createWallet(options, emit);
  await page.exposeBinding(binding, async (_source, { method, params }: Partial<WalletRequest>) => {
    try {
      return { result: await handle({ method: String(method), params: params ?? [] }) };
    } catch (error) {
      // Returns the error as data, because a thrown error would lose its code on the way to the page.
      return { error: toPageError(error) };
    }
  });
  const uuid = crypto.randomUUID();
  await page.addInitScript(
    toProviderScript({ binding, emitter, info: { uuid, name, icon: ICON, rdns: `dev.crosscall.${slug}` } }),
  );
  return wallet;
}

/** Input of the injected script. */
interface ProviderScriptParameters {
  /** Name of the exposed function that handles the page's requests. */
  readonly binding: string;
  /** Name of the function that passes an event to the listeners of the page. */
  readonly emitter: string;
  /** EIP-6963. */
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string; readonly rdns: string };
}

/**
 * Returns the script of an EIP-1193 provider that forwards requests to Node.js. The script is a string, because test
 * runners compile functions with helpers that a page does not have.
 */
function toProviderScript(parameters: ProviderScriptParameters): string {
  return `(({ binding, emitter, info }) => {
  const handle = window[binding];
  const listeners = new Map();
  const provider = {
    async request({ method, params }) {
      const { result, error } = await handle({ method, params });
      if (error) throw Object.assign(new Error(error.message), error);
      return result;
    },
    on(event, listener) {
      listeners.set(event, [...(listeners.get(event) ?? []), listener]);
      return provider;
    },
    removeListener(event, listener) {
      listeners.set(event, (listeners.get(event) ?? []).filter((each) => each !== listener));
      return provider;
    },
  };
  window[emitter] = (event, value) => {
    for (const listener of listeners.get(event) ?? []) listener(value);
  };
  window.ethereum ??= provider;
  const detail = Object.freeze({ info: Object.freeze(info), provider });
  const announce = () => window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  window.addEventListener("eip6963:requestProvider", announce);
  announce();
})(${JSON.stringify(parameters)});`;
}
