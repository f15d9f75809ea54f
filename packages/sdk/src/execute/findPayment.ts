import { type Address, type Client, decodeFunctionData, erc20Abi, type Hex, parseAbi } from "viem";
import { getLogs, getTransaction } from "viem/actions";

import {
  DEPOSIT_EVENTS,
  EVM_NATIVE_CURRENCY,
  isSameAddress,
  parseServiceAddress,
  readContract,
} from "@crosscall/protocol/chains";
import type { PlannedTransaction } from "@crosscall/protocol/quote/rules";
import type { Quote } from "@crosscall/protocol/quote";
import { isPresent } from "@crosscall/protocol/schema";
import { findLog } from "./findLog.ts";
import { readApproval } from "./requireFunds.ts";

const TRANSFER_EVENT = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);

/** Where to look: no earlier block has the payment. */
export interface PaymentRange {
  readonly chainId: number;
  readonly fromBlock: bigint;
}

/**
 * Finds the transaction that paid the order of a quote by the depository's event, from any sender: a contract account and a
 * relayer pay under other hashes than the one that a wallet returns. The event must have the order's currency and amount, since
 * anyone can deposit dust for an order.
 *
 * @returns undefined without an order too, such as on one chain
 */
export async function findDeposit(client: Client, { protocol }: Quote, range: PaymentRange): Promise<Hex | undefined> {
  const { orderId, paymentDetails } = protocol?.v2 ?? {};
  if (!isPresent(orderId) || !isPresent(paymentDetails?.depository)) return undefined;
  const { amount, currency, depository } = paymentDetails;
  const address = parseServiceAddress(depository, "protocol.v2.paymentDetails.depository");
  const log = await findLog(client, {
    ...range,
    read: (blocks) => getLogs(client, { address, events: DEPOSIT_EVENTS, ...blocks, strict: true }),
    isMatch: ({ args }) => {
      const token = "token" in args ? args.token : EVM_NATIVE_CURRENCY;
      return (
        args.id.toLowerCase() === orderId.toLowerCase() &&
        (!isPresent(currency) || isSameAddress(token, currency)) &&
        (!isPresent(amount) || args.amount >= BigInt(amount))
      );
    },
  });
  return log?.transactionHash;
}

/**
 * Finds the transaction that made a step's call, from any sender: by the order's deposit, by the token's transfer, or by a log of
 * the called contract. A transaction of a contract account contains the call data of the step.
 */
export async function findPayment(
  client: Client,
  { quote, planned }: { readonly quote: Quote; readonly planned: PlannedTransaction },
  range: PaymentRange,
): Promise<Hex | undefined> {
  const deposited = await findDeposit(client, quote, range);
  if (deposited !== undefined) return deposited;
  const transfer = readTransfer(planned.data);
  if (transfer !== undefined) return findTransfer(client, planned, transfer, range);
  // A deposit of the order has no other trace, and plain native payments have no log.
  if (isPresent(quote.protocol?.v2?.orderId) || planned.data === "0x") return undefined;
  return findCall(client, planned, range);
}

interface TokenTransfer {
  readonly to: Address;
  readonly value: bigint;
}

function readTransfer(data: Hex): TokenTransfer | undefined {
  try {
    const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data });
    return functionName === "transfer" ? { to: args[0], value: args[1] } : undefined;
  } catch {
    return undefined;
  }
}

/** Bytes of `transfer(address,uint256)`: an order's id may follow. */
const TRANSFER_CHARACTERS = 2 + 2 * (4 + 2 * 32);

async function findTransfer(
  client: Client,
  { from, to: address, data }: PlannedTransaction,
  { to, value }: TokenTransfer,
  range: PaymentRange,
): Promise<Hex | undefined> {
  const log = await findLog(client, {
    ...range,
    read: (blocks) => getLogs(client, { address, events: TRANSFER_EVENT, ...blocks, strict: true }),
    isMatch: async ({ args, transactionHash }) =>
      isSameAddress(args.from, from) &&
      isSameAddress(args.to, to) &&
      args.value === value &&
      (data.length === TRANSFER_CHARACTERS || (await containsCall(client, transactionHash, data))),
  });
  return log?.transactionHash;
}

async function findCall(
  client: Client,
  { to: address, data }: PlannedTransaction,
  range: PaymentRange,
): Promise<Hex | undefined> {
  const log = await findLog(client, {
    ...range,
    read: (blocks) => getLogs(client, { address, ...blocks }),
    isMatch: ({ transactionHash }) => containsCall(client, transactionHash, data),
  });
  return log?.transactionHash;
}

async function containsCall(client: Client, hash: Hex, data: Hex): Promise<boolean> {
  const { input } = await getTransaction(client, { hash });
  return input.toLowerCase().includes(data.slice(2).toLowerCase());
}

/** Whether an approval has its effect already: the allowance is at least the approved amount, or zero where it resets it. */
export async function isApproved(client: Client, { from, to, data }: PlannedTransaction): Promise<boolean> {
  const approval = readApproval(data);
  if (approval === undefined) return false;
  const allowance = await readContract(client, {
    address: to,
    abi: erc20Abi,
    functionName: "allowance",
    args: [from, approval.spender],
  });
  return approval.amount === 0n ? allowance === 0n : allowance >= approval.amount;
}
