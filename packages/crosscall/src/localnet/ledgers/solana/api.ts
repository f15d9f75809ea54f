import { base58 } from "@scure/base";

import { SVM_TRANSACTION_MAX_BYTES } from "@crosscall/protocol/quote/rules";
import { COMPUTE_BUDGET_PROGRAM } from "@crosscall/protocol/vms";
import { parseJson } from "@crosscall/protocol/schema";
import type { LedgerCall, LedgerResponse } from "../serveLedger.ts";
import { type AccountFormat, toAccountJson, toTokenAmount } from "./accountJson.ts";
import { listBlocks, listBlocksWithLimit, readBlock } from "./blocks.ts";
import {
  API_VERSION,
  formatAt,
  inContext,
  invalidParams,
  isCount,
  isRecord,
  keyAt,
  optionsAt,
  type Params,
  RpcError,
  signatureAt,
} from "./params.ts";
import { listProgramAccounts } from "./programAccounts.ts";
import { failure, respondTo } from "./respondTo.ts";
import { GENESIS_HASH } from "./slots.ts";
import { isTokenProgram, readTokenAccount } from "./accounts.ts";
import { LAMPORTS_PER_SIGNATURE, type Outcome, signatureOf, type SolanaChain } from "./solanaChain.ts";
import { describeError } from "./transactionError.ts";
import { toReturnData, toSimulatedInner, toStatus, toTransactionJson } from "./transactionJson.ts";
import { decodeMessage, decodeTransaction, type WireMessage, type WireTransaction } from "./wire.ts";

export interface SolanaApi {
  readonly chain: SolanaChain;
  /** Returns the chain after all changes in progress, so that no block of an earlier slot changes any more. */
  readonly settle: () => Promise<SolanaChain>;
  /** Includes a transaction, unless no block can contain it. */
  readonly submit: (transaction: WireTransaction) => Promise<unknown>;
  /** Sends native currency of the faucet. Returns the signature. */
  readonly airdrop: (address: string, lamports: bigint) => Promise<string>;
}

const SLOTS_IN_EPOCH = 432_000;

/** Maximum number of calls in a batch. */
const BATCH_MAX = 100;

type Method = (api: SolanaApi, params: Params) => unknown;

const VERSION = { "solana-core": API_VERSION, "feature-set": 0 };

