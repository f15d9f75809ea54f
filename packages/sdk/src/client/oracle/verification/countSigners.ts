import {
  AbiDecodingDataSizeTooSmallError,
  type Address,
  BaseError,
  type Client,
  compactSignatureToSignature,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  type Hex,
  isHex,
  parseAbi,
  parseCompactSignature,
  recoverAddress,
  serializeSignature,
  size,
  slice,
} from "viem";
import { isSameAddress, readContract } from "@crosscall/protocol/chains";

import { abortable, ChainError } from "@crosscall/protocol/core";
import type { AttestationFault, DerivedSignatures, GivenSignature } from "./attested.ts";

const WALLET_ABI = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"]);

/** ERC-1271's magic value. */
const ACCEPTED = "0x1626ba7e";

/** Errors which show that the wallet reverted, has no code, or returned too little data. */
const REFUSALS = [ContractFunctionRevertedError, ContractFunctionZeroDataError, AbiDecodingDataSizeTooSmallError];

/** Checks a signature with ERC-1271. An address without code accepts nothing. */
async function askWallet(
  client: Client,
  wallet: Address,
  hash: Hex,
  signature: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (!isHex(signature)) return false;
  const question = { address: wallet, abi: WALLET_ABI, functionName: "isValidSignature" } as const;
  const what = `the wallet ${wallet}`;
  try {
    const asking = readContract(client, { ...question, args: [hash, signature] });
    return (await abortable(asking, signal, what)) === ACCEPTED;
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const isRefusal = error.walk((cause) => REFUSALS.some((refusal) => cause instanceof refusal));
    if (isRefusal !== null) return false;
    throw new ChainError({
      message: `${what} could not be called: ${error.shortMessage}`,
      chainId: client.chain?.id,
      hint: "Check the chain's RPC URL, then retry.",
      cause: error,
    });
  }
}

/** Half of the curve's order: a higher s is the second form of a signature. */
const MAXIMUM_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

export interface CountedSigners {
  readonly faults: readonly AttestationFault[];
  /** Trusted signers without duplicates, in ascending order. */
  readonly trusted: readonly Address[];
  /** Other valid signers. */
  readonly strangers: readonly Address[];
}

/**
 * Requires that each signature is for the hub and from its stated signer.
 * @param signers trusted signers in lower case
 * @param client client for signers that are wallet contracts
 */
export async function countSigners(
  { digest, path, domain, signatures }: DerivedSignatures,
  signers: readonly Address[],
  { client, signal }: { readonly client: Client | undefined; readonly signal: AbortSignal | undefined },
): Promise<CountedSigners> {
  const faults: AttestationFault[] = [];
  const genuine = new Set<Address>();
  const walletOf = new Map<Address, Address>();
  for (const [index, given] of signatures.entries()) {
    const at = `${path}[${index}]`;
    const foreign = checkDomain(domain, given, at);
    faults.push(...foreign);
    if (foreign.length > 0) continue;
    const name = given.signer.toLowerCase() as Address;
    const recovered = await recoverKey(digest, given.signature);
    const isWallet = client !== undefined && recovered !== name && signers.includes(name);
    if (recovered === name) {
      genuine.add(name);
    } else if (isWallet && (await askWallet(client, name, digest, given.signature, signal))) {
      // If a wallet accepted another signer's signature, or that of another wallet's key, it would count twice.
      const key = await recoverAnyForm(digest, given.signature);
      const isOwn =
        key === undefined || key === name || (!signers.includes(key) && (walletOf.get(key) ?? name) === name);
      if (key !== undefined && isOwn) walletOf.set(key, name);
      if (isOwn) genuine.add(name);
      else faults.push({ check: "signature", path: `${at}.signature`, expected: `of ${name}`, seen: `of ${key}` });
    } else {
      const seen = recovered === undefined ? "invalid" : `of ${recovered}`;
      faults.push({ check: "signature", path: `${at}.signature`, expected: `of ${name}`, seen });
    }
  }
  const ascending = [...genuine].sort();
  return {
    faults,
    trusted: ascending.filter((signer) => signers.includes(signer)),
    strangers: ascending.filter((signer) => !signers.includes(signer)),
  };
}

function checkDomain(
  expected: GivenSignature["domain"],
  { domain: seen }: GivenSignature,
  path: string,
): readonly AttestationFault[] {
  if (seen.chainId === expected.chainId && isSameAddress(seen.contract, expected.contract)) return [];
  const describe = ({ chainId, contract }: GivenSignature["domain"]): string => `${contract} on chain ${chainId}`;
  return [{ check: "domain", path, expected: describe(expected), seen: describe(seen) }];
}

/** Like `recoverKey`, but also accepts forms that some wallets accept: 64 bytes, a high s, v of 0 or 1. */
async function recoverAnyForm(digest: Hex, signature: string): Promise<Address | undefined> {
  if (!isHex(signature) || (size(signature) !== 65 && size(signature) !== 64)) return undefined;
  try {
    const full =
      size(signature) === 65
        ? signature
        : serializeSignature(compactSignatureToSignature(parseCompactSignature(signature)));
    return (await recoverAddress({ hash: digest, signature: full })).toLowerCase() as Address;
  } catch {
    return undefined;
  }
}

/** Returns undefined for an invalid or non-canonical signature. */
async function recoverKey(digest: Hex, signature: string): Promise<Address | undefined> {
  if (!isHex(signature) || size(signature) !== 65) return undefined;
  const isLow = BigInt(slice(signature, 32, 64)) <= MAXIMUM_S;
  const v = slice(signature, 64);
  if (!isLow || (v !== "0x1b" && v !== "0x1c")) return undefined;
  try {
    return (await recoverAddress({ hash: digest, signature })).toLowerCase() as Address;
  } catch {
    return undefined;
  }
}
