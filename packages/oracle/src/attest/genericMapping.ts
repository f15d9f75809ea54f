import { type Address, type Hex, hashTypedData, isHex, recoverAddress, zeroAddress } from "viem";

import {
  type EntryAttestation,
  genericMappingDomain,
  type MappingEntry,
  NO_FILL_TYPES,
  type NoFillBody,
  noFillEntry,
  NONCE_MAPPING_TYPES,
  type NonceMappingBody,
  nonceMappingEntry,
  SET_ENTRY_TYPES,
  type SignedEntry,
} from "@crosscall/protocol/attestation";
import { requireAttested } from "../attestationRefusedError.ts";
import { hubContract } from "../hub.ts";
import type { OracleContext } from "../oracleContext.ts";
import { signDigest } from "./signedExecution.ts";

/** Attests a solver's statement that it did not fill or refund an order. */
export async function attestNoFill(context: OracleContext, body: NoFillBody): Promise<EntryAttestation> {
  const { solverChainId, solver, signature } = body;
  const orderId = body.orderId as Hex;
  requireAttested(context.chains.get(solverChainId).vmType === "ethereum-vm", "Unsupported signature chain");
  const digest = hashTypedData({
    domain: domainOf(context, "RelayNoFillOrRefund", "1", solverChainId),
    types: NO_FILL_TYPES,
    primaryType: "NoFillOrRefund",
    message: { chainId: solverChainId, solver: solver as Address, orderId },
  });
  await requireSigner(digest, signature, solver);
  return signEntry(context, noFillEntry(context.chains.alias(solverChainId, solver), orderId));
}

/** Attests a wallet's statement that binds its nonce to an id. */
export async function attestNonceMapping(context: OracleContext, body: NonceMappingBody): Promise<EntryAttestation> {
  const { walletChainId, wallet, nonce, signatureChainId, signature } = body;
  const [id, depositor] = [body.id as Hex, body.depositor as Address];
  requireAttested(context.chains.get(signatureChainId).vmType === "ethereum-vm", "Unsupported signature chain");
  const digest = hashTypedData({
    domain: domainOf(context, "RelayNonceMapping", "2", signatureChainId),
    types: NONCE_MAPPING_TYPES,
    primaryType: "NonceMapping",
    message: { chainId: walletChainId, wallet: wallet as Address, depositor, id, nonce: BigInt(nonce) },
  });
  await requireSigner(digest, signature, wallet);
  const user = context.chains.alias(walletChainId, wallet);
  return signEntry(context, nonceMappingEntry({ user, nonce, id, depositor }));
}

function hashEntry({ hub }: OracleContext, { user, id, data, nonce }: MappingEntry): Hex {
  return hashTypedData({
    domain: genericMappingDomain(hub.evmChainId, hubContract(hub, "genericMappingAddress")),
    types: SET_ENTRY_TYPES,
    primaryType: "SetEntry",
    message: { user, id, data, nonce },
  });
}

export function hashSignedEntry(context: OracleContext, { user, id, data, nonce }: SignedEntry): Hex {
  return hashEntry(context, { user: user as Hex, id: id as Hex, data: data as Hex, nonce: nonce as Hex });
}

async function signEntry(context: OracleContext, entry: MappingEntry): Promise<EntryAttestation> {
  const { hub } = context;
  const contract = {
    genericMappingChainId: hub.evmChainId.toString(),
    genericMappingContract: hubContract(hub, "genericMappingAddress"),
  };
  const signature = await signDigest(context, hashEntry(context, entry));
  return { genericMapping: { ...entry, signatures: [{ ...contract, ...signature }] } };
}

/** Returns the EIP-712 domain of a statement: the chain in the statement, without a contract. */
function domainOf({ chains }: OracleContext, name: string, version: string, chainId: string) {
  return { name, version, chainId: chains.hubChainId(chainId), verifyingContract: zeroAddress };
}

async function requireSigner(digest: Hex, signature: string, expected: string): Promise<void> {
  let signer: string | undefined;
  try {
    if (isHex(signature)) signer = await recoverAddress({ hash: digest, signature });
  } catch {
    // The signature is not a point on the curve.
  }
  requireAttested(signer?.toLowerCase() === expected.toLowerCase(), "Invalid signature");
}