const METHODS: Readonly<Record<string, Method>> = {
  getAccountInfo({ chain }, params) {
    const account = chain.account(keyAt(params, 0));
    return inContext(
      chain,
      account === undefined ? null : toAccountJson(chain, account, optionsAt(params, 1)),
      lastOf(params),
    );
  },
  getBalance: ({ chain }, params) => inContext(chain, chain.account(keyAt(params, 0))?.lamports ?? 0n, lastOf(params)),
  getBlock: ({ chain, settle }, params) => readBlock(chain, settle, params),
  getBlockHeight: ({ chain }) => chain.slots.current().slot,
  getBlockTime: ({ chain }, [slot]) => {
    if (!isCount(slot)) throw invalidParams("Invalid params: expected a slot");
    const time = chain.timeOf(slot);
    if (time === undefined) throw new RpcError(-32_004, `Block not available for slot ${slot}`);
    return time;
  },
  getBlocks: ({ chain, settle }, params) => listBlocks(chain, settle, params),
  getBlocksWithLimit: ({ chain, settle }, params) => listBlocksWithLimit(chain, settle, params),
  getEpochInfo({ chain }) {
    const { slot } = chain.slots.current();
    const transactionCount = chain.transactions.size;
    return {
      absoluteSlot: slot,
      blockHeight: slot,
      epoch: Math.floor(slot / SLOTS_IN_EPOCH),
      slotIndex: slot % SLOTS_IN_EPOCH,
      slotsInEpoch: SLOTS_IN_EPOCH,
      transactionCount,
    };
  },
  getFeeForMessage({ chain }, params) {
    const message = decodeMessage(bytesAt(params, 0, "base64"));
    if (message === undefined) throw invalidParams("failed to deserialize solana_message::VersionedMessage");
    return inContext(chain, chain.slots.isValid(message.blockhash) ? feeOf(message) : null, lastOf(params));
  },
  getFirstAvailableBlock: () => 0,
  getGenesisHash: () => GENESIS_HASH,
  getHealth: () => "ok",
  getLatestBlockhash: ({ chain }, params) => inContext(chain, chain.slots.latestBlockhash(), lastOf(params)),
  getMinimumBalanceForRentExemption({ chain }, [bytes]) {
    if (!isCount(bytes)) throw invalidParams("Invalid params: expected a number of bytes");
    return chain.rentOf(bytes);
  },
  getMultipleAccounts({ chain }, params) {
    const [addresses] = params;
    if (!Array.isArray(addresses)) throw invalidParams("Invalid params: expected a list of addresses");
    if (addresses.length > 100) throw invalidParams("Too many inputs provided; max 100");
    const format = optionsAt(params, 1);
    const accounts = addresses.map((_address, index) => {
      const account = chain.account(keyAt(addresses, index));
      return account === undefined ? null : toAccountJson(chain, account, format);
    });
    return inContext(chain, accounts, lastOf(params));
  },
  getProgramAccounts: ({ chain }, params) => listProgramAccounts(chain, params),
  getRecentPrioritizationFees: ({ chain }) => [{ slot: chain.slots.current().slot, prioritizationFee: 0 }],
  getSignaturesForAddress({ chain }, params) {
    const all = chain.signaturesOf(keyAt(params, 0));
    const { limit = 1_000, before, until } = optionsAt(params, 1);
    const from = typeof before === "string" ? all.indexOf(before) + 1 : 0;
    const to = typeof until === "string" && all.includes(until) ? all.indexOf(until) : all.length;
    return all.slice(from, Math.min(to, from + Number(limit))).flatMap((signature) => {
      const found = chain.transactions.get(signature);
      if (found === undefined) return [];
      const { slot, blockTime, error } = found;
      return [{ signature, slot, blockTime, err: error ?? null, memo: null, confirmationStatus: "finalized" }];
    });
  },
  getSignatureStatuses({ chain }, params) {
    const [signatures] = params;
    if (!Array.isArray(signatures)) throw invalidParams("Invalid params: expected a list of signatures");
    if (signatures.length > 256) throw invalidParams("Too many inputs provided; max 256");
    const statuses = signatures.map((signature: unknown) => {
      const found = chain.transactions.get(String(signature));
      if (found === undefined) return null;
      return { slot: found.slot, confirmations: null, ...toStatus(found.error), confirmationStatus: "finalized" };
    });
    return inContext(chain, statuses, lastOf(params));
  },
  getSlot: ({ chain }, params) => inContext(chain, undefined, lastOf(params)).context.slot,
  getTokenAccountBalance({ chain }, params) {
    const holding = readTokenAccount(chain.account(keyAt(params, 0)));
    if (holding === undefined) throw invalidParams("Invalid param: could not find account");
    return inContext(chain, toTokenAmount(holding.amount, chain.decimalsOf(holding.mint) ?? 0), lastOf(params));
  },
  getTokenAccountsByOwner({ chain }, params) {
    const owner = keyAt(params, 0);
    const { mint, programId } = optionsAt(params, 1);
    if (mint === undefined && programId === undefined)
      throw invalidParams("Invalid params: expected mint or programId");
    if (programId !== undefined && (typeof programId !== "string" || !isTokenProgram(programId))) {
      throw invalidParams("Invalid param: unrecognized Token program id");
    }
    const found = chain.tokenAccountsOf(owner).flatMap((pubkey) => {
      const account = chain.account(pubkey);
      const isWanted = mint === undefined ? account?.owner === programId : readTokenAccount(account)?.mint === mint;
      return account === undefined || !isWanted
        ? []
        : [{ pubkey, account: toAccountJson(chain, account, optionsAt(params, 2)) }];
    });
    return inContext(chain, found, lastOf(params));
  },
  getTokenSupply({ chain }, params) {
    const mint = keyAt(params, 0);
    const decimals = chain.decimalsOf(mint);
    const data = chain.account(mint)?.data;
    if (decimals === undefined || data === undefined) throw invalidParams("Invalid param: could not find mint");
    return inContext(chain, toTokenAmount(Buffer.from(data).readBigUInt64LE(36), decimals), lastOf(params));
  },
  getTransaction({ chain }, params) {
    const found = chain.transactions.get(signatureAt(params, 0));
    return found === undefined ? null : toTransactionJson(found, formatAt(params, 1));
  },
  getTransactionCount: ({ chain }) => chain.transactions.size,
  getVersion: () => VERSION,
  isBlockhashValid: ({ chain }, params) => inContext(chain, chain.slots.isValid(keyAt(params, 0)), lastOf(params)),
  minimumLedgerSlot: () => 0,
  requestAirdrop({ airdrop }, params) {
    const [, lamports] = params;
    if (!isCount(lamports)) throw invalidParams("Invalid params: expected a number of lamports");
    return airdrop(keyAt(params, 0), BigInt(lamports));
  },
  async sendTransaction({ chain, submit }, params) {
    const { encoding, skipPreflight } = optionsAt(params, 1);
    const transaction = transactionAt(params, encoding);
    if (skipPreflight !== true) {
      const outcome = chain.simulate(transaction, { verifiesSignatures: true, replacesBlockhash: false });
      if (outcome.error === "SignatureFailure") {
        throw new RpcError(-32_003, "Transaction signature verification failure");
      }
      if (outcome.error !== undefined) throw preflightFailure(outcome);
    }
    await submit(transaction);
    return signatureOf(transaction);
  },
  simulateTransaction({ chain }, params) {
    const options = optionsAt(params, 1);
    const { sigVerify = false, replaceRecentBlockhash = false, innerInstructions = false } = options;
    if (sigVerify === true && replaceRecentBlockhash === true) {
      throw invalidParams("sigVerify may not be used with replaceRecentBlockhash");
    }
    const transaction = transactionAt(params, options.encoding);
    const replacesBlockhash = replaceRecentBlockhash === true;
    const simulation = chain.simulate(transaction, { verifiesSignatures: sigVerify === true, replacesBlockhash });
    const value = {
      ...toSimulationJson(simulation),
      accounts: simulatedAccounts(chain, simulation.accounts, options.accounts),
      ...(innerInstructions === true ? { innerInstructions: toSimulatedInner(simulation) } : {}),
      ...(replacesBlockhash ? { replacementBlockhash: chain.slots.latestBlockhash() } : {}),
    };
    return inContext(chain, value, lastOf(params));
  },
};

