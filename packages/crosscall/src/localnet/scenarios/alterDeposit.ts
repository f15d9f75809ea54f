import { type Address, type Hex, decodeFunctionData, encodeFunctionData, erc20Abi, zeroAddress } from "viem";

import { depositoryAbi } from "@crosscall/protocol/abi";
import type { Quote, Step } from "@crosscall/protocol/complete";
import type { TransactionData } from "@crosscall/protocol/quote";
import { localDollarAbi } from "../../abi/localDollar.generated.ts";
import type { DevChain } from "../devchain/devChain.ts";
import type { DepositChange } from "./families/failScenario.ts";

type Chains = ReadonlyMap<number, Pick<DevChain, "contracts">>;

/** One dollar, in the token's smallest unit. */
const ONE_DOLLAR = 1_000_000n;

/** 0.001 native currency, in wei. */
const OTHER_NATIVE = 10n ** 15n;

interface DepositCall {
  readonly depositor: Address;
  /** Currency; the zero address for native currency. */
  readonly token: Address;
  readonly amount: bigint;
  readonly orderId: Hex;
}

/**
 * Replaces the deposit in the quote's steps with a deposit that differs from the order. A quote without an EVM deposit
 * stays unchanged.
 */
export function alterDeposit(chains: Chains, quote: Quote, change: DepositChange): Quote {
  const steps = quote.steps.flatMap((step) => {
    const data = step.id === "deposit" ? transactionOf(step) : undefined;
    const call = data && readDeposit(data);
    return data === undefined || call === undefined ? [step] : alterStep(chains, quote, step, data, call, change);
  });
  return { ...quote, steps };
}

function alterStep(
  chains: Chains,
  quote: Quote,
  step: Step,
  data: TransactionData,
  call: DepositCall,
  change: DepositChange,
): Step[] {
  switch (change) {
    case "half":
      return [withAmount(step, data, call, call.amount / 2n)];
    case "fee":
      return [withAmount(step, data, call, BigInt(quote.fees.relayerGas.amount))];
    case "dust":
      return [withAmount(step, data, call, 1n)];
    case "twice":
      // Only the last item has a check, which clients use to follow the request.
      return [{ ...step, items: [...step.items.map(({ check: _, ...item }) => item), ...step.items] }];
    case "chain":
      return [withData(step, { ...data, chainId: otherChain(chains, data.chainId) })];
    case "currency":
      return otherCurrency(chains, step, data, call);
  }
}

/**
 * Deposits enough native currency for a refund instead of a token, or a dollar instead of native currency. An extra
 * first step mints the dollar.
 */
function otherCurrency(chains: Chains, step: Step, data: TransactionData, call: DepositCall): Step[] {
  const dollar = chains.get(data.chainId)?.contracts.dollar;
  if (call.token !== zeroAddress || dollar === undefined) {
    return [withData(step, { ...data, ...writeDeposit({ ...call, token: zeroAddress, amount: OTHER_NATIVE }) })];
  }
  const send = (to: Address, callData: Hex): TransactionData => ({
    from: data.from,
    to,
    data: callData,
    value: "0",
    chainId: data.chainId,
  });
  const mint = encodeFunctionData({ abi: localDollarAbi, functionName: "mint", args: [call.depositor, ONE_DOLLAR] });
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: "approve",
    args: [data.to as Address, ONE_DOLLAR],
  });
  const before: Step = {
    ...step,
    id: "approve",
    description: "Mint a token of the network and approve it for the deposit",
    items: [mint, approve].map((callData) => ({ status: "incomplete", data: send(dollar, callData) })),
  };
  const { data: deposit } = writeDeposit({ ...call, token: dollar, amount: ONE_DOLLAR });
  return [before, withData(step, send(data.to as Address, deposit))];
}

function otherChain(chains: Chains, chainId: number): number {
  return [...chains.keys()].find((id) => id !== chainId) ?? chainId;
}

function transactionOf({ items }: Step): TransactionData | undefined {
  const data = items[0]?.data;
  return data !== undefined && "chainId" in data ? (data as TransactionData) : undefined;
}

function withAmount(step: Step, data: TransactionData, call: DepositCall, amount: bigint): Step {
  return withData(step, { ...data, ...writeDeposit({ ...call, amount }) });
}

function withData(step: Step, data: TransactionData): Step {
  return { ...step, items: step.items.map((item) => ({ ...item, data })) };
}

function readDeposit({ data, value = "0" }: TransactionData): DepositCall | undefined {
  const decoded = decodeFunctionData({ abi: depositoryAbi, data: (data ?? "0x") as Hex });
  switch (decoded.functionName) {
    case "depositNative": {
      const [depositor, orderId] = decoded.args;
      return { depositor, token: zeroAddress, amount: BigInt(value), orderId };
    }
    case "depositErc20": {
      // Quotes never use the overload without an amount.
      if (decoded.args.length !== 4) return undefined;
      const [depositor, token, amount, orderId] = decoded.args;
      return { depositor, token, amount, orderId };
    }
    default:
      return undefined;
  }
}

function writeDeposit({ depositor, token, amount, orderId }: DepositCall): { data: Hex; value: string } {
  if (token === zeroAddress) {
    const data = encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [depositor, orderId] });
    return { data, value: amount.toString() };
  }
  const data = encodeFunctionData({
    abi: depositoryAbi,
    functionName: "depositErc20",
    args: [depositor, token, amount, orderId],
  });
  return { data, value: "0" };
}
