import {
  type Address,
  encodeAbiParameters,
  erc20Abi,
  encodeFunctionData,
  decodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
} from "viem";

import { ProviderError } from "../browser/providerError.ts";
import type { SignedTransaction } from "../browser/signing.ts";
import { toChainId } from "../browser/walletChains.ts";
import { deployAccount, encodeExecute, signOperation } from "./contractAccount.ts";
import type { HonestWallet, TransactionRequest } from "./honestWallet.ts";
import {
  type HeldAction,
  type MisbehavingWalletKind,
  type MisbehavingWalletOptions,
  REJECTIONS,
} from "./walletOptions.ts";

/** @param honest returns the response of a wallet without faults, by default to the same parameters */
type WalletResponse = (
  params: readonly unknown[],
  honest: (params?: readonly unknown[]) => Promise<unknown>,
) => Promise<unknown>;

export type WalletResponses = Readonly<Record<string, WalletResponse | undefined>>;

export interface WalletContext {
  readonly honest: HonestWallet;
  readonly options: MisbehavingWalletOptions;
  readonly heldCount: () => number;
  readonly hold: (action: HeldAction) => Promise<void>;
}

interface WalletBehavior {
  /** Account that the wallet exposes; the key's own address by default. */
  readonly address?: Address;
  readonly answers: WalletResponses;
}

/** Response that makes the request wait until the wallet is closed. */
export const NO_RESPONSE = Symbol("no answer");

/** Chain of a wallet that is not on the node's chain. */
const OTHER_CHAIN = "0x1";

/** Factor of a raised fee, because nodes replace a transaction only if its replacement pays at least a tenth more. */
const RAISED_FEE = { times: 5n, over: 4n };

/** Behaviors by kind: differences from a wallet without faults. */
export const WALLET_KINDS: Readonly<
  Record<MisbehavingWalletKind, (context: WalletContext) => WalletBehavior | Promise<WalletBehavior>>
> = {
  honest: () => ({ answers: {} }),
  ownNonce: () =>
    sending(([transaction], honest) => {
      const { nonce: _, ...others } = transaction as TransactionRequest;
      return honest([others]);
    }),
  privateMempool: (context) =>
    sending(async ([transaction]) => {
      const signed = await signNext(context, transaction as TransactionRequest);
      await context.hold(() => context.honest.sendSigned(signed));
      return signed.hash;
    }),
  async userOperation({ honest, hold, heldCount }) {
    const address = await deployAccount(honest);
    return contractAccount(address, async (call) => {
      const { hash, transaction } = await signOperation(honest, address, call, heldCount());
      await hold(() => honest.send(transaction));
      return hash;
    });
  },
  async multisig({ honest, hold }) {
    const address = await deployAccount(honest);
    let nonce = 0n;
    return contractAccount(address, async (call) => {
      const data = encodeExecute(call);
      await hold(() => honest.send({ to: address, data }));
      nonce += 1n;
      const types = [{ type: "address" }, { type: "uint256" }, { type: "bytes" }] as const;
      return keccak256(encodeAbiParameters(types, [address, nonce, data]));
    });
  },
  neverAnswers: ({ options }) => ({
    answers: forMethods(options, async (_params, honest) => {
      if (options.sends === true) await honest();
      return NO_RESPONSE;
    }),
  }),
  answersNull: () =>
    sending(async (_params, honest) => {
      await honest();
      return null;
    }),
  sendsNothing: () => sending(() => Promise.resolve(undefined)),
  answersGarbage: ({ options: { answer = "0x" } }) =>
    sending(async (_params, honest) => {
      await honest();
      return answer;
    }),
  repeatsHash() {
    let previous: unknown;
    return sending(async (_params, honest) => {
      const hash = await honest();
      const answer = previous ?? hash;
      previous = hash;
      return answer;
    });
  },
  losesHash: () =>
    sending(async (_params, honest) => {
      await honest();
      throw new ProviderError("disconnected", "The connection to the wallet was lost.");
    }),
  rejects: ({ options }) => ({
    answers: forMethods(options, () => {
      // oxlint-disable-next-line prefer-promise-reject-errors -- some wallets throw strings
      return Promise.reject(REJECTIONS[options.rejection ?? "code4001"]());
    }),
  }),
  slowChainSwitch({ honest, options: { reads = 3 } }) {
    let left: number | undefined;
    return {
      answers: {
        eth_chainId() {
          if (left === 0) return Promise.resolve(numberToHex(honest.chainId));
          if (left !== undefined) left -= 1;
          return Promise.resolve(OTHER_CHAIN);
        },
        async wallet_switchEthereumChain(_params, answer) {
          await answer();
          left ??= reads;
          return null;
        },
      },
    };
  },
  unknownChain({ honest }) {
    let isKnown = false;
    let isActive = false;
    const activate = (): null => {
      isActive = true;
      honest.announceChain(numberToHex(honest.chainId));
      return null;
    };
    return {
      answers: {
        eth_chainId: () => Promise.resolve(isActive ? numberToHex(honest.chainId) : OTHER_CHAIN),
        async wallet_switchEthereumChain(_params, answer) {
          if (!isKnown) throw new ProviderError("unknownChain", "Unrecognized chain ID.");
          await answer();
          return activate();
        },
        async wallet_addEthereumChain([parameter], answer) {
          await answer();
          isKnown = toChainId((parameter as { readonly chainId?: unknown }).chainId) === honest.chainId;
          return isKnown ? activate() : null;
        },
      },
    };
  },
  lowersApproval: ({ options: { cap = 1n } }) =>
    sending(([parameter], honest) => {
      const transaction = parameter as TransactionRequest;
      return honest([{ ...transaction, data: lowerApproval(transaction.data as Hex | undefined, cap) }]);
    }),
  speedsUp: (context) => replacing(context, (transaction) => transaction),
  cancels: (context) => replacing(context, ({ from }) => ({ from, to: from, value: "0x0" })),
  legacySignatures: () => signing((signature) => `${signature.slice(0, -2)}0${parseSignature(signature).yParity}`),
  compactSignatures: () =>
    signing((signature) => serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)))),
  bundles: ({ honest }) => ({ answers: bundleResponses(honest) }),
  refusesBundles: ({ honest, options: { hasCode = true } }) => ({
    answers: {
      ...bundleResponses(honest),
      wallet_sendCalls() {
        if (hasCode) throw new ProviderError("unsupportedMethod", "The wallet does not support wallet_sendCalls.");
        throw new Error("wallet_sendCalls is not supported");
      },
    },
  }),
  bundlePending({ honest, hold }) {
    const pending = new Set<unknown>();
    return {
      answers: {
        ...bundleResponses(honest),
        async wallet_sendCalls([parameter]) {
          const bundle = honest.bundles.read(parameter);
          const { id = keccak256(encodeAbiParameters([{ type: "string" }], [JSON.stringify(bundle)])) } = bundle;
          if (pending.has(id)) throw new ProviderError("duplicateBundle", `Bundle ${id} was sent before.`);
          pending.add(id);
          await hold(async () => {
            await honest.sendBundle({ ...bundle, id });
            pending.delete(id);
            return honest.bundles.hashOf(id);
          });
          return { id };
        },
        wallet_getCallsStatus([id]) {
          if (!pending.has(id)) return honest.bundles.statusOf(id);
          const chainId = numberToHex(honest.chainId);
          return Promise.resolve({ version: "2.0.0", id, chainId, atomic: true, status: 100 });
        },
      },
    };
  },
  bundleForgotten: ({ honest }) => ({
    answers: {
      ...bundleResponses(honest),
      wallet_getCallsStatus([id]) {
        throw new ProviderError("unknownBundle", `Bundle ${String(id)} is unknown.`);
      },
    },
  }),
};

