import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseEther, toHex, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { planCalls } from "../../../packages/sdk/src/calls/index.ts";
import { requestIdOf, type ServiceClient } from "../../../packages/sdk/src/index.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { SVM_CHAIN_ID } from "../../../packages/protocol/src/chains/chainIds.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/index.ts";
import { uniformDraw } from "../../../packages/crosscall/src/localnet/scenarios/parameters.ts";
import { getQuote } from "../../support/complete.ts";
import type { CampaignChain } from "./accounting.ts";
import { NATIVE, type SvmPayment, svmPayer, svmPayment, USDC } from "./svmPayment.ts";
import { fundPayer, type GaslessMethod, type GaslessPost, ownerOf, payerOf, signPayment } from "./gaslessPayment.ts";

/** Kinds of requests between the EVM chains of a campaign, each with its required final status. */
export const EVM_KINDS = {
  nativeToNative: "success",
  nativeToToken: "success",
  tokenToNative: "success",
  tokenToToken: "success",
  call: "success",
  revertingCall: "refund",
  shortDeposit: "refund",
  eip3009: "success",
  eip2612: "success",
  permit2: "success",
  userOperation: "success",
  authorization: "success",
  revertingPermit: "refund",
  revertingUserOperation: "refund",
} as const;

/** Kinds of requests from Solana. */
export const SVM_KINDS = {
  svmNativeToToken: "success",
  svmTokenToNative: "success",
  svmRevertingCall: "refund",
  svmShortDeposit: "refund",
} as const;

export const KINDS = { ...EVM_KINDS, ...SVM_KINDS };

/** Kinds of requests that the user pays for without gas. */
const GASLESS: Readonly<Partial<Record<Kind, GaslessMethod>>> = {
  eip3009: "permit",
  eip2612: "permit",
  permit2: "permit",
  revertingPermit: "permit",
  userOperation: "userOperation",
  revertingUserOperation: "userOperation",
  authorization: "authorization",
};

export type Kind = keyof typeof KINDS;

/** Chains in a campaign. */
export interface CampaignNetwork {
  readonly origin: CampaignChain;
  readonly destination: CampaignChain;
}

/** Quoted request that uses accounts of its own, so their final balances show the outcome. */
export interface CampaignOrder {
  readonly kind: Kind;
  readonly requestId: Hex;
  readonly orderId: Hex;
  readonly recipient: Address;
  readonly refundTo: string;
  readonly inputCurrency: string;
  readonly outputCurrency: Address;
  /** Amount of the deposit, in the smallest unit. */
  readonly deposited: bigint;
  /** Payer, which holds exactly the deposit, and the payment to post. Absent if the user makes the deposit. */
  readonly gasless?: { readonly payer: Address; readonly payment: GaslessPost };
  /** Payment on Solana, by an account that holds exactly the deposit in its currency. */
  readonly svm?: SvmPayment;
  /** Amount that a fill must deliver, in the smallest unit. */
  readonly expectedOutput: bigint;
}

const NATIVE_AMOUNT = parseEther("0.01");
const DOLLAR_AMOUNT = 25_000_000n;
const TOKEN_AMOUNT = parseEther("25");
/** Lamports. */
const SVM_AMOUNT = 200_000_000n;

