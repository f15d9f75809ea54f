import { isDeepStrictEqual } from "node:util";

import { type Hex, isHex, zeroHash } from "viem";

import type { FailReason } from "@crosscall/protocol/request";
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAccount,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from "@crosscall/protocol/vms";
import { type Ledger, type LedgerPayment, PaymentRejectedError, type PaymentSwap } from "../../market/ledger.ts";
import { depositInstruction, requireSmallDeposit } from "../../market/quote/routes/svmDeposit.ts";
import { rejectField } from "../../market/rejection.ts";
import { type SimulatedChain, SVM_EXCHANGE, SVM_WRAPPED_NATIVE } from "../../market/simulatedChains.ts";
import { findRequestByOrderId } from "../../store/requests/requests.ts";
import { LedgerLog, type LedgerWriter } from "../ledgerLog.ts";
import type { LedgerParts } from "../ledgerParts.ts";
import { reportArrival } from "../reportArrival.ts";
import type { LedgerCall, LedgerResponse } from "../serveLedger.ts";
import { respond } from "./api.ts";
import { depositsOf } from "./deposits.ts";
import { AIRDROPS, createGenesis, FAUCET, SOLVER } from "./genesis.ts";
import { memo, nativeTransfer, tokenTransfer, u64, unitLimit } from "./instructions.ts";
import { type LocalKey, signTransaction } from "./keys.ts";
import { BELOW_MINIMUM, type Hop, LOOKUP_TABLE, lookupTableOf, routeInstruction } from "./pools.ts";
import { invalidParams, RpcError } from "./params.ts";
import { readTokenAccount, TOKEN_ACCOUNT_BYTES } from "./accounts.ts";
import {
  type Forecast,
  type IncludedTransaction,
  signatureOf,
  type Simulator,
  SolanaChain,
  type SolanaEntry,
  type Submission,
} from "./solanaChain.ts";
import type { WatchedChain } from "./subscriptions.ts";
import { findSwap, measure, swapInstructions, tokenAfter, toRoute } from "./swaps.ts";
import { describeError, type TransactionError } from "./transactionError.ts";
import { decodeTransaction, type Instruction, type WireTransaction } from "./wire.ts";

/** Chain with the programs of a live chain, the depository, tokens, and the API of a node. */
export type SolanaLedger = Required<
  Pick<Ledger, "balanceOf" | "depositData" | "findSwap" | "fund" | "hasTransaction" | "pay" | "rentOf">
> &
  WatchedChain & {
    respond(call: LedgerCall): Promise<LedgerResponse>;
    /** Reports committed transactions, including those of other processes, to the listeners. */
    refresh(): Promise<void>;
  };

type Writer = LedgerWriter<SolanaChain, SolanaEntry, Submission>;

/** Compute units of the network's transactions: enough for each, and at most the chain's limit. */
const MIN_UNITS = 200_000;
const MAX_UNITS = 1_400_000;

const MAX_AMOUNT = 2n ** 64n - 1n;

/** Maximum amount that one call funds, far below the supply that a token can have. */
const MAX_FUNDING = 10n ** 15n;

/** Lamports that the solver keeps for fees and for the accounts of recipients. */
const SOLVER_RESERVE = 1_000_000_000n;

