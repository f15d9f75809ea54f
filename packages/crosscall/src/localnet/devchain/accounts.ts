import { type Address, bytesToHex, concat, type Hex, keccak256, type LocalAccount, stringToHex } from "viem";
import { mnemonicToAccount, privateKeyToAccount, privateKeyToAddress } from "viem/accounts";

// The mnemonic that every local EVM node prefunds. Its keys are public: never send anything of value to them.
const MNEMONIC = "test test test test test test test test test test test junk";

// The seed is derived once for all accounts.
const branch = mnemonicToAccount(MNEMONIC, { path: "m/44'/60'/0'/0" }).getHdKey();

const keyOf = (addressIndex: number): Hex =>
  bytesToHex(branch.deriveChild(addressIndex).privateKey ?? new Uint8Array());

/** Returns the keys of the accounts that a node of this process prefunds and signs for, as a Hardhat node does. */
export function nodeKeys(): readonly Hex[] {
  return Array.from({ length: 20 }, (_, index) => keyOf(index));
}

/** The prefunded accounts of a local network. Their private keys are public. */
export interface LocalAccounts {
  /** User of an integrator's app. */
  readonly user: LocalAccount;
  /** Another user, for tests with two parties. */
  readonly stranger: LocalAccount;
  /** Account that signs withdrawals from the depository. */
  readonly allocator: LocalAccount;
  /** Account that deploys the contracts. */
  readonly deployer: LocalAccount;
  /** The service's wallet on every chain: it fills, refunds, and signs requests. */
  readonly solver: LocalAccount;
  /** Five accounts that the network does not use. */
  readonly spare: readonly LocalAccount[];
}

const keys = { user: keyOf(0), stranger: keyOf(1), allocator: keyOf(7), deployer: keyOf(8), solver: keyOf(9) };
const spareKeys = [2, 3, 4, 5, 6].map(keyOf);

/** Keys of the network's two oracles. They send nothing, and are not prefunded. */
export const ORACLE_KEYS: readonly [Hex, Hex] = [keyOf(10), keyOf(11)];

/**
 * Account that sends the raw calls of `POST /execute` and pays their gas. It holds nothing else, because callers choose
 * these calls.
 */
export const relayerAccount: LocalAccount = privateKeyToAccount(keyOf(12));

/** The accounts of a local network. */
export const localAccounts: LocalAccounts = {
  user: privateKeyToAccount(keys.user),
  stranger: privateKeyToAccount(keys.stranger),
  allocator: privateKeyToAccount(keys.allocator),
  deployer: privateKeyToAccount(keys.deployer),
  solver: privateKeyToAccount(keys.solver),
  spare: spareKeys.map((key) => privateKeyToAccount(key)),
};

export interface ListedAccount {
  readonly name: string;
  readonly address: Address;
  readonly privateKey: Hex;
}

export const localAccountList: readonly ListedAccount[] = [
  ...Object.entries(keys),
  ...spareKeys.map((key, index) => [`spare ${index + 1}`, key] as const),
].map(([name, privateKey]) => ({ name, privateKey, address: privateKeyToAddress(privateKey) }));

/** Domain separator: keeps these keys apart from other uses of a requestId. */
const DOMAIN = stringToHex("crosscall deposit address");

/**
 * Returns the account of a request's deposit address, which is the same on every chain. Its key derives from the
 * requestId, so nothing is stored, and is public like all keys of a local network. The live service uses contracts.
 */
export function depositAccount(requestId: Hex): LocalAccount {
  return privateKeyToAccount(keccak256(concat([DOMAIN, requestId])));
}