function sending(answer: WalletResponse): WalletBehavior {
  return { answers: { eth_sendTransaction: answer } };
}

function signing(change: (signature: Hex) => string): WalletBehavior {
  const answer: WalletResponse = async (_params, honest) => change((await honest()) as Hex);
  return { answers: { personal_sign: answer, eth_signTypedData_v4: answer } };
}

/** Methods that send or sign. */
const ASKING_METHODS = ["eth_sendTransaction", "eth_signTypedData_v4", "personal_sign", "wallet_sendCalls"];

function forMethods({ methods = ASKING_METHODS }: MisbehavingWalletOptions, answer: WalletResponse): WalletResponses {
  return Object.fromEntries(methods.map((method) => [method, answer]));
}

/** Creates a contract account, which has no key and cannot sign for apps. */
function contractAccount(address: Address, send: (call: TransactionRequest) => Promise<Hex>): WalletBehavior {
  const refuse = (): never => {
    throw new ProviderError("unsupportedMethod", "A contract account does not sign messages.");
  };
  return {
    address,
    answers: {
      eth_sendTransaction: ([call]) => send(call as TransactionRequest),
      eth_signTypedData_v4: refuse,
      personal_sign: refuse,
    },
  };
}

/** Signs with the given nonce, or with the next nonce after held actions. */
async function signNext(
  { honest, heldCount }: WalletContext,
  transaction: TransactionRequest,
): Promise<SignedTransaction> {
  const nonce = transaction.nonce ?? numberToHex((await honest.nextNonce()) + heldCount());
  return honest.sign({ ...transaction, nonce });
}

/** Returns the hash of a transaction that is replaced before a node receives it. */
function replacing(
  context: WalletContext,
  change: (transaction: TransactionRequest) => TransactionRequest,
): WalletBehavior {
  const { honest, hold } = context;
  return sending(async ([parameter]) => {
    const transaction = parameter as TransactionRequest;
    const first = await signNext(context, transaction);
    const { nonce = 0, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = first.prepared;
    const raised = (fee: bigint | undefined): Hex | undefined =>
      fee === undefined ? undefined : numberToHex((fee * RAISED_FEE.times) / RAISED_FEE.over + 1n);
    const fees =
      gasPrice === undefined
        ? { maxFeePerGas: raised(maxFeePerGas), maxPriorityFeePerGas: raised(maxPriorityFeePerGas) }
        : { gasPrice: raised(gasPrice) };
    await hold(() =>
      honest.send({
        ...change(transaction),
        nonce: numberToHex(nonce),
        gas: gas === undefined ? undefined : numberToHex(gas),
        ...fees,
      }),
    );
    return first.hash;
  });
}

function lowerApproval(data: Hex | undefined, cap: bigint): Hex | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: data ?? "0x" });
    if (functionName !== "approve") return data;
    return encodeFunctionData({ abi: erc20Abi, functionName, args: [args[0], args[1] < cap ? args[1] : cap] });
  } catch {
    return data;
  }
}

function bundleResponses(honest: HonestWallet): Record<string, WalletResponse> {
  return {
    wallet_getCapabilities: () =>
      Promise.resolve({ [numberToHex(honest.chainId)]: { atomic: { status: "supported" } } }),
    wallet_sendCalls: ([parameter]) => honest.sendBundle(parameter),
    wallet_getCallsStatus: ([id]) => honest.bundles.statusOf(id),
  };
}
