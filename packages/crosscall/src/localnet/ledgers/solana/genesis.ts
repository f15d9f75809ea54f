import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";

import {
  ASSERTIONS_PROGRAM,
  associatedTokenAccount,
  depositoryStateOf,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  vaultOf,
} from "@crosscall/protocol/vms";
import { USD_ONE } from "../../devchain/chainToken.ts";
import { amountWorth } from "../../market/currencies.ts";
import { type SimulatedChain, SVM_EXCHANGE, SVM_WRAPPED_NATIVE } from "../../market/simulatedChains.ts";
import { ASSERTIONS_GZIP, DEPOSITORY_GZIP, EXCHANGE_GZIP } from "./programs.generated.ts";
import { localKey } from "./keys.ts";
import { type SolanaAccount, TOKEN_ACCOUNT_BYTES, walletAccount } from "./accounts.ts";
import {
  BETWEEN_DECIMALS,
  BETWEEN_TOKENS,
  encodePool,
  LOOKUP_TABLE,
  lookupTableOf,
  POOL_AUTHORITY,
  POOL_USD,
  POOLS,
} from "./pools.ts";
import { LOOKUP_PROGRAM, type SolanaChain } from "./solanaChain.ts";
import { keyBytes } from "./wire.ts";

/** Account that funds accounts, including the solver's, and mints tokens. */
export const FAUCET = localKey("faucet");

/** Account that pays airdrops, which anyone can request. */
export const AIRDROPS = localKey("airdrops");

/** Account whose signatures move funds out of the depository. It also owns the depository. */
const ALLOCATOR = localKey("allocator");

export const SOLVER = localKey("solver");

const LAMPORTS_PER_SOL = 1_000_000_000n;
const FAUCET_BALANCE = 500_000_000n * LAMPORTS_PER_SOL;
/** Enough for usual payments. Clients that read balances as numbers read it exactly. */
const SOLVER_BALANCE = 1_000_000n * LAMPORTS_PER_SOL;
const SOLVER_TOKENS = 10n ** 15n;

const MINT_BYTES = 82;

/** Creates the accounts with which the chain starts: tokens, the depository, and funded accounts of the network. */
export function createGenesis(chain: SolanaChain, simulated: SimulatedChain): void {
  const { depository, currencies } = simulated;
  chain.addProgram(depository, gunzipSync(Buffer.from(DEPOSITORY_GZIP, "base64")));
  chain.addProgram(ASSERTIONS_PROGRAM, gunzipSync(Buffer.from(ASSERTIONS_GZIP, "base64")));
  chain.setAccount(depositoryStateOf(depository), rentFree(chain, depositoryState(depository), depository));
  // The live vault also has the minimum balance that keeps it rent-exempt.
  chain.setAccount(vaultOf(depository), walletAccount(chain.rentOf(0)));
  for (const { address } of [FAUCET, AIRDROPS]) chain.setAccount(address, walletAccount(FAUCET_BALANCE));
  chain.setAccount(SOLVER.address, walletAccount(SOLVER_BALANCE));
  for (const { currency } of currencies) {
    if (currency.address === SYSTEM_PROGRAM) continue;
    const isWrapped = currency.address === SVM_WRAPPED_NATIVE;
    const data = isWrapped ? mint(currency.decimals) : mint(currency.decimals, FAUCET.address, SOLVER_TOKENS);
    chain.setAccount(currency.address, rentFree(chain, data, TOKEN_PROGRAM));
    setTokens(chain, associatedTokenAccount(SOLVER.address, currency.address, TOKEN_PROGRAM), {
      token: currency.address,
      owner: SOLVER.address,
      amount: SOLVER_TOKENS,
    });
  }
  createPools(chain, simulated);
}

