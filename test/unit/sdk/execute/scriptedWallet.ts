import { type Account, type Chain, createWalletClient, custom, type Transport, type WalletClient } from "viem";

import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";

export type Answers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

/** Wallet with an EIP-1193 provider that returns scripted responses and rejects other methods. */
export class ScriptedWallet {
  /** Methods of the received requests. */
  readonly methods: string[] = [];
  /** Parameters of the requests, by method. */
  readonly params: Record<string, readonly unknown[]> = {};
  answers: Answers;
  readonly client: WalletClient<Transport, Chain | undefined, Account>;

  constructor(answers: Answers, options: { chain?: Chain; account?: Account } = {}) {
    this.answers = answers;
    this.client = createWalletClient({
      account: options.account ?? localAccounts.user.address,
      chain: options.chain,
      // Client with retries, as an application would use it.
      transport: custom({
        request: ({ method, params = [] }: { method: string; params?: readonly unknown[] }) =>
          this.request(method, params),
      }),
      pollingInterval: 1,
    });
  }

  request(method: string, params: readonly unknown[]): Promise<unknown> {
    this.methods.push(method);
    this.params[method] = params;
    const answer = this.answers[method];
    if (answer === undefined) return Promise.reject(Object.assign(new Error("method not found"), { code: -32_601 }));
    return Promise.resolve().then(() => answer(params));
  }
}

export function silence(): Promise<never> {
  return new Promise(() => undefined);
}

/** Makes a scripted method fail. */
export function failing(code: number | undefined, message = "failed"): () => never {
  return () => {
    throw Object.assign(new Error(message), code === undefined ? {} : { code });
  };
}
