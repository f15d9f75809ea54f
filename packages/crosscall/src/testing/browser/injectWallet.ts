import type { Page } from "playwright-core";

import { toPageError } from "./providerError.ts";
import { toProviderScript } from "./providerScript.ts";
import { createWallet, type EmitEvent, type InjectedWallet, type WalletOptions, type WalletRequest } from "./wallet.ts";

const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#4f46e5"/></svg>',
)}`;

/**
 * Adds a wallet to every document that the page opens from now on: an EIP-1193 provider, announced by EIP-6963 and at
 * `window.ethereum`. The page only forwards requests; accounts sign in this process. Each wallet needs another name.
 *
 * @throws InvalidInputError when an option cannot be used
 */
export async function injectWallet(page: Page, options: WalletOptions): Promise<InjectedWallet> {
  const { name = "Local wallet" } = options;
  const slug = name.toLowerCase().replaceAll(/[^a-z0-9]+/gu, "-");
  const [binding, emitter] = [`crosscall:request:${slug}`, `crosscall:emit:${slug}`];
  const emit: EmitEvent = async (event, value) => {
    const script = `window[${JSON.stringify(emitter)}]?.(${JSON.stringify(event)}, ${JSON.stringify(value)})`;
    // A frame that is just being replaced reads the state when it loads.
    await Promise.all(page.frames().map((frame) => frame.evaluate(script).catch(() => undefined)));
  };
  const { wallet, handle } = createWallet(options, emit);
  await page.exposeBinding(binding, async (_source, { method, params }: Partial<WalletRequest>) => {
    try {
      return { result: await handle({ method: String(method), params: params ?? [] }) };
    } catch (error) {
      // As data: a thrown error would lose its code on the way to the page.
      return { error: toPageError(error) };
    }
  });
  const uuid = crypto.randomUUID();
  await page.addInitScript(
    toProviderScript({ binding, emitter, info: { uuid, name, icon: ICON, rdns: `dev.crosscall.${slug}` } }),
  );
  return wallet;
}
