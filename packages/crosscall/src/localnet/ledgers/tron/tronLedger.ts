import { type Address, concat, encodeFunctionData, erc20Abi, type Hex, isHex } from "viem";

import { depositoryAbi } from "@crosscall/protocol/abi";
import { TRON_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import { InvalidStateError } from "@crosscall/protocol/core";
import type { Ledger, LedgerPayment } from "../../market/ledger.ts";
import { rejectField } from "../../market/rejection.ts";
import { findSimulatedChain } from "../../market/simulatedChains.ts";
import { findRequestByOrderId } from "../../store/requests/requests.ts";
import { LedgerLog, type LedgerWriter, resultOf } from "../ledgerLog.ts";
import type { LedgerParts } from "../ledgerParts.ts";
import { reportArrival } from "../reportArrival.ts";
import type { LedgerCall, LedgerResponse } from "../serveLedger.ts";
import { readAddress, toBase58, toHexForm } from "./address.ts";
import { respond } from "./api.ts";
import { type Included, type Rejected, TronChain, type TronEntry } from "./chain.ts";
import { Accounts } from "./contracts.ts";
import type { Operation, SignedTransaction } from "./transaction.ts";

/** Ledger with accounts, the depository, a dollar token, and the API of a full node. */
export type TronLedger = Required<
  Pick<Ledger, "approvalData" | "balanceOf" | "depositData" | "fund" | "hasTransaction" | "pay">
> & { respond(call: LedgerCall): Promise<LedgerResponse> };

type Writer = LedgerWriter<TronChain, TronEntry, Included | undefined>;

export function createTronLedger({ db, onArrival, clock, log }: LedgerParts): TronLedger {
  const { native, tokens, depository, solver } = readContracts();
  const entries = new LedgerLog<TronChain, TronEntry, Included | undefined>({
    db,
    chainId: TRON_CHAIN_ID,
    create: () => new TronChain(new Accounts({ native: native.address, depository, tokens }), clock),
    apply: (chain, entry) => chain.apply(entry),
  });

  const payOnce = async (
    { state: chain, add }: Writer,
    { key, recipient, currency, amount, orderId }: LedgerPayment,
  ): Promise<string> => {
    const paid = chain.payment(key);
    if (paid !== undefined) return paid;
    const id = readWord(orderId);
    const to = readAddress(recipient, "recipient");
    const token = readAddress(currency, "currency");
    const isNative = token === native.address;
    const args = [to, amount] as const;
    const operation: Operation = isNative
      ? { type: "TransferContract", owner: solver, to, amount: toNumber(amount) }
      : {
          type: "TriggerSmartContract",
          owner: solver,
          contract: token,
          callValue: 0,
          // The oracle reads the order id from the end of the call data, or from the memo.
          data: concat([encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args }), id]),
        };
    // The solver never runs out of funds.
    await add({ type: "mint", account: solver, currency: token, amount: amount.toString() });
    const raw = chain.build(operation, 0, isNative ? id : "0x");
    const { transaction } = resultOf(
      await add({ type: "include", raw, signatures: [], block: chain.latest().number, key }),
    );
    return transaction.id;
  };

  /** Reports a deposit to its request. Returns the amount to the depositor if no request takes the deposit. */
  const report = async (writer: Writer, { transaction, deposit }: Included): Promise<void> => {
    if (deposit === undefined) return;
    const { orderId, amount } = deposit;
    const request = await findRequestByOrderId(writer.db, orderId);
    const txHash = transaction.id;
    const depositor = toBase58(deposit.depositor);
    const currency = toBase58(deposit.currency);
    if (request?.origin_chain_id === TRON_CHAIN_ID) {
      const arrival = { requestId: request.id, txHash, depositor, currency, amount };
      if (await reportArrival({ onArrival, log }, arrival, writer.db)) return;
    } else {
      log.warn({ orderId, txHash }, "a deposit on Tron contains no order id");
    }
    if (amount > 0n)
      await payOnce(writer, { key: `return ${txHash}`, recipient: depositor, currency, amount, orderId });
  };
  const submit = (signed: SignedTransaction): Promise<Included | Rejected> =>
    entries.write(async (writer) => {
      const { state: chain, add } = writer;
      const problem = await chain.findProblem(signed);
      if (problem !== undefined) return problem;
      const { raw, signatures } = signed;
      const included = resultOf(await add({ type: "include", raw, signatures, block: chain.latest().number }));
      await report(writer, included);
      return included;
    });

  return {
    respond: async (call) => respond({ chain: await entries.read(), tokens, submit }, call),
    async balanceOf(account, currency) {
      const { accounts } = await entries.read();
      return accounts.balanceOf(readAddress(account, "account"), readAddress(currency, "currency"));
    },
    async approvalData({ user, currency, amount }) {
      const token = readAddress(currency, "currency");
      const { accounts } = await entries.read();
      const allowance = accounts.allowanceOf(readAddress(user, "user"), depository, token);
      if (token === native.address || allowance >= amount) return undefined;
      const args = [depository, amount] as const;
      return callData(user, token, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args }));
    },
    depositData({ user, currency, amount, orderId }) {
      const id = readWord(orderId);
      const depositor = readAddress(user, "user");
      const token = readAddress(currency, "currency");
      const isNative = token === native.address;
      const callValue = isNative ? toNumber(amount) : 0;
      const data = isNative
        ? encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [depositor, id] })
        : encodeFunctionData({
            abi: depositoryAbi,
            functionName: "depositErc20",
            args: [depositor, token, amount, id],
          });
      return Promise.resolve(callData(user, depository, data, callValue));
    },
    pay: (payment, transaction) => entries.write((writer) => payOnce(writer, payment), transaction),
    async fund(address, currency, amount) {
      const account = readAddress(address, "address");
      const entry = { account, currency: readAddress(currency, "currency"), amount: amount.toString() };
      await entries.write(({ add }) => add({ type: "mint", ...entry }));
    },
    hasTransaction: async (hash) => (await entries.read()).transaction(hash.toLowerCase()) !== undefined,
  };
}

/** Reads the chain's currencies and accounts. */
function readContracts() {
  const simulated = findSimulatedChain(TRON_CHAIN_ID);
  const [native, ...tokens] = (simulated?.currencies ?? []).map(({ currency }) => ({
    ...currency,
    address: readAddress(currency.address, "currency"),
  }));
  if (simulated === undefined || native === undefined) {
    throw new InvalidStateError({ message: "the network does not simulate Tron", hint: "Add it to the chains." });
  }
  return {
    native,
    tokens,
    depository: readAddress(simulated.depository, "depository"),
    solver: readAddress(simulated.solver, "solver"),
  };
}

/** Returns a step's data in the form that the published wallet adapter expects. */
function callData(user: string, contract: Address, data: Hex, callValue = 0) {
  return {
    parameter: {
      owner_address: toHexForm(readAddress(user, "user")),
      contract_address: toHexForm(contract),
      data,
      call_value: callValue,
    },
  };
}

function readWord(orderId: string): Hex {
  if (isHex(orderId) && orderId.length === 66) return orderId;
  throw rejectField("orderId", orderId, "is not a 32-byte word", "Pass the id of the order.");
}

/** Converts an amount of native currency to a number, because the API uses JSON numbers. */
function toNumber(amount: bigint): number {
  if (amount <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(amount);
  const reason = `transactions on Tron are limited to ${Number.MAX_SAFE_INTEGER} sun`;
  throw rejectField("amount", amount.toString(), reason, "Pay in parts.");
}
