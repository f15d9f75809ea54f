import { type Address, type Hex, isHex, size, zeroAddress, zeroHash } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { parseAmount } from "@crosscall/protocol/encoding";
import {
  type Action,
  decodeAction,
  depositExecutionKey,
  type DepositMessage,
  type DepositsAttestation,
  type DepositsBody,
  onchainId,
  orderAddress,
} from "@crosscall/protocol/attestation";
import { type AttestationFault, compareFields, type Derived, deriveExecution } from "./attested.ts";
import type { Trust, TrustedChain } from "./trust.ts";

/** Maximum index: more logs than any block has, and more instructions than any transaction has. */
const MOST_INDEXES = 100_000;

export function deriveDeposits(trust: Trust, request: DepositsBody, answer: DepositsAttestation): Derived {
  const { chainId, transactionId } = request;
  const { messages, execution } = answer;
  const faults = messages.flatMap((message, index) => [
    ...compareFields("request", `messages[${index}].data`, { chainId, transactionId }, message.data),
    ...checkDepository(trust, request, message, `messages[${index}].result.depository`),
  ]);
  const actions = messages.map(({ result, extraData }, index) => {
    const minted = deriveMint(trust, { data: request, result, extraData }, `messages[${index}]`);
    return request.mode === "fast" ? asFastMint(trust, minted, execution?.actions[index]) : minted;
  });
  const expected =
    actions.length === 0 ? undefined : { idempotencyKey: depositExecutionKey(chainId, transactionId), actions };
  const derived = deriveExecution(trust.hub, expected, execution);
  return {
    faults: [...faults, ...checkIds(request, messages), ...derived.faults, ...checkMetadata(trust, request, answer)],
    signed: derived.signed,
    unsigned: messages.flatMap(({ result }, index) =>
      unsignedFields(trust.chain(chainId), result).map((field) => `messages[${index}].${field}`),
    ),
  };
}

/** Lists fields that are in neither the execution's key nor the mint, and that the request does not determine. */
function unsignedFields(
  { depositories }: TrustedChain,
  { depositId = zeroHash }: DepositMessage["result"],
): readonly string[] {
  return [
    "result.onchainId",
    ...(depositories.length > 1 ? ["result.depository"] : []),
    // Only the order's account depends on the time.
    ...(depositId === zeroHash ? ["extraData.timestamp"] : []),
  ];
}

/** Derives the credited hub account, its token, and the amount. */
export function deriveCredit(
  trust: Trust,
  { data: { chainId }, result, extraData }: Pick<DepositMessage, "result" | "extraData"> & DepositChain,
  at: string,
): { readonly account: Address; readonly tokenId: bigint; readonly amount: bigint } {
  const { depositId = zeroHash, depositor, currency } = result;
  const timestamp = Number(parseAmount(extraData.timestamp, `${at}.extraData.timestamp`));
  const encoded = trust.encode(chainId, depositor, `${at}.result.depositor`);
  return {
    account:
      depositId === zeroHash
        ? trust.alias(chainId, depositor, `${at}.result.depositor`)
        : orderAddress({
            chainId,
            depositor: encoded,
            depositTimestamp: timestamp,
            depositId: readWord(depositId, `${at}.result.depositId`),
          }),
    tokenId: trust.token(chainId, currency, `${at}.result.currency`),
    amount: parseAmount(result.amount, `${at}.result.amount`),
  };
}

interface DepositChain {
  readonly data: { readonly chainId: string };
}

function deriveMint(trust: Trust, message: Parameters<typeof deriveCredit>[1], at: string): Action {
  const { account, tokenId, amount } = deriveCredit(trust, message, at);
  return { type: "mint", to: account, tokenId, amount };
}

/**
 * Converts a mint to a fast mint if the signed action is one, because the oracle can respond to a fast-mode request in
 * either mode.
 */
function asFastMint({ hub }: Trust, minted: Action, seen: string | undefined): Action {
  if (minted.type !== "mint" || hub.rateLimiterAddress === undefined || !isHex(seen)) return minted;
  let type: Action["type"];
  try {
    ({ type } = decodeAction(seen));
  } catch {
    return minted;
  }
  if (type !== "fastMint") return minted;
  return {
    ...minted,
    type,
    feeCalculator: zeroAddress,
    feeCalculatorData: "0x",
    rateLimiter: hub.rateLimiterAddress,
    rateLimiterData: "0x",
  };
}

function checkDepository(
  trust: Trust,
  { chainId }: DepositsBody,
  { result: { depository } }: DepositMessage,
  path: string,
): AttestationFault[] {
  const { depositories } = trust.chain(chainId);
  if (depositories.some((known) => isSameAddress(known, depository))) return [];
  return [{ check: "message", path, expected: depositories.join(" or "), seen: depository }];
}

/**
 * Checks the ids of deposits. The response does not identify a deposit's event, so this tries all indexes of a block,
 * once for all ids.
 */
function checkIds({ chainId, transactionId }: DepositsBody, messages: readonly DepositMessage[]): AttestationFault[] {
  const ids = messages.map(({ result }) => result.onchainId);
  const unknown = new Set(ids);
  for (let index = 0; index < MOST_INDEXES && unknown.size > 0; index += 1) {
    unknown.delete(onchainId(chainId, transactionId, index));
  }
  return ids.flatMap((id, index) => {
    const isTwice = ids.indexOf(id) !== index;
    if (!isTwice && !unknown.has(id)) return [];
    const expected = isTwice ? "a deposit reported only once" : "the id of a transfer in the transaction";
    return [{ check: "message", path: `messages[${index}].result.onchainId`, expected, seen: id }];
  });
}

function checkMetadata(
  trust: Trust,
  { chainId }: DepositsBody,
  { messages, execution }: DepositsAttestation,
): readonly AttestationFault[] {
  if (execution?.metadata === undefined) return [];
  const { hub } = trust;
  const expected = messages.map(({ result: { currency } }, index) => ({
    hubTokenId: trust.token(chainId, currency, `messages[${index}].result.currency`).toString(),
    origin: { address: currency, chainId, family: trust.chain(chainId).vmType },
    oracleChainId: hub.evmChainId.toString(),
    oracleContract: hub.oracleAddress.toLowerCase(),
  }));
  const seen = execution.metadata.map((entry) => ({
    ...entry,
    oracleContract: entry.oracleContract.toLowerCase(),
  }));
  return compareFields("execution", "execution.metadata", expected, seen);
}

function readWord(value: string, field: string): Hex {
  if (isHex(value) && size(value) === 32) return value.toLowerCase() as Hex;
  throw new InvalidInputError({
    field,
    value,
    reason: "it must have 32 bytes",
    hint: "Do not trust this attestation.",
  });
}
