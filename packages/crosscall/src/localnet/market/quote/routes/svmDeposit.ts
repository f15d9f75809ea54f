import { type Hex, bytesToHex, concat, hexToBytes, numberToHex, sha256, slice, stringToBytes } from "viem";

import { type QuoteRequest, SVM_QUOTED_MAX_BYTES, SVM_SWAP_AGGREGATOR } from "@crosscall/protocol/quote/rules";
import {
  ASSOCIATED_TOKEN_PROGRAM,
  associatedTokenAccount,
  depositoryStateOf,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  vaultOf,
} from "@crosscall/protocol/vms";
import { rejectProblem } from "../../rejection.ts";
import { SVM_EXCHANGE, SVM_MINOR_TOKEN, SVM_TETHER, SVM_WRAPPED_NATIVE, svmAddress } from "../../simulatedChains.ts";

export interface SvmAccount {
  readonly pubkey: string;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

export interface SvmInstruction {
  readonly keys: readonly SvmAccount[];
  readonly programId: string;
  /** Hex without 0x. */
  readonly data: string;
}

/** `data` of a step's item on the SVM chain, as in quotes of the live service (not shown in spec 2, section 2.1). */
export interface SvmTransactionData {
  readonly instructions: readonly SvmInstruction[];
  readonly addressLookupTableAddresses: readonly string[];
}

export interface DepositParameters {
  readonly user: string;
  readonly depository: string;
  readonly currency: string;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly orderId: Hex;
}

export interface SvmDepositParameters extends Omit<DepositParameters, "user"> {
  readonly request: QuoteRequest;
}

/** Swap routes from a token to a currency that the solver holds: number of pools, and accounts per pool. */
const SWAP_ROUTES: ReadonlyMap<string, { readonly hops: number; readonly accountsPerHop: number }> = new Map([
  [SVM_TETHER, { hops: 6, accountsPerHop: 4 }],
  [SVM_WRAPPED_NATIVE, { hops: 5, accountsPerHop: 6 }],
  [SVM_MINOR_TOKEN, { hops: 6, accountsPerHop: 8 }],
]);

/** The aggregator uses one pool, with the accounts in its lookup table. */
const AGGREGATOR_ROUTE = { hops: 1, accountsPerHop: 8 } as const;

/**
 * Builds the depository's instruction with amount and orderId, after a swap if the solver does not hold the currency.
 * The accounts of the swap are placeholders derived from names, because the chain is not run.
 */
export function svmDeposit({ request, ...deposit }: SvmDepositParameters): SvmTransactionData {
  const { currency } = deposit;
  const wanted = SWAP_ROUTES.get(currency);
  const instruction = depositInstruction({ ...deposit, user: request.user });
  if (wanted === undefined) return { instructions: [instruction], addressLookupTableAddresses: [] };
  const { includedOriginSwapSources: sources, maxRouteLength = Infinity } = request;
  const isAggregatorOnly = sources?.length === 1 && sources[0] === SVM_SWAP_AGGREGATOR;
  const route = isAggregatorOnly ? AGGREGATOR_ROUTE : { ...wanted, hops: Math.min(wanted.hops, maxRouteLength) };
  return {
    instructions: [swapInstruction(request.user, currency, route), instruction],
    addressLookupTableAddresses: isAggregatorOnly ? [svmAddress("lookup table")] : [],
  };
}

/** @throws {@link RejectionError} if a deposit has more bytes than the service allows */
export function requireSmallDeposit(bytes: number, maxRouteLength: number | undefined): void {
  if (bytes <= SVM_QUOTED_MAX_BYTES) return;
  throw rejectProblem({
    errorCode: "SOLANA_TX_TOO_LARGE",
    field: "maxRouteLength",
    value: maxRouteLength,
    reason: `the deposit would take ${bytes} bytes; ${SVM_QUOTED_MAX_BYTES} is the limit that leaves room for the wallet's instructions`,
    hint: "Set maxRouteLength to 4, then to 3. If both fail, set includedOriginSwapSources to the swap aggregator alone.",
  });
}

/**
 * Returns the serialized size with the signatures of the user and the fee payer, if any. Each account takes 32 bytes
 * once, plus one byte per use in an instruction.
 */
export function svmTransactionBytes(
  { instructions, addressLookupTableAddresses }: SvmTransactionData,
  feePayer?: string,
): number {
  const accounts = new Set(
    instructions.flatMap(({ keys, programId }) => [programId, ...keys.map(({ pubkey }) => pubkey)]),
  );
  if (feePayer !== undefined) accounts.add(feePayer);
  const signatures = 1 + 64 * (feePayer === undefined ? 1 : 2);
  // Version, header, counts, block hash.
  const message = 1 + 3 + 1 + 32 + 1 + 1;
  const instructionBytes = instructions.reduce(
    (sum, { keys, data }) => sum + 1 + listBytes(keys.length) + listBytes(data.length / 2),
    0,
  );
  return signatures + message + accounts.size * 32 + instructionBytes + addressLookupTableAddresses.length * 34;
}

/** Returns the size of a list of bytes with its length, which takes a second byte from 128. */
function listBytes(length: number): number {
  return length + (length < 128 ? 1 : 2);
}

/** Builds the depository's instruction. The user pays, and is the depositor. */
export function depositInstruction({ user, depository, currency, amount, orderId }: DepositParameters): SvmInstruction {
  const isNative = currency === SYSTEM_PROGRAM;
  const vault = vaultOf(depository);
  const account = (pubkey: string, isWritable = false, isSigner = false): SvmAccount => ({
    pubkey,
    isSigner,
    isWritable,
  });
  const parties = [account(depositoryStateOf(depository)), account(user, true, true), account(user)];
  const keys = isNative
    ? [...parties, account(vault, true), account(SYSTEM_PROGRAM)]
    : [
        ...parties,
        account(vault),
        account(currency),
        account(associatedTokenAccount(user, currency, TOKEN_PROGRAM), true),
        account(associatedTokenAccount(vault, currency, TOKEN_PROGRAM), true),
        account(TOKEN_PROGRAM),
        account(ASSOCIATED_TOKEN_PROGRAM),
        account(SYSTEM_PROGRAM),
      ];
  const name = isNative ? "deposit_native" : "deposit_token";
  return { programId: depository, keys, data: concat([discriminator(name), littleEndian(amount), orderId]).slice(2) };
}

function swapInstruction(
  user: string,
  currency: string,
  { hops, accountsPerHop }: { readonly hops: number; readonly accountsPerHop: number },
): SvmInstruction {
  const pools = Array.from({ length: hops * accountsPerHop }, (_, index) => ({
    pubkey: svmAddress(`pool account ${index}`),
    isSigner: false,
    isWritable: true,
  }));
  return {
    programId: SVM_EXCHANGE,
    keys: [
      { pubkey: user, isSigner: true, isWritable: true },
      { pubkey: currency, isSigner: false, isWritable: false },
      ...pools,
    ],
    data: concat([discriminator("route"), numberToHex(hops, { size: 1 })]).slice(2),
  };
}

/** Returns the first eight bytes of an Anchor instruction, which identify the instruction. */
function discriminator(name: string): Hex {
  return slice(sha256(stringToBytes(`global:${name}`)), 0, 8);
}

function littleEndian(amount: bigint): Hex {
  return bytesToHex(hexToBytes(numberToHex(amount, { size: 8 })).toReversed());
}
