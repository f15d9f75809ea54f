import { type Address, type Hex, type LocalAccount, encodeFunctionData, keccak256, zeroAddress } from "viem";

import { depositoryAbi } from "@crosscall/protocol/abi";
import { isEvmNative } from "@crosscall/protocol/chains";
import type { DevChain, EvmCall } from "../../devchain/devChain.ts";
import { approveCall } from "../../market/approvalCalls.ts";
import { depositAccount } from "../../devchain/accounts.ts";
import type { RequestRow } from "../../store/requests/requests.ts";
import { transition } from "../../store/requests/transitions.ts";
import {
  findTransaction,
  insertTransaction,
  recordInclusion,
  type TransactionPurpose,
  type TransactionRow,
} from "../../store/transactions.ts";
import { INCLUSION_INTERVAL_MS, includeTransaction } from "../includeTransaction.ts";
import { signAndRecord } from "../signedTransaction.ts";
import type { ChainReader, Observer, Recorder, Signer } from "../solverParts.ts";

// Gas limits, which are upper bounds. Unused gas money stays at the address and is not a payment.
const TRANSFER_GAS = 21_000n;
const NATIVE_SWEEP_GAS = 100_000n;
const APPROVAL_GAS = 100_000n;
const TOKEN_SWEEP_GAS = 250_000n;

interface SweepTransaction extends EvmCall {
  readonly purpose: TransactionPurpose;
  readonly gas: bigint;
}

/**
 * Moves a payment from a deposit address to the depository, where the payment becomes an ordinary deposit with the
 * request's orderId. The solver first sends gas money to the address. Each signed transaction is stored before it is
 * sent, so this can be called again at any time.
 *
 * @returns milliseconds after which to call again, if it must wait for a block
 */
export async function sweepPayment(
  parts: ChainReader & Signer & Observer,
  request: RequestRow,
): Promise<number | undefined> {
  const { db } = parts.store;
  const payment = await findTransaction(db, request.id, "payment");
  if (payment === undefined || request.deposit_address === null) return undefined;
  const chain = parts.chains.get(payment.chain_id);
  if (chain === undefined) return undefined;
  const account = depositAccount((request.parent_request_id ?? request.id) as Hex);
  const sweeps = sweepTransactions(chain, request, payment);

  const funding = await payForGas(parts, chain, request, account, sweeps);
  if (funding === undefined) return INCLUSION_INTERVAL_MS;
  const gas = sweeps.reduce((sum, sweep) => sum + sweep.gas, 0n);
  await signSweeps(parts, chain, request, payment, { account, sweeps, maxFeePerGas: BigInt(funding.amount) / gas });
  for (const { purpose } of sweeps) {
    const row = await findTransaction(db, request.id, purpose);
    if (row === undefined) return undefined;
    const inclusion = await includeTransaction(chain, row);
    if (inclusion === undefined) return INCLUSION_INTERVAL_MS;
    await recordInclusion(db, row.id, inclusion);
    if (inclusion.status === "success") continue;
    parts.log.error({ requestId: request.id, txHash: row.hash }, "could not sweep a deposit address");
    await transition(db, {
      requestId: request.id,
      from: ["depositing"],
      to: "failure",
      at: new Date(parts.clock.now()),
      set: { fail_reason: "TRANSFER_FAILED" },
    });
    return undefined;
  }
  return undefined;
}

function sweepTransactions(chain: DevChain, request: RequestRow, payment: TransactionRow): SweepTransaction[] {
  const { depository } = chain.contracts;
  const amount = BigInt(payment.amount);
  const orderId = request.order_id as Hex;
  // If the payer is unknown, the user is the depositor.
  const depositor = (payment.sender === "" ? request.user : payment.sender) as Address;
  if (isEvmNative(payment.currency)) {
    const data = encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [depositor, orderId] });
    return [{ purpose: "sweep", to: depository, data, value: amount, gas: NATIVE_SWEEP_GAS }];
  }
  const token = payment.currency as Address;
  return [
    { ...approveCall(token, depository, amount), purpose: "sweepApproval", gas: APPROVAL_GAS },
    {
      purpose: "sweep",
      to: depository,
      data: encodeFunctionData({
        abi: depositoryAbi,
        functionName: "depositErc20",
        args: [depositor, token, amount, orderId],
      }),
      value: 0n,
      gas: TOKEN_SWEEP_GAS,
    },
  ];
}

/** Sends the address gas money for its transactions once. Returns undefined until this payment is included. */
async function payForGas(
  parts: Signer,
  chain: DevChain,
  request: RequestRow,
  account: LocalAccount,
  sweeps: readonly SweepTransaction[],
): Promise<TransactionRow | undefined> {
  const { db } = parts.store;
  const find = () => findTransaction(db, request.id, "funding");
  let row = await find();
  while (row === undefined) {
    const { maxFeePerGas } = await chain.client.estimateFeesPerGas();
    const amount = sweeps.reduce((sum, { gas }) => sum + gas, 0n) * maxFeePerGas;
    await signAndRecord(parts, {
      requestId: request.id,
      purpose: "funding",
      chain,
      transaction: { to: account.address, data: "0x", value: amount },
      gas: TRANSFER_GAS,
      amount,
      currency: zeroAddress,
    });
    row = await find();
  }
  if (row.status !== "pending") return row;
  const inclusion = await includeTransaction(chain, row);
  if (inclusion === undefined) return undefined;
  await recordInclusion(db, row.id, inclusion);
  return row;
}

/** Signs all sweeps or none. */
async function signSweeps(
  parts: Recorder,
  chain: DevChain,
  request: RequestRow,
  payment: TransactionRow,
  {
    account,
    sweeps,
    maxFeePerGas,
  }: {
    readonly account: LocalAccount;
    readonly sweeps: readonly SweepTransaction[];
    readonly maxFeePerGas: bigint;
  },
): Promise<void> {
  const { db } = parts.store;
  if ((await findTransaction(db, request.id, "sweep")) !== undefined) return;
  const nonce = await chain.client.getTransactionCount({ address: account.address });
  const rows = await Promise.all(
    sweeps.map(async ({ purpose, to, data, value, gas }, index) => {
      const signed = await account.signTransaction({
        type: "eip1559",
        chainId: chain.id,
        nonce: nonce + index,
        gas,
        maxFeePerGas,
        maxPriorityFeePerGas: 0n,
        to,
        data,
        value,
      });
      return { purpose, signed, hash: keccak256(signed), nonce: nonce + index };
    }),
  );
  await db.transaction().execute(async (transaction) => {
    for (const row of rows) {
      await insertTransaction(transaction, {
        ...row,
        request_id: request.id,
        chain_id: chain.id,
        sender: account.address,
        status: "pending",
        amount: payment.amount,
        currency: payment.currency,
        created_at: new Date(parts.clock.now()),
      });
    }
  });
}