export function createSolanaLedger(
  { db, onArrival, clock, log }: LedgerParts,
  simulated: SimulatedChain,
  simulator: Simulator,
): SolanaLedger {
  const { depository } = simulated;
  const tables = [{ address: LOOKUP_TABLE, addresses: lookupTableOf(simulated) }];
  const entries = new LedgerLog<SolanaChain, SolanaEntry, Submission>({
    db,
    chainId: simulated.id,
    create() {
      const chain = new SolanaChain(simulator, clock);
      createGenesis(chain, simulated);
      return chain;
    },
    apply: (chain, entry) => chain.apply(entry),
    onListenerError: (error) => log.error({ error }, "a transaction of Solana could not be reported"),
  });

  const include = (
    { add }: Writer,
    { bytes }: WireTransaction,
    forecast: Forecast,
    key?: string,
  ): Promise<Submission> => {
    const transaction = Buffer.from(bytes).toString("base64");
    return add({ transaction, ...forecast, ...(key === undefined ? {} : { key }) });
  };

  /** Sends one of the network's own transactions. */
  const send = async (
    writer: Writer,
    payer: LocalKey,
    instructions: readonly Instruction[],
    key?: string,
  ): Promise<string> => {
    const { slots, transactions } = writer.state;
    const { blockhash } = slots.latestBlockhash();
    // The limit distinguishes equal payments in one slot, of which the chain would reject the second.
    const limit = unitLimit(MIN_UNITS + (transactions.size % (MAX_UNITS - MIN_UNITS)));
    const all = [limit, ...instructions];
    const swaps = instructions.some(({ programId }) => programId === SVM_EXCHANGE);
    const transaction = requireTransaction(signTransaction(payer, all, blockhash, swaps ? tables : []));
    // A stored failure would end the caller's database transaction, after which all entries are applied again.
    const forecast = writer.state.forecast(transaction);
    if (forecast.error !== null) throw rejectPayment(forecast.error, all);
    await include(writer, transaction, forecast, key);
    return signatureOf(transaction);
  };

  const mint = (writer: Writer, account: string, currency: string, amount: bigint): Promise<string> => {
    const from = FAUCET.address;
    if (currency === SYSTEM_PROGRAM) return send(writer, FAUCET, [nativeTransfer(from, account, amount)]);
    const target = associatedTokenAccount(account, currency, TOKEN_PROGRAM);
    const decimals = decimalsOf(writer.state, currency);
    const [create] = tokenTransfer({ from, to: account, mint: currency, decimals, amount }) as [Instruction];
    const writes = (pubkey: string) => ({ pubkey, isSigner: false, isWritable: true });
    if (currency === SVM_WRAPPED_NATIVE) {
      const sync = { programId: TOKEN_PROGRAM, keys: [writes(target)], data: Buffer.from([SYNC_NATIVE]) };
      return send(writer, FAUCET, [create, nativeTransfer(from, target, amount), sync]);
    }
    const keys = [writes(currency), writes(target), { pubkey: from, isSigner: true, isWritable: false }];
    const data = Buffer.concat([Buffer.from([MINT_TO]), u64(amount)]);
    return send(writer, FAUCET, [create, { programId: TOKEN_PROGRAM, keys, data }]);
  };

  /** Mints the part of an amount that the solver does not hold. */
  const provide = async (writer: Writer, currency: string, amount: bigint): Promise<void> => {
    const lacking = amount - balanceIn(writer.state, SOLVER.address, currency);
    if (lacking > 0n) await mint(writer, SOLVER.address, currency, lacking);
  };

  const payOnce = async (writer: Writer, payment: LedgerPayment): Promise<string> => {
    const { key, recipient, currency, amount, orderId, swap } = payment;
    const paid = writer.state.payment(key);
    if (paid !== undefined) return paid;
    requireAmount(amount, MAX_AMOUNT);
    const isNative = currency === SYSTEM_PROGRAM;
    await provide(writer, SYSTEM_PROGRAM, isNative ? amount + SOLVER_RESERVE : SOLVER_RESERVE);
    if (swap !== undefined) await provide(writer, swap.currency, swap.maximumIn);
    else if (!isNative) await provide(writer, currency, amount);
    const from = SOLVER.address;
    const transfer = isNative
      ? [nativeTransfer(from, recipient, amount)]
      : tokenTransfer({
          from,
          to: recipient,
          mint: currency,
          decimals: decimalsOf(writer.state, currency),
          amount,
        });
    // The oracle reads the order id from the memo.
    const before = swap === undefined ? [] : [fillSwap(writer.state, swap, payment)];
    return send(writer, SOLVER, [...before, ...transfer, memo(orderId)], key);
  };

  /** Returns whether a payment with a swap along a route fits into a transaction. */
  const fitsFill = (route: readonly Hop[]): boolean => {
    const [from, to, mint] = [SOLVER.address, FAUCET.address, tokenAfter(route)];
    const target = associatedTokenAccount(from, mint, TOKEN_PROGRAM);
    const swap = routeInstruction({ user: from, target, route, amountIn: 0n, minimumOut: 0n });
    const transfer = tokenTransfer({ from, to, mint, decimals: 0, amount: 0n });
    return measure(from, [unitLimit(0), swap, ...transfer, memo(zeroHash)], tables).fitsChain;
  };

  /** Builds the solver's swap for a payment: it pays what the route costs now, at most the quoted maximum. */
  const fillSwap = (
    chain: SolanaChain,
    { source, currency: input, maximumIn }: PaymentSwap,
    { currency: output, amount }: LedgerPayment,
  ): Instruction => {
    const search = findSwap(chain, { input, output, amountOut: amount, allows: (one) => one === source }, fitsFill);
    if (search.kind !== "found") {
      const reason = search.kind === "no-route" ? "NO_INTERNAL_SWAP_ROUTES_FOUND" : "INSUFFICIENT_POOL_LIQUIDITY";
      throw new PaymentRejectedError(`no Solana pools can swap ${amount} of ${output}`, reason);
    }
    const { pools, amountIn } = search.swap;
    return routeInstruction({
      user: SOLVER.address,
      target: associatedTokenAccount(SOLVER.address, output, TOKEN_PROGRAM),
      route: toRoute(pools, input),
      amountIn: amountIn < maximumIn ? amountIn : maximumIn,
      minimumOut: amount,
    });
  };

  /** Reports the deposits of a transaction. Returns the amount to the depositor if no request takes the deposit. */
  const report = async (writer: Writer, included: IncludedTransaction): Promise<void> => {
    const { signature: txHash } = included;
    for (const [index, { depositor, currency, amount, id }] of depositsOf(included, depository).entries()) {
      const request = await findRequestByOrderId(writer.db, id);
      if (request?.origin_chain_id === simulated.id) {
        const arrival = { requestId: request.id, txHash, depositor, currency, amount };
        if (await reportArrival({ onArrival, log }, arrival, writer.db)) continue;
      } else {
        log.warn({ orderId: id, txHash }, "a deposit on Solana contains no order id");
      }
      if (amount === 0n) continue;
      try {
        const payment = { key: `return ${txHash} ${index}`, recipient: depositor, currency, amount, orderId: id };
        await payOnce(writer, payment);
      } catch (error) {
        if (!(error instanceof PaymentRejectedError)) throw error;
        log.warn({ error, txHash }, "a deposit on Solana could not be returned");
      }
    }
  };

  const submit = (transaction: WireTransaction): Promise<void> =>
    entries.write(async (writer) => {
      const forecast = writer.state.forecast(transaction);
      if (typeof forecast.error === "string") return;
      const submission = await include(writer, transaction, forecast);
      if (submission.kind === "included") await report(writer, submission.included);
    });
  const settle = (): Promise<SolanaChain> => entries.write(({ state }) => Promise.resolve(state));
  const airdrop = async (address: string, lamports: bigint): Promise<string> => {
    if (lamports < 1n || lamports > MAX_FUNDING) {
      throw invalidParams(`Invalid params: airdrops must be between 1 and ${MAX_FUNDING} lamports`);
    }
    const transfer = nativeTransfer(AIRDROPS.address, address, lamports);
    try {
      return await entries.write((writer) => send(writer, AIRDROPS, [transfer]));
    } catch (error) {
      if (!(error instanceof PaymentRejectedError)) throw error;
      throw new RpcError(-32_603, `airdrop request failed: ${error.message}`);
    }
  };
  return {
    read: () => entries.read(),
    refresh: () => entries.refresh(),
    listen: (listener) =>
      entries.listen((submission, chain) => {
        if (submission.kind === "included") listener(submission.included, chain);
      }),
    respond: async (call) => respond({ chain: await entries.read(), settle, submit, airdrop }, call),
    async balanceOf(account, currency) {
      return balanceIn(await entries.read(), account, currency);
    },
    async findSwap(swap, purpose) {
      return findSwap(await entries.read(), swap, purpose === "fill" ? fitsFill : undefined);
    },
    depositData({ user, currency, amount, orderId, swap, feePayer = user }) {
      requireAmount(amount, MAX_AMOUNT);
      const deposit = depositInstruction({ depository, user, currency, amount, orderId: requireWord(orderId) });
      if (swap === undefined) {
        return Promise.resolve({ instructions: [deposit], addressLookupTableAddresses: [] });
      }
      requireAmount(swap.amountIn, MAX_AMOUNT);
      const before = swapInstructions({ user, output: currency, minimumOut: amount, ...swap });
      const all = [...before, { ...deposit, data: Buffer.from(deposit.data, "hex") }];
      requireSmallDeposit(measure(feePayer, all, tables).sizeBytes, swap.maxRouteLength);
      const quoted = before.map(({ data, ...rest }) => ({ ...rest, data: Buffer.from(data).toString("hex") }));
      return Promise.resolve({ instructions: [...quoted, deposit], addressLookupTableAddresses: [LOOKUP_TABLE] });
    },
    async rentOf(recipient, currency) {
      const chain = await entries.read();
      const isToken = currency !== SYSTEM_PROGRAM;
      const exists = isToken && chain.account(associatedTokenAccount(recipient, currency, TOKEN_PROGRAM)) !== undefined;
      return isToken && !exists ? chain.rentOf(TOKEN_ACCOUNT_BYTES) : 0n;
    },
    pay: (payment, transaction) => entries.write((writer) => payOnce(writer, payment), transaction),
    async fund(account, currency, amount) {
      requireAmount(amount, MAX_FUNDING);
      try {
        await entries.write((writer) => mint(writer, account, currency, amount));
      } catch (error) {
        if (!(error instanceof PaymentRejectedError)) throw error;
        const minimum = (await entries.read()).rentOf(0);
        const hint =
          error.failReason === "INSUFFICIENT_FUNDS_FOR_RENT"
            ? `A new account needs at least ${minimum} lamports.`
            : "Use a smaller amount, or another account.";
        throw rejectField("amount", amount.toString(), `cannot be paid: ${error.message}`, hint);
      }
    },
    hasTransaction: async (hash) => (await entries.read()).transactions.has(hash),
  };
}

