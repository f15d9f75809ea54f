import { type Hex, concat, isHex, keccak256, recoverMessageAddress, sha256, stringToHex, toHex } from "viem";

import {
  type InitiatedAttestation,
  type InitiatedBody,
  type InitiationAttestation,
  type InitiationBody,
  initiationExecutionKey,
} from "@crosscall/protocol/attestation";
import { AttestationRefusedError, requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import { signExecution } from "./signedExecution.ts";
import { type WithdrawalAccount, withdrawalAccountOf } from "./withdrawalAccount.ts";

/** Attests that an owner's balance moves to the withdrawal's account (spec 5, section 8). */
export async function attestInitiation(context: OracleContext, body: InitiationBody): Promise<InitiationAttestation> {
  const { requestPeerSignatures: _, ...data } = body;
  const { hub, hubReader } = context;
  requireHub(context, body);
  const account = withdrawalAccountOf(context, body);
  const amount = BigInt(body.expectedAmount);
  await requireOwnerSignature(context, body, account);
  const balance = await hubReader.balanceOf(account.ownerAlias, account.tokenId);
  requireAttested(balance >= amount, "Insufficient initial withdrawal balance");
  return {
    message: { data, result: { withdrawalAddress: account.address } },
    execution: await signExecution(context, {
      idempotencyKey: initiationExecutionKey(hub.id, account.tokenId, account.address),
      actions: [{ type: "transfer", from: account.ownerAlias, to: account.address, tokenId: account.tokenId, amount }],
    }),
  };
}

/** Attests that the withdrawal's account holds the amount; without a signature, as the public oracle did. */
export async function attestInitiated(context: OracleContext, body: InitiatedBody): Promise<InitiatedAttestation> {
  const { requestPeerSignatures: _, ...data } = body;
  requireHub(context, body);
  const { address, tokenId } = withdrawalAccountOf(context, body);
  const balance = await context.hubReader.balanceOf(address, tokenId);
  requireAttested(balance >= BigInt(body.expectedAmount), "Insufficient withdrawal address balance");
  const proofOfWithdrawalAddressBalance = packed(address, body);
  return { message: { data, result: { proofOfWithdrawalAddressBalance, withdrawalAddress: address } } };
}

function requireHub({ hub }: OracleContext, { settlementChainId }: InitiatedBody): void {
  requireAttested(settlementChainId === hub.id, `Chain ${settlementChainId} is not available`);
}

async function requireOwnerSignature(
  { chains }: OracleContext,
  body: InitiationBody,
  { ownerAlias }: WithdrawalAccount,
): Promise<void> {
  const { withdrawer, withdrawerChainId, signature } = body;
  const { vmType } = chains.get(withdrawerChainId);
  requireAttested(vmType === "ethereum-vm", "Only 'ethereum-vm' signatures are supported");
  // Version 1 of the route signs neither recipient nor currency, so whoever sees a signature can use it for others:
  // callers send it to oracles only. Later versions sign all of it.
  const raw = sha256(stringToHex(keccak256(packed(ownerAlias, body))));
  let signer: string | undefined;
  try {
    if (isHex(signature)) signer = await recoverMessageAddress({ message: { raw }, signature });
  } catch {
    // Not a point on the curve, so not a signature.
  }
  if (signer?.toLowerCase() === withdrawer.toLowerCase()) return;
  throw new AttestationRefusedError("Invalid signature. Can't trigger withdrawal");
}

/** An account, and the amount and the nonce of a withdrawal, packed. */
function packed(address: Hex, { expectedAmount, withdrawalNonce }: InitiatedBody): Hex {
  return concat([address, toHex(BigInt(expectedAmount), { size: 32 }), toHex(BigInt(withdrawalNonce), { size: 32 })]);
}
