import type { SwapRouterRules } from "./swapRouters.ts";

/** Condition on an argument. */
export interface ArgumentCondition {
  readonly path: string;
  /** Compares one bit of a number. */
  readonly bit?: number;
  readonly is: boolean | number;
}

/** Tokens taken from the caller by approval, unless the token is the target itself. */
export interface KnownTake {
  readonly token: string;
  /** `@target` by default. */
  readonly spender?: "@puller";
  /** A path that contains `.*` means one take per non-zero amount. */
  readonly amount: string;
  /** Whether the function can take less. */
  readonly isMaximum?: boolean;
  /** Path of a limit. The function takes nothing if it is not positive. */
  readonly limit?: string;
  /** Whether the target takes tokens through Permit2. The default depends on the router's generation. */
  readonly isThroughPermit2?: true;
  /** Account that pays. The caller by default; takes from other accounts are ignored. */
  readonly payer?: string;
  /** All conditions must apply. */
  readonly when?: readonly ArgumentCondition[];
}

/** Tokens that the target uses from its own balance. */
export interface KnownUse {
  readonly token: string;
  /** A path, `@all`, or `@part` for less than all. */
  readonly amount: string;
  /** Whether the function can use less. */
  readonly isMaximum?: boolean;
  readonly when?: readonly ArgumentCondition[];
}

/**
 * Effects of a function on tokens. Values are paths in the arguments: `params.tokenIn`, `amounts.*`, and
 * `assets[swaps.*.index]` for an index in another argument. `first:` and `last:` select from a swap path, an array or packed bytes; `route:` from an array of tokens and pools; `packed:` reads
 * an address from the low bits of a number. Words with `@` are not arguments: `@target` the called contract, `@caller`
 * its caller, `@puller` the push executor's puller, `@native` native
 * currency, `@wrapped` wrapped native currency, `@balance` the caller's whole balance, `@nft` an NFT, `@value` the
 * call's value, `@unknown` anything else.
 */
export interface KnownFunction {
  /** Signature for `parseAbi`, with names for all parameters. */
  readonly signature: string;
  /** Name of the bytes after the arguments, which are listed as the last argument. */
  readonly rest?: string;
  /** Tokens of amounts, in addition to `takes`. */
  readonly amounts?: Readonly<Record<string, string>>;
  readonly takes?: KnownTake | readonly KnownTake[];
  readonly uses?: KnownUse;
  /** Path of the minimum output. */
  readonly minimumOut?: string;
  /** Tokens given to a recipient. */
  readonly gives?: {
    readonly token: string;
    readonly recipient: string;
    /** The amount, if certain. */
    readonly amount?: string;
    /** Whether the token can be native currency, if no argument names the token. */
    readonly isPerhapsNative?: boolean;
    /** Hint if the recipient is the router. */
    readonly hint: string;
  };
  /** Signature that the function spends. */
  readonly signed?: {
    /** Path of the account that signs; `@caller`, or `@unknown` if the signature determines it. */
    readonly by: string;
    /** Whether only the account that the signature names can use it. */
    readonly isBound?: true;
    /** Whether the function succeeds if the signature is already used. */
    readonly isOptional?: true;
    /** Path of the signature's bytes, if the function needs no signature without them. */
    readonly bytes?: string;
  };
  /** Whether the function credits a position to its caller, and takes a token that its arguments do not contain. */
  readonly creditsCaller?: true;
  /** Whether the effects are unknown, because other contracts have a function with this signature. */
  readonly isOpaque?: true;
}

export interface ProtocolFamily {
  readonly name: string;
  /** Structs in the signatures. */
  readonly structs?: readonly string[];
  /** How the contract treats recipients and takes tokens, if it is a public router. */
  readonly router?: SwapRouterRules;
  readonly functions: readonly KnownFunction[];
}
