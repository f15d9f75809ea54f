import { type Address, type Hex, isAddress, isHex, type LocalAccount, numberToHex } from "viem";
import { estimateGas, getCode, getTransactionCount } from "viem/actions";

import { BATCH_DELEGATION, BATCH_EXECUTOR_ADDRESS, encodeBatch, toBatchTypedData } from "@crosscall/protocol/chains";
import { ProviderError } from "./providerError.ts";
import { submit } from "./signing.ts";
import { toChainId, type WalletChains } from "./walletChains.ts";

/**
 * Gas limit of a batch if its estimate reverts. The batch is sent anyway, so that the page sees a bundle that failed on
 * the chain.
 */
const FAILING_GAS = 2_000_000n;

/** Nonce key that separates the wallet's batches from gasless batches. */
const NONCE_SPACE = 1n << 128n;

const STATUS = { pending: 100, confirmed: 200, reverted: 500 } as const;

/** A bundle of EIP-5792. */
interface BundleParameters {
  readonly version: string;
  readonly id?: string;
  readonly chainId: Hex;
  readonly calls: readonly { readonly to: Address; readonly data?: Hex; readonly value?: Hex }[];
  readonly capabilities?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Bundles of a wallet. Each bundle is one transaction from the wallet's account. */
export interface Bundles {
  /** Validates a bundle before the user approves it. */
  read(parameter: unknown): BundleParameters;
  send(account: LocalAccount, bundle: BundleParameters): Promise<{ readonly id: string }>;
  statusOf(id: unknown): Promise<unknown>;
  /** Returns the transaction of a bundle if the wallet sent the bundle. */
  hashOf(id: string): Hex | undefined;
  /** Returns whether the account has the code of the batch executor. */
  isUpgraded(account: Address, chainId: number): Promise<boolean>;
}

export function createBundles(chains: WalletChains): Bundles {
  const sent = new Map<string, { readonly hash: Hex; readonly chainId: number }>();

  const isUpgraded = async (address: Address, chainId: number): Promise<boolean> =>
    (await getCode(chains.client(chainId), { address }))?.toLowerCase() === BATCH_DELEGATION.toLowerCase();

  return {
    isUpgraded,
    read(parameter) {
      const bundle = toBundle(parameter);
      const chainId = toChainId(bundle.chainId);
      if (!chains.has(chainId)) throw new ProviderError("unsupportedChain", `Chain ${chainId} is not supported.`);
      for (const [name, { optional }] of Object.entries(bundle.capabilities ?? {})) {
        if (optional === true) continue;
        throw new ProviderError("unsupportedCapability", `Capability ${name} is not supported.`);
      }
      if (bundle.id !== undefined && sent.has(bundle.id)) {
        throw new ProviderError("duplicateBundle", `Bundle ${bundle.id} was sent before.`);
      }
      return bundle;
    },
    async send(account, bundle) {
      const chainId = toChainId(bundle.chainId);
      const client = chains.client(chainId);
      const nonce = await getTransactionCount(client, { address: account.address, blockTag: "pending" });
      const batch = {
        chainId,
        account: account.address,
        calls: bundle.calls.map(({ to, data = "0x", value = "0x0" }) => ({ to, data, value: BigInt(value) })),
        // Unique without reading the nonce, because the account sends each of its batches itself.
        nonce: (NONCE_SPACE + BigInt(nonce)) << 64n,
        executor: account.address,
        deadline: 0n,
      };
      const data = encodeBatch(batch, await account.signTypedData(toBatchTypedData(batch)));
      const upgrade = (await isUpgraded(account.address, chainId)) ? {} : await signUpgrade(account, chainId, nonce);
      const transaction = { account, to: account.address, data, nonce, ...upgrade };
      const gas = await estimateGas(client, transaction).catch(() => FAILING_GAS);
      const hash = await submit(client, { ...transaction, gas, chain: client.chain });
      const id = bundle.id ?? hash;
      sent.set(id, { hash, chainId });
      return { id };
    },
    hashOf: (id) => sent.get(id)?.hash,
    async statusOf(id) {
      const bundle = typeof id === "string" ? sent.get(id) : undefined;
      if (bundle === undefined) throw new ProviderError("unknownBundle", `Bundle ${String(id)} is unknown.`);
      const { hash, chainId } = bundle;
      const base = { version: "2.0.0", id, chainId: numberToHex(chainId), atomic: true };
      const receipt = await chains
        .client(chainId)
        .request({ method: "eth_getTransactionReceipt", params: [hash] }, { retryCount: 0 });
      if (receipt === null) return { ...base, status: STATUS.pending };
      const { status, blockHash, blockNumber, gasUsed, transactionHash, logs } = receipt;
      return {
        ...base,
        status: status === "0x1" ? STATUS.confirmed : STATUS.reverted,
        receipts: [{ logs, status, blockHash, blockNumber, gasUsed, transactionHash }],
      };
    },
  };
}

/** Signs the authorization that gives the account the batch executor's code (EIP-7702). */
async function signUpgrade(account: LocalAccount, chainId: number, nonce: number) {
  if (account.signAuthorization === undefined) {
    throw new ProviderError("unsupportedMethod", "The account cannot sign EIP-7702 authorizations.");
  }
  // The transaction increments the nonce before the chain checks the authorization.
  const authorization = { contractAddress: BATCH_EXECUTOR_ADDRESS, chainId, nonce: nonce + 1 };
  return { authorizationList: [await account.signAuthorization(authorization)] };
}

function toBundle(parameter: unknown): BundleParameters {
  const bundle = (parameter ?? {}) as Partial<BundleParameters>;
  const { version, chainId, calls } = bundle;
  if (version !== "2.0.0") throw new ProviderError("invalidParams", "version must be 2.0.0.");
  if (!isHex(chainId)) throw new ProviderError("invalidParams", "chainId must be a hexadecimal string.");
  if (!Array.isArray(calls) || calls.length === 0) throw new ProviderError("invalidParams", "calls must not be empty.");
  if (!calls.every((call: { readonly to?: unknown }) => typeof call.to === "string" && isAddress(call.to))) {
    throw new ProviderError("invalidParams", "Each call must have an address in to.");
  }
  return { ...bundle, version, chainId, calls };
}
