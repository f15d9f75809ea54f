import { type Address, parseAbi, zeroAddress, zeroHash } from "viem";

import { InvalidStateError } from "@crosscall/protocol/core";
import {
  type Action,
  depositExecutionKey,
  type DepositMessage,
  type DepositsAttestation,
  type DepositsBody,
  hubTokenId,
  orderAddress,
  type SignedExecution,
} from "@crosscall/protocol/attestation";
import { AttestationRefusedError, requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import { readContract } from "../readContract.ts";
import type { Deposit, DepositsResponse } from "../vms/vmChain.ts";
import { keccak256 } from "./keccak.ts";
import {
  type ExecutionDraft,
  type PreparedExecution,
  prepareExecution,
  signExecution,
  signPrepared,
} from "./signedExecution.ts";

interface PreparedDeposits {
  readonly messages: readonly DepositMessage[];
  readonly execution: PreparedExecution;
}

/** Cache of attestations, keyed by the deposits object, which a chain returns again while it is cached. */
const prepared = new WeakMap<DepositsResponse, PreparedDeposits>();

/** Attests the deposits of a transaction. A transaction can have none. */
export async function attestDeposits(context: OracleContext, body: DepositsBody): Promise<DepositsAttestation> {
  const { chainId, transactionId, mode = "slow", hints } = body;
  const answer = await context.chains.vm(chainId).readDeposits({ transactionId, mode, hints });
  if (answer.deposits.length === 0) return { messages: [] };
  const { messages, execution } = prepared.get(answer) ?? (await prepare(context, body, answer));
  return { messages: [...messages], execution: await signPrepared(context, execution) };
}

async function prepare(
  context: OracleContext,
  transaction: DepositedTransaction,
  answer: DepositsResponse,
): Promise<PreparedDeposits> {
  const { chainId, transactionId } = transaction;
  const messages = answer.deposits.map((deposit) => toDepositMessage(chainId, transactionId, deposit));
  const draft = await draftMint(context, transaction, answer);
  const parts = { messages, execution: prepareExecution(context, draft) };
  // Fast mode is not cached, because it reads the hub's limit each time.
  if (answer.mode === "slow") prepared.set(answer, parts);
  return parts;
}

export async function signDeposits(
  context: OracleContext,
  transaction: DepositedTransaction,
  answer: DepositsResponse,
): Promise<SignedExecution> {
  return signExecution(context, await draftMint(context, transaction, answer));
}

type DepositedTransaction = Pick<DepositsBody, "chainId" | "transactionId">;

export function toDepositMessage(chainId: string, transactionId: string, deposit: Deposit): DepositMessage {
  const { onchainId, depository, depositId, depositor, currency, amount, timestamp } = deposit;
  return {
    data: { chainId, transactionId },
    result: { onchainId, depository, depositId, depositor, currency, amount: amount.toString() },
    extraData: { timestamp: timestamp.toString() },
  };
}

/** Returns the order's account, or the depositor's account for a deposit without an order. */
export function creditedAccount(context: OracleContext, chainId: string, deposit: Deposit): `0x${string}` {
  const { depositor, depositId, timestamp } = deposit;
  if (depositId === zeroHash) return context.chains.alias(chainId, depositor);
  const encoded = context.chains.encode(chainId, depositor, "depositor");
  return orderAddress({ chainId, depositor: encoded, depositTimestamp: timestamp, depositId }, keccak256);
}

export function depositedToken(context: OracleContext, chainId: string, { currency }: Deposit): bigint {
  return hubTokenId(chainId, context.chains.encode(chainId, currency, "currency"), keccak256);
}

async function draftMint(
  context: OracleContext,
  { chainId, transactionId }: DepositedTransaction,
  { deposits, mode }: DepositsResponse,
): Promise<ExecutionDraft> {
  const rateLimiter = mode === "fast" ? await requireFastMint(context, chainId, deposits) : undefined;
  const family = context.chains.get(chainId).vmType;
  const tokens = deposits.map((deposit) => depositedToken(context, chainId, deposit));
  return {
    idempotencyKey: depositExecutionKey(chainId, transactionId),
    actions: deposits.map((deposit, index): Action => {
      const minted = {
        to: creditedAccount(context, chainId, deposit),
        tokenId: tokens[index] ?? 0n,
        amount: deposit.amount,
      };
      if (rateLimiter === undefined) return { type: "mint", ...minted };
      return {
        type: "fastMint",
        ...minted,
        feeCalculator: zeroAddress,
        feeCalculatorData: "0x",
        rateLimiter,
        rateLimiterData: "0x",
      };
    }),
    origins: deposits.map(({ currency }, index) => ({
      tokenId: tokens[index] ?? 0n,
      address: currency,
      chainId,
      family,
    })),
  };
}

const LIMITER_ABI = parseAbi([
  "function canConsume(string chainId, bytes currency, uint256 amount) view returns (bool)",
]);

/**
 * Checks that deposits can be credited before they are final.
 *
 * @returns address of the contract on the hub that limits the amount
 * @throws {@link InvalidStateError} if the hub has no such contract, or the chain charges a fee without a recipient
 * @throws {@link AttestationRefusedError} if the limit is reached
 */
async function requireFastMint(
  { chains, hub, hubReader }: OracleContext,
  chainId: string,
  deposits: readonly Deposit[],
): Promise<Address> {
  const limiter = hub.rateLimiter?.address as Address | undefined;
  if (limiter === undefined) throw misconfigured("the hub has no rateLimiter");
  const { fastMode } = chains.get(chainId).config.additionalData;
  const takesFee = Object.values(fastMode?.finalityTiers ?? {}).some((tiers) =>
    tiers.some(({ feeBps = 0 }) => feeBps > 0),
  );
  if (takesFee && fastMode?.feeRecipient === undefined) throw misconfigured("fastMode has no feeRecipient");
  await Promise.all(
    deposits.map(async ({ currency, amount }) => {
      const args = [chainId, chains.encode(chainId, currency, "currency"), amount] as const;
      let canConsume = true;
      try {
        const read = { address: limiter, abi: LIMITER_ABI, functionName: "canConsume", args } as const;
        canConsume = await readContract(hubReader, read);
      } catch {
        // Ignores a failed read, because the rate limiter on the hub also checks the execution itself.
      }
      requireAttested(canConsume, "Fast mode rate limit exceeded");
    }),
  );
  return limiter;
}

function misconfigured(reason: string): InvalidStateError {
  return new InvalidStateError({
    message: `a deposit cannot be credited in fast mode: ${reason}`,
    hint: "Complete the chain files, or omit fastMode.",
  });
}

interface DepositReference {
  readonly chainId: string;
  readonly transactionId: string;
  readonly onchainId: string;
  readonly hints: unknown;
}

/** @throws {@link AttestationRefusedError} if the transaction does not have the deposit, or cannot be attested */
export async function readDeposit(
  { chains }: OracleContext,
  { chainId, transactionId, onchainId, hints }: DepositReference,
): Promise<Deposit> {
  const { deposits } = await chains.vm(chainId).readDeposits({ transactionId, mode: "slow", hints });
  const deposit = deposits.find((other) => other.onchainId === onchainId);
  if (deposit !== undefined) return deposit;
  throw new AttestationRefusedError(`Deposit with onchainId ${onchainId} not found in transaction`);
}
