import { base58 } from "@scure/base";
import { createPublicKey, verify } from "node:crypto";
import {
  bytesToHex,
  concat,
  type Hex,
  hexToBytes,
  isHex,
  keccak256,
  recoverAddress,
  recoverMessageAddress,
  stringToHex,
} from "viem";

import { type AuthorizationFields, hashOwnerOrder, type OwnerOrder } from "@crosscall/protocol/attestation";
import type { Order } from "@crosscall/protocol/order";
import { TRON_CODEC } from "@crosscall/protocol/vms";
import { AttestationRefusedError, requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import { isSignedOnBitcoin, isSupportedOnBitcoin } from "./bitcoinSignature.ts";
import { readDeposit } from "./deposits.ts";
import { requireUnsettledOrder } from "./order.ts";

interface AuthorizationRequest {
  readonly withdrawal: Omit<OwnerOrder, "operation">;
  readonly authorization: AuthorizationFields;
  /** Path of the route, for the log. */
  readonly endpoint: string;
}

/**
 * Requires the owner's signature or, in recover mode, an unsettled order with a refund that is exactly this withdrawal.
 *
 * @throws {@link AttestationRefusedError} if it is not authorized
 */
export async function requireAuthorization(context: OracleContext, request: AuthorizationRequest): Promise<void> {
  const { withdrawal, authorization, endpoint } = request;
  const { recoverMode, ownerSignature } = authorization;
  if (recoverMode !== true) {
    requireAttested(ownerSignature !== undefined, "ownerSignature is required");
    await requireOwnerSignature(context, { operation: "withdrawal", ...withdrawal }, ownerSignature);
    return;
  }
  const recovery = readRecovery(authorization);
  await requireRefund(context, withdrawal, recovery);
  const { order: _order, orderSignature: _signature, ...deposit } = recovery;
  // Logs each use of the recover mode, because no signature covers the withdrawal.
  context.log.info({ endpoint, ...deposit, ...withdrawal }, "a withdrawal was authorized in recover mode");
}

interface Recovery {
  readonly depositChainId: string;
  readonly depositTransactionId: string;
  readonly depositOnchainId: string;
  readonly order: Order;
  readonly orderSignature: string;
}

function readRecovery(fields: AuthorizationFields): Recovery {
  const { depositChainId, depositTransactionId, depositOnchainId, order, orderSignature } = fields;
  if (
    depositChainId === undefined ||
    depositTransactionId === undefined ||
    depositOnchainId === undefined ||
    order === undefined ||
    orderSignature === undefined
  ) {
    throw new AttestationRefusedError(
      "recoverMode requires depositChainId, depositTransactionId, depositOnchainId, order, and orderSignature",
    );
  }
  return { depositChainId, depositTransactionId, depositOnchainId, order, orderSignature };
}

async function requireRefund(
  context: OracleContext,
  { chainId, currency, amount, recipient, ownerChainId, owner }: AuthorizationRequest["withdrawal"],
  { depositChainId, depositTransactionId, depositOnchainId, order, orderSignature }: Recovery,
): Promise<void> {
  const { chains } = context;
  const [input, ...others] = order.inputs;
  if (input === undefined || others.length > 0) {
    throw new AttestationRefusedError("recoverMode only supports single-input orders");
  }
  const deposit = await readDeposit(context, {
    chainId: depositChainId,
    transactionId: depositTransactionId,
    onchainId: depositOnchainId,
    hints: undefined,
  });
  await requireUnsettledOrder(context, deposit, order, orderSignature);

  const { codec } = chains.get(chainId);
  const isSame = (a: string, b: string): boolean => codec.encodeAddress(a, "order") === codec.encodeAddress(b, "order");
  const refunds = input.refunds.filter((other) => other.chainId === chainId && isSame(other.currency, currency));
  const [refund] = refunds;
  if (refund === undefined || refunds.length > 1) {
    throw new AttestationRefusedError(
      `Expected exactly 1 refund entry for chain ${chainId} currency ${currency}, got ${refunds.length}`,
    );
  }
  // A recipient with the address of the native currency means the depositor, because no key owns that address.
  requireAttested(!isSame(refund.recipient, codec.nativeCurrency), "Recipient does not match the order refund entry");
  requireAttested(isSame(recipient, refund.recipient), "Recipient does not match the order refund entry");
  requireAttested(
    BigInt(amount) === deposit.amount,
    "Amount does not match the deposit amount (slow refund is full-amount only)",
  );
  requireAttested(ownerChainId === depositChainId, "Owner chain does not match the deposit chain");
  const isDepositor =
    chains.encode(ownerChainId, owner, "owner") === chains.encode(depositChainId, deposit.depositor, "depositor");
  requireAttested(isDepositor, "Owner does not match the deposit's depositor");
  // Anyone can deposit a worthless token for another account, with an order that refunds a valuable one to themselves.
  const isDeposited = chainId === depositChainId && isSame(currency, deposit.currency);
  requireAttested(isDeposited, "Currency does not match the deposit's currency");
}

/**
 * Checks the owner's signature in the format of the owner's chain.
 *
 * @throws {@link AttestationRefusedError} if the owner did not sign, or cannot sign on their chain
 */
export async function requireOwnerSignature(
  { chains }: OracleContext,
  order: OwnerOrder,
  signature: string,
): Promise<void> {
  const digest = hashOwnerOrder(order);
  const { owner, ownerChainId } = order;
  const { vmType } = chains.get(ownerChainId);
  switch (vmType) {
    case "ethereum-vm":
    case "hyperliquid-vm": {
      const signer = await messageSigner(digest, signature);
      requireAttested(signer === owner.toLowerCase(), "Invalid signature");
      return;
    }
    case "tron-vm":
      requireAttested((await tronSigner(digest, signature)) === owner, "Invalid signature");
      return;
    case "solana-vm":
      requireAttested(isSignedOnSolana(digest, owner, signature), "Invalid signature");
      return;
    case "bitcoin-vm":
      requireAttested(isSupportedOnBitcoin(owner, signature), NOT_SUPPORTED);
      requireAttested(await isSignedOnBitcoin(textOf(digest), owner, signature), "Invalid signature");
      return;
    case "lighter-vm": {
      const { readSigner } = chains.vm(ownerChainId);
      if (readSigner === undefined) throw new AttestationRefusedError(NOT_SUPPORTED);
      const ownerAddress = await readSigner(owner);
      requireAttested((await messageSigner(digest, signature)) === ownerAddress.toLowerCase(), "Invalid signature");
      return;
    }
    case "ton-vm":
    case "xrp-vm":
      throw new AttestationRefusedError(NOT_SUPPORTED);
  }
}

const NOT_SUPPORTED = "Signature verification not supported for owner chain";

/** Wallets of other families sign the digest as text without 0x. */
function textOf(digest: Hex): string {
  return digest.slice(2);
}

/** Returns the signer in lower case, or undefined for a malformed signature. */
function messageSigner(digest: Hex, signature: string): Promise<string | undefined> {
  return signerOf(signature, (hex) => recoverMessageAddress({ message: { raw: digest }, signature: hex }));
}

async function tronSigner(digest: Hex, signature: string): Promise<string | undefined> {
  const text = textOf(digest);
  const hash = keccak256(stringToHex(`\u0019TRON Signed Message:\n${text.length}${text}`));
  const signer = await signerOf(signature, (hex) => recoverAddress({ hash, signature: hex }));
  return signer === undefined ? undefined : TRON_CODEC.decodeAddress(concat(["0x41", signer]));
}

async function signerOf(signature: string, recover: (signature: Hex) => Promise<Hex>): Promise<Hex | undefined> {
  if (!isHex(signature)) return undefined;
  try {
    return (await recover(signature)).toLowerCase() as Hex;
  } catch {
    // The signature is not a point on the curve.
    return undefined;
  }
}

/** DER prefix of an Ed25519 public key (SubjectPublicKeyInfo). */
const ED25519_PREFIX = "0x302a300506032b6570032100";

function isSignedOnSolana(digest: Hex, owner: string, signature: string): boolean {
  try {
    const der = hexToBytes(concat([ED25519_PREFIX, bytesToHex(base58.decode(owner))]));
    const key = createPublicKey({ key: Buffer.from(der), format: "der", type: "spki" });
    // Maximum length of a base58 signature of 64 bytes.
    const hex = /^(?:0x)?([0-9a-f]{128})$/iu.exec(signature)?.[1];
    const bytes = hex === undefined ? base58.decode(signature) : hexToBytes(`0x${hex}`);
    return verify(null, Buffer.from(textOf(digest), "utf8"), key, bytes);
  } catch {
    return false;
  }
}