/** Responds to a call, or to a batch of calls. */
export async function respond(api: SolanaApi, { method, body }: LedgerCall): Promise<LedgerResponse> {
  if (method !== "POST") return { status: 405, body: "Used HTTP Method is not allowed. POST or OPTIONS is required" };
  const calls = parseJson(body);
  const respondOne = (call: unknown): Promise<object> =>
    respondTo(call, (name, params) => runMethod(api, name, params));
  if (!Array.isArray(calls)) return { status: 200, body: await respondOne(calls) };
  if (calls.length === 0 || calls.length > BATCH_MAX) {
    const message = calls.length === 0 ? "Invalid Request" : `Invalid Request: a batch has at most ${BATCH_MAX} calls`;
    return { status: 200, body: failure(null, new RpcError(-32_600, message)) };
  }
  return { status: 200, body: await Promise.all(calls.map(respondOne)) };
}

function runMethod(api: SolanaApi, name: string, params: Params): unknown {
  const run = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (run === undefined) throw new RpcError(-32_601, "Method not found");
  return run(api, params);
}

/** Maximum lengths of the encodings of the largest transaction. */
const MAX_TEXT = { base58: 1_683, base64: 1_644 } as const;

function bytesAt(params: Params, index: number, encoding: "base58" | "base64"): Uint8Array {
  const text = params[index];
  if (typeof text !== "string") throw invalidParams("Invalid params: expected a string");
  const type = "solana_transaction::versioned::VersionedTransaction";
  const max = `(max: encoded/raw ${MAX_TEXT[encoding]}/${SVM_TRANSACTION_MAX_BYTES})`;
  if (text.length > MAX_TEXT[encoding]) {
    throw invalidParams(`${encoding} encoded ${type} too large: ${text.length} bytes ${max}`);
  }
  const bytes = encoding === "base64" ? Buffer.from(text, "base64") : decodeBase58(text);
  if (bytes.length > SVM_TRANSACTION_MAX_BYTES) {
    throw invalidParams(`decoded ${type} too large: ${bytes.length} bytes (max: ${SVM_TRANSACTION_MAX_BYTES} bytes)`);
  }
  return Uint8Array.from(bytes);
}