/** Requests a quote of one kind, with accounts derived from the index. */
export async function quoteOrder(
  client: ServiceClient,
  network: CampaignNetwork,
  kind: Kind,
  index: number,
): Promise<CampaignOrder> {
  const isSvm = kind in SVM_KINDS;
  const recipient = accountOf(2 * index);
  const refundTo = isSvm ? svmPayer(`refund ${index}`).publicKey.toBase58() : accountOf(2 * index + 1);
  const inputCurrency = inputOf(kind, network.origin);
  const outputCurrency = kind.endsWith("ToNative") ? zeroAddress : network.destination.contracts.dollar;
  const amount = amountOf(kind);
  const method = GASLESS[kind];
  const owner = ownerOf(index);
  const payer = svmPayer(`payer ${index}`);
  const evmUser = method === undefined ? localAccounts.user.address : await payerOf(network.origin, method, owner);
  const user = isSvm ? payer.publicKey.toBase58() : evmUser;
  const quote = await getQuote(client, {
    user,
    recipient,
    refundTo,
    originChainId: isSvm ? SVM_CHAIN_ID : network.origin.id,
    destinationChainId: network.destination.id,
    originCurrency: inputCurrency,
    destinationCurrency: outputCurrency,
    tradeType: "EXACT_INPUT",
    amount: amount.toString(),
    ...(method === "permit" ? { usePermit: true } : {}),
    ...(method === undefined || method === "permit" ? {} : { originGasOverhead: 300_000 }),
    ...callsFor(kind, network, recipient, amount),
  });
  const order = {
    kind,
    requestId: requestIdOf(quote) as Hex,
    orderId: orderIdOf(quote),
    recipient,
    refundTo,
    inputCurrency,
    outputCurrency,
    deposited: /shortDeposit$/iu.test(kind) ? amount / 2n : amount,
    expectedOutput: BigInt(quote.details.currencyOut.amount),
  };
  if (isSvm) return { ...order, svm: svmPayment(payer, quote, order.deposited) };
  if (method === undefined) return order;
  await fundPayer(network.origin, {
    token: inputCurrency as Address,
    payer: evmUser,
    amount,
    owner: kind === "permit2" ? owner : undefined,
  });
  return { ...order, gasless: { payer: evmUser, payment: await signPayment(network.origin, method, owner, quote) } };
}

function inputOf(kind: Kind, { contracts }: CampaignChain): string {
  if (kind in SVM_KINDS) return kind === "svmTokenToNative" || kind === "svmRevertingCall" ? USDC : NATIVE;
  if (kind === "eip2612") return contracts.token;
  if (kind === "permit2") return contracts.tether;
  return kind.startsWith("token") || kind in GASLESS ? contracts.dollar : zeroAddress;
}

function amountOf(kind: Kind): bigint {
  if (kind === "svmNativeToToken" || kind === "svmShortDeposit") return SVM_AMOUNT;
  if (kind in SVM_KINDS) return DOLLAR_AMOUNT;
  if (kind === "eip2612") return TOKEN_AMOUNT;
  return kind.startsWith("token") || kind in GASLESS ? DOLLAR_AMOUNT : NATIVE_AMOUNT;
}

function callsFor(
  kind: Kind,
  { destination: { contracts } }: CampaignNetwork,
  recipient: Address,
  amount: bigint,
): Partial<QuoteRequest> {
  const { dollar, router, vaultProxy } = contracts;
  switch (kind) {
    case "call":
      return planCalls({
        tradeType: "EXACT_INPUT",
        router,
        destinationCurrency: dollar,
        recipient,
        amount,
        actions: [{ kind: "proxy", token: dollar, proxy: vaultProxy, recipient, deadline: maxUint256 }],
      });
    case "revertingCall":
    case "revertingPermit":
    case "revertingUserOperation":
    case "svmRevertingCall":
      // Call that transfers more than a fill delivers.
      return {
        txs: [
          {
            to: dollar,
            data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [recipient, maxUint256] }),
            value: "0",
          },
        ],
      };
    default:
      return {};
  }
}

/** Returns an address that no other order uses, derived from the index. */
function accountOf(index: number): Address {
  return privateKeyToAccount(toHex(BigInt(index) + 0xc0ffee000000n, { size: 32 })).address;
}

function orderIdOf(quote: Quote): Hex {
  const orderId = quote.protocol?.v2.orderId;
  if (orderId === undefined) throw new Error("the quote has no order");
  return orderId as Hex;
}

/** Returns a generator of numbers in [0, 1) that repeats for the same seed. */
export function seededRandom(seed: number): () => number {
  let index = 0;
  return () => uniformDraw(String(seed), index++);
}
