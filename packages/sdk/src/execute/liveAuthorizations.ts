import type * as Type from "typebox";
import {
  type Address,
  type Client,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  getAbiItem,
  type Hex,
  hexToBigInt,
  isHex,
  parseAbi,
} from "viem";
import { getBlock, getCode, getLogs } from "viem/actions";

import {
  BATCH_DELEGATION,
  BATCH_EXECUTOR_ABI,
  BATCH_EXECUTOR_ADDRESS,
  DEPOSIT_EVENTS,
  isEvmNative,
  readContract,
} from "@crosscall/protocol/chains";
import * as T from "@crosscall/protocol/schema/type";
import { inTurn } from "./execution.ts";
import { PaymentUnresolvedError } from "./executionErrors.ts";
import { findLog } from "./findLog.ts";
import type { ExecutionJournal } from "./journal.ts";
import { readEntry } from "./requestJournal.ts";

const ListSchema = T.Array(
  T.Object({
    requestId: T.String(),
    stepId: T.String(),
    /** Which nonces it uses. */
    scheme: T.Union([T.Literal("batch"), T.Literal("EIP-2612"), T.Literal("EIP-3009"), T.Literal("Permit2")]),
    chainId: T.Integer(),
    account: T.String(),
    /** What it pays. */
    currency: T.String(),
    amount: T.String(),
    /** Contract that stores the nonce: the token, Permit2 or the account. */
    contract: T.String(),
    /** Decimal, or 32 bytes. */
    nonce: T.String(),
    /** Unix time in seconds. */
    deadline: T.Integer(),
    fromBlock: T.String({ pattern: "^[0-9]+$" }),
    askedAtMs: T.Integer(),
    /** Whether the service accepted it. */
    isAccepted: T.Optional(T.Boolean()),
  }),
);

/**
 * Signed permit or batch. Anyone who has it can use it until its nonce is used or its deadline has passed, regardless
 * of the service's response.
 */
export type LiveAuthorization = Type.Static<typeof ListSchema>[number];

const NONCES_ABI = parseAbi([
  "function authorizationState(address authorizer, bytes32 nonce) view returns (bool)",
  "function nonceBitmap(address owner, uint256 word) view returns (uint256)",
  "function nonces(address owner) view returns (uint256)",
]);

const PAYMENT_EVENTS = [getAbiItem({ abi: erc20Abi, name: "Transfer" }), DEPOSIT_EVENTS[0]] as const;

const turns = new WeakMap<ExecutionJournal, Promise<unknown>>();

/** Journaled authorizations of an account on a chain, until their request succeeds. */
export class LiveAuthorizations {
  private readonly journal: ExecutionJournal;
  private readonly key: string;

  constructor(journal: ExecutionJournal, { chainId, account }: Pick<LiveAuthorization, "chainId" | "account">) {
    this.journal = journal;
    this.key = `authorizations/${chainId}/${account.toLowerCase()}`;
  }

  /** Returns undefined if none was ever recorded. */
  list(): Promise<readonly LiveAuthorization[] | undefined> {
    return readEntry(this.journal, this.key, ListSchema);
  }

  /** Records an authorization before posting it. */
  add(authorization: LiveAuthorization): Promise<void> {
    return this.change((list) => [...list.filter((one) => !isSame(one, authorization)), authorization]);
  }

  /** Marks an authorization as accepted, so that the service can use it at any time. */
  accept(authorization: LiveAuthorization): Promise<void> {
    return this.add({ ...authorization, isAccepted: true });
  }

  /** Removes an authorization that can no longer be used. */
  remove(authorization: LiveAuthorization): Promise<void> {
    return this.change((list) => list.filter((one) => !isSame(one, authorization)));
  }

  /** The request succeeded. */
  settle(requestId: string): Promise<void> {
    return this.change((list) => list.filter((one) => one.requestId !== requestId));
  }

  /** Changes are sequential, because executions of several requests share the entry. */
  private change(update: (list: readonly LiveAuthorization[]) => readonly LiveAuthorization[]): Promise<void> {
    return inTurn(turns, this.journal, async () => {
      const list = (await this.list()) ?? [];
      const next = update(list);
      if (next.length > 0 || list.length > 0) await this.journal.set(this.key, JSON.stringify(next));
    });
  }
}

function isSame(a: LiveAuthorization, b: LiveAuthorization): boolean {
  return a.requestId === b.requestId && a.nonce === b.nonce;
}

export interface NewPayment {
  readonly requestId: string;
  /** Whether this run signs the same batch or permit again with the same nonce. */
  readonly repeats: boolean;
  readonly currency: string;
  /** Returns the status of another request, or undefined before the service knows its payment. */
  readonly statusOf: (requestId: string) => Promise<string | undefined>;
}

/**
 * Runs before an account pays in a currency: an earlier permit or batch that the service did not accept can still be
 * usable.
 * @throws {@link PaymentUnresolvedError} when it can still be used, or was used
 */
