import { type Address, isAddress } from "viem";

import { InvalidInputError } from "@crosscall/protocol/core";
import {
  type ExecutionAttestation,
  hubTokenId,
  type TransferBody,
  transferExecutionKey,
} from "@crosscall/protocol/attestation";
import { requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import { requireOwnerSignature } from "./authorization.ts";
import { signExecution } from "./signedExecution.ts";
import { codecOnHub } from "./withdrawalV3.ts";

/** Attests that an owner transfers a balance to another account on the hub. */
export async function attestTransfer(context: OracleContext, body: TransferBody): Promise<ExecutionAttestation> {
  const { chainId, currency, recipient, nonce, ownerChainId, owner, ownerSignature } = body;
  const { chains, hub, hubReader } = context;
  const codec = codecOnHub(context, chainId);
  const from = chains.alias(ownerChainId, owner);
  const to = readHubAccount(recipient);
  const amount = BigInt(body.amount);
  requireAttested(amount > 0n, "Transfer amount must be non-zero");
  const order = { operation: "transfer", chainId, currency, amount: body.amount, ownerChainId, owner } as const;
  await requireOwnerSignature(context, { ...order, recipient, nonce }, ownerSignature);
  const tokenId = hubTokenId(chainId, codec.encodeAddress(currency, "currency"));
  const balance = await hubReader.balanceOf(from, tokenId);
  requireAttested(balance >= amount, "Insufficient balance for requested transfer");
  return {
    execution: await signExecution(context, {
      idempotencyKey: transferExecutionKey(hub.id, tokenId, { from, to, nonce }),
      actions: [{ type: "transfer", from, to, tokenId, amount }],
    }),
  };
}

function readHubAccount(value: string): Address {
  if (isAddress(value, { strict: false })) return value.toLowerCase() as Address;
  const reason = "it is not an account on the hub";
  throw new InvalidInputError({ field: "recipient", value, reason, hint: "Pass an EVM address." });
}
