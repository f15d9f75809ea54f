/**
 * Effects of a function on tokens. Values are paths in the arguments: `params.tokenIn`, `amounts.*`. `first:` and
 * `last:` select from a swap path, an array or packed bytes. Words with `@` are not arguments: `@target` the called
 * contract, `@caller` its caller, `@puller` the push executor's puller, `@native` native currency, `@balance` the
 * caller's whole balance, `@nft` an NFT, `@value` the call's value, `@unknown` anything else.
 */
export interface KnownFunction {
  /** Signature for `parseAbi`, with names for all parameters. */
  readonly signature: string;
  /** Name of the bytes after the arguments, which are listed as the last argument. */
  readonly rest?: string;
  /** Tokens of amounts, in addition to `takes`. */
  readonly amounts?: Readonly<Record<string, string>>;
  /** Tokens taken from the caller by approval, unless the token is the target itself. */
  readonly takes?: {
    readonly token: string;
    /** `@target` by default. */
    readonly spender?: "@puller";
    /** A path that ends in `.*` means one take per non-zero amount. */
    readonly amount: string;
    /** Whether the function can take less. */
    readonly isMaximum?: boolean;
  };
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
}

export interface ProtocolFamily {
  readonly name: string;
  /** Structs in the signatures. */
  readonly structs?: readonly string[];
  readonly functions: readonly KnownFunction[];
}