function decodeBase58(text: string): Uint8Array {
  try {
    return base58.decode(text);
  } catch {
    throw invalidParams("invalid base58 encoding");
  }
}

function transactionAt(params: Params, encoding: unknown): WireTransaction {
  if (encoding !== undefined && encoding !== "base58" && encoding !== "base64") {
    throw invalidParams(`unsupported encoding: ${JSON.stringify(encoding)}. Supported encodings: base58, base64`);
  }
  const transaction = decodeTransaction(bytesAt(params, 0, encoding ?? "base58"));
  if (transaction !== undefined) return transaction;
  throw invalidParams("failed to deserialize solana_transaction::versioned::VersionedTransaction: io error");
}

/** Options are the last parameter. */
function lastOf(params: Params): Readonly<Record<string, unknown>> {
  return optionsAt(params, params.length - 1);
}

function toSimulationJson(outcome: Outcome) {
  const { error, logs, unitsConsumed } = outcome;
  return { err: error ?? null, logs, unitsConsumed, returnData: toReturnData(outcome) };
}

function preflightFailure(outcome: Outcome): RpcError {
  const message = `Transaction simulation failed: ${describeError(outcome.error ?? "")}`;
  return new RpcError(-32_002, message, { accounts: null, ...toSimulationJson(outcome) });
}

function simulatedAccounts(
  chain: SolanaChain,
  accounts: ReturnType<SolanaChain["simulate"]>["accounts"],
  wanted: unknown,
) {
  const { addresses, encoding = "base64" } = isRecord(wanted) ? wanted : {};
  if (!Array.isArray(addresses)) return null;
  const format: AccountFormat = { encoding };
  return addresses.map((_address, index) => {
    const address = keyAt(addresses, index);
    const account = accounts.get(address) ?? chain.account(address);
    return account === undefined ? null : toAccountJson(chain, account, format);
  });
}

/** Programs whose instructions contain signatures, which cost as much as a signature of the transaction. */
const SIGNATURE_PROGRAMS: readonly string[] = [
  "Ed25519SigVerify111111111111111111111111111",
  "KeccakSecp256k11111111111111111111111111111",
  "Secp256r1SigVerify1111111111111111111111111",
];

/** Compute units of an instruction if the transaction sets no limit. */
const DEFAULT_UNITS = 200_000;
const MAX_UNITS = 1_400_000;
const SET_UNIT_LIMIT = 2;
const SET_UNIT_PRICE = 3;

function feeOf({ requiredSignatures, accountKeys, instructions }: WireMessage): bigint {
  let signatures = requiredSignatures;
  let [units, price]: [number | undefined, bigint] = [undefined, 0n];
  let others = 0;
  for (const { programIdIndex, data } of instructions) {
    const program = accountKeys[programIdIndex] ?? "";
    const bytes = Buffer.from(data);
    if (SIGNATURE_PROGRAMS.includes(program)) signatures += bytes[0] ?? 0;
    if (program !== COMPUTE_BUDGET_PROGRAM) others += 1;
    else if (bytes[0] === SET_UNIT_LIMIT && bytes.length === 5) units = bytes.readUInt32LE(1);
    else if (bytes[0] === SET_UNIT_PRICE && bytes.length === 9) price = bytes.readBigUInt64LE(1);
  }
  const limit = BigInt(Math.min(units ?? others * DEFAULT_UNITS, MAX_UNITS));
  const microLamports = limit * price;
  return BigInt(signatures) * LAMPORTS_PER_SIGNATURE + (microLamports + 999_999n) / 1_000_000n;
}