// Instructions of the token program.
const MINT_TO = 7;
const SYNC_NATIVE = 17;

function decimalsOf(chain: SolanaChain, mint: string): number {
  const decimals = chain.decimalsOf(mint);
  if (decimals !== undefined) return decimals;
  throw rejectField("currency", mint, "is not a token of this chain", "Use a currency of GET /chains.");
}

function requireAmount(amount: bigint, maximum: bigint): void {
  if (amount > 0n && amount <= maximum) return;
  throw rejectField("amount", amount.toString(), `must be between 1 and ${maximum}`, "Use another amount.");
}

function balanceIn(chain: SolanaChain, account: string, currency: string): bigint {
  if (currency === SYSTEM_PROGRAM) return chain.account(account)?.lamports ?? 0n;
  return readTokenAccount(chain.account(associatedTokenAccount(account, currency, TOKEN_PROGRAM)))?.amount ?? 0n;
}

function rejectPayment(error: TransactionError, instructions: readonly Instruction[]): PaymentRejectedError {
  const reason = failReasonOf(error, instructions);
  return new PaymentRejectedError(`the payment on Solana failed: ${describeError(error)}`, reason);
}

function failReasonOf(error: TransactionError, instructions: readonly Instruction[]): FailReason {
  if (typeof error !== "object") return "TRANSACTION_REVERTED";
  if ("InsufficientFundsForRent" in error) return "INSUFFICIENT_FUNDS_FOR_RENT";
  const [index, reason] = (error.InstructionError ?? []) as [number?, unknown?];
  const programs = instructions.map(({ programId }) => programId);
  if (index === undefined || !programs.includes(SVM_EXCHANGE)) return "TRANSACTION_REVERTED";
  if (programs[index] === SVM_EXCHANGE && isDeepStrictEqual(reason, { Custom: BELOW_MINIMUM })) return "SLIPPAGE";
  // The recipient's account has a different owner, or cannot take the token.
  const isOfRecipient = programs[index] === ASSOCIATED_TOKEN_PROGRAM || programs[index] === TOKEN_PROGRAM;
  return isOfRecipient ? "JUPITER_INVALID_TOKEN_ACCOUNT" : "TRANSACTION_REVERTED";
}

function requireTransaction(bytes: Uint8Array): WireTransaction {
  const transaction = decodeTransaction(bytes);
  if (transaction === undefined) throw new TypeError("the bytes are not a transaction");
  return transaction;
}

function requireWord(orderId: string): Hex {
  if (isHex(orderId) && orderId.length === 66) return orderId;
  throw rejectField("orderId", orderId, "is not a 32-byte word", "Pass the id of the order.");
}