function createPools(chain: SolanaChain, simulated: SimulatedChain): void {
  chain.addProgram(SVM_EXCHANGE, gunzipSync(Buffer.from(EXCHANGE_GZIP, "base64")));
  const amountOf = (token: string): bigint => {
    const priced = simulated.currencies.find(({ currency }) => currency.address === token);
    return priced === undefined ? POOL_USD * 10n ** BigInt(BETWEEN_DECIMALS) : amountWorth(POOL_USD * USD_ONE, priced);
  };
  for (const token of BETWEEN_TOKENS) {
    const supply = 4n * amountOf(token);
    chain.setAccount(token, rentFree(chain, mint(BETWEEN_DECIMALS, undefined, supply), TOKEN_PROGRAM));
  }
  for (const pool of POOLS) {
    chain.setAccount(pool.address, rentFree(chain, encodePool(pool), SVM_EXCHANGE));
    for (const [index, token] of pool.tokens.entries()) {
      setTokens(chain, pool.vaults[index] ?? "", { token, owner: POOL_AUTHORITY, amount: amountOf(token) });
    }
  }
  chain.setAccount(LOOKUP_TABLE, rentFree(chain, lookupTable(lookupTableOf(simulated)), LOOKUP_PROGRAM));
}

/** Encodes a lookup table without an authority, which can never change. */
function lookupTable(addresses: readonly string[]): Buffer {
  const header = Buffer.alloc(56);
  header.writeUInt32LE(1);
  // Deactivation slot: the maximum, because the table is never deactivated.
  header.writeBigUInt64LE(2n ** 64n - 1n, 4);
  return Buffer.concat([header, ...addresses.map((address) => keyBytes(address))]);
}

interface HeldTokens {
  readonly token: string;
  readonly owner: string;
  readonly amount: bigint;
}

function setTokens(chain: SolanaChain, address: string, held: HeldTokens): void {
  const isWrapped = held.token === SVM_WRAPPED_NATIVE;
  const data = tokenAccount(held, isWrapped ? chain.rentOf(TOKEN_ACCOUNT_BYTES) : undefined);
  const { lamports, ...account } = rentFree(chain, data, TOKEN_PROGRAM);
  chain.setAccount(address, { ...account, lamports: isWrapped ? lamports + held.amount : lamports });
}

function rentFree(chain: SolanaChain, data: Uint8Array, owner: string): SolanaAccount {
  return { lamports: chain.rentOf(data.length), data, owner, executable: false };
}

/** Returns the state that the program's `initialize` writes. */
function depositoryState(depository: string): Buffer {
  const hash = (...parts: readonly (string | Uint8Array)[]): Buffer =>
    createHash("sha256")
      .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
      .digest();
  const owner = keyBytes(ALLOCATOR.address);
  const bump = Buffer.from([vaultBump(depository), 1]);
  const domain = hash("RelayDepository", "1", "solana-mainnet", keyBytes(depository));
  return Buffer.concat([hash("account:RelayDepository").subarray(0, 8), owner, owner, bump, domain]);
}

function mint(decimals: number, authority?: string, supply = 0n): Buffer {
  const data = Buffer.alloc(MINT_BYTES);
  if (authority !== undefined) {
    data[0] = 1;
    keyBytes(authority).copy(data, 4);
  }
  data.writeBigUInt64LE(supply, 36);
  [data[44], data[45]] = [decimals, 1];
  return data;
}

/** @param rent rent of a wrapped native currency account, which the token balance excludes */
function tokenAccount({ token, owner, amount }: HeldTokens, rent: bigint | undefined): Buffer {
  const data = Buffer.alloc(TOKEN_ACCOUNT_BYTES);
  keyBytes(token).copy(data);
  keyBytes(owner).copy(data, 32);
  data.writeBigUInt64LE(amount, 64);
  data[108] = 1;
  if (rent !== undefined) {
    data[109] = 1;
    data.writeBigUInt64LE(rent, 113);
  }
  return data;
}

/** Returns the bump with which the vault's address was derived. */
function vaultBump(depository: string): number {
  const vault = keyBytes(vaultOf(depository));
  for (let bump = 255; bump >= 0; bump--) {
    const parts = [
      Buffer.from("vault"),
      Buffer.from([bump]),
      keyBytes(depository),
      Buffer.from("ProgramDerivedAddress"),
    ];
    if (createHash("sha256").update(Buffer.concat(parts)).digest().equals(vault)) return bump;
  }
  return 0;
}
