import {
  type Account,
  type Address,
  createWalletClient,
  custom,
  type Hex,
  numberToHex,
  type WalletClient,
  zeroHash,
} from "viem";
import { getTransactionReceipt, sendTransaction } from "viem/actions";

import type { Localnet, LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { authorize, nextNonce, signBatch } from "../gasless/batches.ts";
import { reader, userWallet } from "./parties.ts";
import { onNode } from "./requests.ts";

/** Bundle in EIP-5792 format. */
interface SentBundle {
  readonly id: string;
  readonly chainId: Hex;
  readonly from: Address;
  readonly atomicRequired: boolean;
  readonly calls: readonly { readonly to: Address; readonly data?: Hex; readonly value?: Hex }[];
}

/** Creates a wallet error with this code. */
export function walletError(code: number, message = `error ${code}`): Error {
  return Object.assign(new Error(message), { code });
}

/** Wallet for the network's user. It sends each bundle as an EIP-7702 batch, in one transaction from the user. */
export class BundleWallet {
  /** Methods of the received requests. */
  readonly methods: string[] = [];
  /** Bundles that the wallet received. */
  readonly asked: SentBundle[] = [];
  /** EIP-5792 capability on the chain. Undefined if the wallet does not implement the method. */
  atomic: "supported" | "ready" | "unsupported" | undefined = "supported";
  /** Chain for which the wallet reports the capability, or 0 for all chains. */
  capableChainId: number;
  /** Returns an error that the wallet throws instead of sending. */
  refuse: (() => Error | undefined) | undefined;
  /** Error that the wallet throws after sending. */
  failAnswer: Error | undefined;
  /** Whether another account pays for the gas. */
  isSponsored = false;
  /** Status that the wallet reports instead of the real one. */
  forcedStatus: number | undefined;
  /** Response that the wallet returns instead of a status. */
  statusAnswer: (() => unknown) | undefined;
  /** Whether the wallet accepts bundles without sending them. */
  drops = false;
  /** Receipt that the wallet returns for every bundle. */
  claimed: unknown;

  private readonly network: Localnet;
  private readonly chain: LocalnetChain;
  private readonly hashes = new Map<string, Hex>();

  constructor(network: Localnet, chain: LocalnetChain) {
    this.network = network;
    this.chain = chain;
    this.capableChainId = chain.id;
  }

  /** Wallet client for an application. */
  get client(): WalletClient<ReturnType<typeof custom>, undefined, Account> {
    const request = ({ method, params = [] }: { method: string; params?: readonly unknown[] }): Promise<unknown> =>
      this.answer(method, params);
    return createWalletClient({
      account: this.network.accounts.user.address,
      transport: custom({ request }, { retryCount: 0 }),
      pollingInterval: 10,
    });
  }

  /** Forgets all bundles, as if the wallet were reinstalled. */
  forget(): void {
    this.hashes.clear();
  }

  private async answer(method: string, params: readonly unknown[]): Promise<unknown> {
    this.methods.push(method);
    switch (method) {
      case "wallet_getCapabilities":
        if (this.atomic === undefined) throw walletError(-32_601);
        return { [numberToHex(this.capableChainId)]: { atomic: { status: this.atomic } } };
      case "wallet_sendCalls":
        return this.send(params[0] as SentBundle);
      case "wallet_getCallsStatus":
        return this.status(String(params[0]));
      default:
        return onNode(this.chain, method, ...params);
    }
  }

  private async send(bundle: SentBundle): Promise<{ id: string }> {
    this.asked.push(bundle);
    if (this.hashes.has(bundle.id)) throw walletError(5_720);
    const refusal = this.refuse?.();
    if (refusal !== undefined) throw refusal;
    if (this.drops) {
      this.hashes.set(bundle.id, zeroHash);
      return { id: bundle.id };
    }
    const { user, stranger } = this.network.accounts;
    const calls = bundle.calls.map(({ to, data = "0x", value = "0x0" }) => ({ to, data, value: BigInt(value) }));
    const data = await signBatch(user, this.chain, calls, { nonce: await nextNonce(this.chain, user.address) });
    const accountNonce = await reader(this.chain).getTransactionCount({ address: user.address });
    // The account's own transaction increments the nonce before the authorization is checked.
    const nonce = this.isSponsored ? accountNonce : accountNonce + 1;
    const transaction = {
      account: this.isSponsored ? stranger : user,
      to: user.address,
      data,
      authorizationList: [await authorize(user, this.chain, { nonce })],
      gas: 1_000_000n,
    };
    const hash = await sendTransaction(userWallet(this.network, this.chain), transaction);
    this.hashes.set(bundle.id, hash);
    if (this.failAnswer !== undefined) throw this.failAnswer;
    return { id: bundle.id };
  }

  private async status(id: string): Promise<unknown> {
    if (this.statusAnswer !== undefined) return this.statusAnswer();
    const hash = this.hashes.get(id);
    if (hash === undefined) throw walletError(5_730);
    const base = { version: "2.0.0", id, chainId: numberToHex(this.chain.id), atomic: true };
    if (this.claimed !== undefined) return { ...base, status: 200, receipts: [this.claimed] };
    if (this.forcedStatus !== undefined) return { ...base, status: this.forcedStatus, receipts: [] };
    const receipt = await getTransactionReceipt(reader(this.chain), { hash }).catch(() => undefined);
    if (receipt === undefined) return { ...base, status: 100 };
    const raw = (await onNode(this.chain, "eth_getTransactionReceipt", hash)) as Readonly<Record<string, unknown>>;
    return { ...base, status: receipt.status === "success" ? 200 : 500, receipts: [raw] };
  }
}
