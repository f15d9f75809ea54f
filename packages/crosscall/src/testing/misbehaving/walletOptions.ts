import type { Hex, LocalAccount } from "viem";

/** Kind of a wallet's misbehavior. */
export type MisbehavingWalletKind =
  /** Behaves correctly, without support for bundles. */
  | "honest"
  /** Ignores the nonce of a transaction and chooses the next nonce itself. */
  | "ownNonce"
  /** Returns the correct hash, but no node has the transaction until it is included. Held until released. */
  | "privateMempool"
  /** An ERC-4337 account: returns the hash of a user operation. Executed under a different hash when released. */
  | "userOperation"
  /**
   * A contract account that waits for the last owner's signature: returns a hash that never exists on a chain. Held
   * until released.
   */
  | "multisig"
  /** Never responds to `methods`. With `sends`, performs the request before it hangs. */
  | "neverAnswers"
  /** Sends a transaction and returns null. */
  | "answersNull"
  /** Returns undefined and sends nothing. */
  | "sendsNothing"
  /** Sends a transaction and returns a value that is not a hash. */
  | "answersGarbage"
  /** Sends a transaction and returns the hash of the previous transaction. */
  | "repeatsHash"
  /** Sends a transaction, then loses the connection before it responds. */
  | "losesHash"
  /** The user rejects. The error has the form of `rejection`. */
  | "rejects"
  /** Confirms a chain switch before `eth_chainId` returns the new chain. */
  | "slowChainSwitch"
  /** Is on another chain and does not know this one until `wallet_addEthereumChain`. */
  | "unknownChain"
  /** The user lowers an approval to `cap`. */
  | "lowersApproval"
  /** The user raises the fees: another transaction with the same nonce pays. Held until released. */
  | "speedsUp"
  /** The user cancels: a transfer to self takes the nonce of the payment. Held until released. */
  | "cancels"
  /** Signs with a `v` of 0 or 1. */
  | "legacySignatures"
  /** Returns compact signatures of 64 bytes (EIP-2098). */
  | "compactSignatures"
  /** Behaves correctly, and sends bundles (EIP-5792). */
  | "bundles"
  /** Claims to support bundles, but rejects each one. */
  | "refusesBundles"
  /** Reports a bundle as pending. Held until released. */
  | "bundlePending"
  /** Sends a bundle, but does not recognize its id afterwards. */
  | "bundleForgotten";

/** Options of `misbehavingWallet`. */
export interface MisbehavingWalletOptions {
  /** The user's key. For `userOperation` and `multisig`, the owner of the contract account. */
  readonly account: LocalAccount;
  /** The node that the wallet uses, such as `chain.rpcUrl`. */
  readonly rpcUrl: string;
  /** Number of blocks after which a request releases held actions; by default, only `release()` does. */
  readonly releaseAfterBlocks?: number;
  /** Methods affected by `neverAnswers` and `rejects`; by default, all that send or sign. */
  readonly methods?: readonly string[];
  /** Whether `neverAnswers` performs the request before it hangs; false by default. */
  readonly sends?: boolean;
  /** Form of the error of `rejects`; `code4001` by default. */
  readonly rejection?: RejectionForm;
  /** Whether the error of `refusesBundles` has a code; true by default. */
  readonly hasCode?: boolean;
  /** Response of `answersGarbage`; `"0x"` by default. */
  readonly answer?: unknown;
  /** New amount of `lowersApproval` in the smallest unit; 1 by default. */
  readonly cap?: bigint;
  /** Number of times that `eth_chainId` still returns the old chain with `slowChainSwitch`; 3 by default. */
  readonly reads?: number;
}

/** Performs a held action and returns the hash of the transaction that it sent, if any. */
export type HeldAction = () => Promise<Hex | undefined>;

/** Form of a wallet's error after its user rejected a request. */
export type RejectionForm =
  /** An error with code 4001 (EIP-1193). */
  | "code4001"
  /** An error with code 5000 (CAIP-25, WalletConnect). */
  | "code5000"
  /** An error with code 5002 (CAIP-25, WalletConnect). */
  | "code5002"
  /** An error with code `ACTION_REJECTED` (ethers). */
  | "actionRejected"
  /** An error with code -32603 that has the rejection in `data.originalError`. */
  | "nested"
  /** A plain object with code 4001. */
  | "object"
  /** An error without a code. */
  | "message"
  /** A string. */
  | "string"
  /** The status 0x6985 of a hardware wallet. */
  | "hardware";

export const REJECTIONS: Readonly<Record<RejectionForm, () => unknown>> = {
  code4001: () => errorWith("User rejected the request.", { code: 4_001 }),
  code5000: () => errorWith("User rejected.", { code: 5_000 }),
  code5002: () => errorWith("User rejected methods.", { code: 5_002 }),
  actionRejected: () => errorWith("user rejected action", { code: "ACTION_REJECTED", action: "sendTransaction" }),
  nested: () =>
    errorWith("Internal JSON-RPC error.", {
      code: -32_603,
      data: { originalError: { code: 4_001, message: "User denied transaction signature." } },
    }),
  object: () => ({ code: 4_001, message: "User rejected the request." }),
  message: () => new Error("User denied transaction signature."),
  string: () => "User rejected the transaction",
  hardware: () =>
    errorWith("Condition of use not satisfied (denied by the user?) (0x6985)", {
      name: "TransportStatusError",
      statusCode: 0x69_85,
    }),
};

function errorWith(message: string, fields: Readonly<Record<string, unknown>>): Error {
  return Object.assign(new Error(message), fields);
}