export async function requireNoneLive(
  client: Client,
  authorizations: LiveAuthorizations,
  { requestId, repeats, currency, statusOf }: NewPayment,
): Promise<void> {
  for (const authorization of (await authorizations.list()) ?? []) {
    if (authorization.currency.toLowerCase() !== currency.toLowerCase()) continue;
    if (repeats && authorization.requestId === requestId) continue;
    // Reads the time first, so that the nonce shows any use before the deadline.
    const { timestamp } = await getBlock(client, { blockTag: "latest" });
    const isUsed = await isNonceUsed(client, authorization);
    const isPaid = isUsed && (await hasPaid(client, authorization));
    const { scheme, deadline, nonce: reference, isAccepted, ...payment } = authorization;
    const status = isAccepted === true ? await statusOf(payment.requestId) : undefined;
    // Another payment by the account that the service does not report as failed.
    if (status !== undefined && UNDER_WAY.has(status)) continue;
    const { stepId, chainId, account, askedAtMs } = payment;
    const what = scheme === "batch" ? "batch" : "permit";
    const facts = { requestId: payment.requestId, stepId, chainId, account, what, reference, askedAtMs } as const;
    if (isPaid && status !== "success" && status !== "refund") {
      throw new PaymentUnresolvedError({ ...facts, reason: "it was used: follow that request" });
    }
    // A token's own permit only sets an allowance, so the payment can follow later.
    const isOpen = !isUsed || (scheme === "EIP-2612" && !isPaid);
    if (isOpen && timestamp <= BigInt(deadline)) {
      throw new PaymentUnresolvedError({ ...facts, payableUntil: deadline, reason: "anyone who has it can use it" });
    }
    await authorizations.remove(authorization);
  }
}

/** Statuses of a paid but unfilled request. */
const UNDER_WAY: ReadonlySet<string> = new Set(["depositing", "pending", "submitted", "delayed"]);

/** Whether the nonce of a signed permit or batch is used or canceled. */
async function isNonceUsed(client: Client, { scheme, contract, account, nonce }: LiveAuthorization): Promise<boolean> {
  const owner = account as Address;
  const at = { address: contract as Address, abi: NONCES_ABI };
  const number = isHex(nonce) ? hexToBigInt(nonce) : BigInt(nonce);
  switch (scheme) {
    case "EIP-3009":
      return readContract(client, { ...at, functionName: "authorizationState", args: [owner, nonce as Hex] });
    case "Permit2": {
      const word = await readContract(client, { ...at, functionName: "nonceBitmap", args: [owner, number >> 8n] });
      return ((word >> (number & 255n)) & 1n) === 1n;
    }
    case "EIP-2612":
      return (await readContract(client, { ...at, functionName: "nonces", args: [owner] })) > number;
    case "batch": {
      // Nodes without state overrides show the nonce of a delegating account, such as after a batch.
      const code = await getCode(client, { address: owner });
      const isDelegated = code?.toLowerCase() === BATCH_DELEGATION.toLowerCase();
      return (await readBatchNonce(client, owner, isDelegated)) > number;
    }
  }
}

/** Whether the account has since paid the amount in any way. */
async function hasPaid(
  client: Client,
  { chainId, account, currency, amount, fromBlock }: LiveAuthorization,
): Promise<boolean> {
  const address = isEvmNative(currency) ? {} : { address: currency as Address };
  const log = await findLog(client, {
    chainId,
    fromBlock: BigInt(fromBlock),
    read: (blocks) => getLogs(client, { ...address, events: PAYMENT_EVENTS, ...blocks, strict: true }),
    isMatch: ({ args }) =>
      args.from.toLowerCase() === account.toLowerCase() &&
      ("value" in args ? args.value : args.amount) >= BigInt(amount),
  });
  return log !== undefined;
}

/** Last second that a `Date` can represent. */
const LATEST = 8_640_000_000_000;

/** Effects of a signed permit, from its typed data; undefined for other messages. */
export function describePermit({
  primaryType,
  domain,
  value,
}: {
  primaryType?: unknown;
  domain?: unknown;
  value?: unknown;
}): Pick<LiveAuthorization, "scheme" | "contract" | "nonce" | "deadline"> | undefined {
  const { verifyingContract } = (domain ?? {}) as Record<string, unknown>;
  const { nonce, deadline, validBefore } = (value ?? {}) as Record<string, unknown>;
  const scheme = new Map<unknown, LiveAuthorization["scheme"]>([
    ["Permit", "EIP-2612"],
    ["TransferWithAuthorization", "EIP-3009"],
    ["PermitBatchWitnessTransferFrom", "Permit2"],
  ]).get(primaryType);
  const until = Number(deadline ?? validBefore);
  if (scheme === undefined || Number.isNaN(until)) return undefined;
  const contract = String(verifyingContract);
  return { scheme, contract, nonce: String(nonce), deadline: Math.min(until, LATEST) };
}

const GET_NONCE = { abi: BATCH_EXECUTOR_ABI, functionName: "getSeq" } as const;

/**
 * Reads the next nonce of an account's batches. An account that once delegated to the executor keeps its nonces, so the
 * call places the executor's code at the account's address. Nodes without state overrides show the nonces only while
 * the account delegates.
 */
export async function readBatchNonce(client: Client, account: Address, isDelegated: boolean): Promise<bigint> {
  const call = { to: account, data: encodeFunctionData({ ...GET_NONCE, args: [0n] }) };
  const read = (result: Hex): bigint => decodeFunctionResult({ ...GET_NONCE, data: result });
  if (isDelegated) return read(await client.request({ method: "eth_call", params: [call, "latest"] }));
  const code = await getCode(client, { address: BATCH_EXECUTOR_ADDRESS });
  if (code === undefined) return 0n;
  try {
    return read(await client.request({ method: "eth_call", params: [call, "latest", { [account]: { code } }] }));
  } catch {
    return 0n;
  }
}
