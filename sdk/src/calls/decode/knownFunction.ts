/**
 * What the kit knows of a function beyond its ABI: whose tokens it takes and who gets what comes of it. Values are named
 * by their path among the arguments: `params.tokenIn`, `amounts.*`. `first:` and `last:` stand before a path of swaps,
 * whether an array or packed bytes. Words with `@` stand for what no argument says: `@target` is the contract called,
 * `@caller` whoever calls it, `@native` the native currency, `@balance` all that the caller has, `@nft` what
 * no balance counts, `@value` the native that comes with the call, `@unknown` the rest.
 */
export interface KnownFunction {
  /** As `parseAbi` reads it, every parameter named. */
  readonly signature: string;
  /** Of which token each amount is, beside what `takes` says. */
  readonly amounts?: Readonly<Record<string, string>>;
  /** What it takes from its caller; by the caller's approval, unless it is the target's own token. */
  readonly takes?: {
    readonly token: string;
    /** A path that ends in `.*` is one take for each amount that is not zero. */
    readonly amount: string;
    /** Whether it may take less than the amount. */
    readonly isMaximum?: boolean;
  };
  /** What it gives to whom. */
  readonly gives?: {
    readonly token: string;
    readonly recipient: string;
    /** How much, where that is certain. */
    readonly amount?: string;
    /** Whether it can be the native currency too, where no argument says the token. */
    readonly isPerhapsNative?: boolean;
    /** What to do where that is the router. */
    readonly hint: string;
  };
}

/** Functions that belong together. */
export interface ProtocolFamily {
  readonly name: string;
  /** Structs that the signatures use. */
  readonly structs?: readonly string[];
  readonly functions: readonly KnownFunction[];
}
