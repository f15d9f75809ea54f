import type { JSONColumnType, Selectable } from "kysely";

/** What a holder signs so that the service takes the input of a request. */
export interface StoredPermit {
  readonly kind: "eip3009" | "eip2612" | "permit2";
  readonly chainId: number;
  readonly token: string;
  readonly owner: string;
  /** Smallest unit, decimal. */
  readonly amount: string;
  /** 32 bytes for EIP-3009, else decimal. */
  readonly nonce: string;
  /** Unix seconds; EIP-3009 excludes it. */
  readonly deadline: number;
  /** Of the EIP-712 domain; Permit2 has no version. */
  readonly domain: { readonly name: string; readonly version?: string };
  /** Of a request on one chain, which the permit executes. */
  readonly execution?: PermitExecution;
}

/** What a router does with the input. */
export interface PermitExecution {
  readonly calls: readonly { readonly to: string; readonly data: string }[];
  /** Receives native currency that is left over, and NFTs. */
  readonly refundTo: string;
  /** Names the request. */
  readonly metadata: string;
}

export interface PermitTable {
  readonly request_id: string;
  readonly permit: JSONColumnType<StoredPermit, string, never>;
  /** Null until the holder posts it. */
  signature: string | null;
}

export interface StoredAuthorization {
  readonly chainId: number;
  readonly address: string;
  readonly nonce: number;
  readonly yParity: number;
  readonly r: string;
  readonly s: string;
}

/** A call that the service sends for a user. */
export interface StoredCall {
  readonly chainId: number;
  readonly to: string;
  readonly data: string;
  /** EIP-7702. */
  readonly authorizationList?: readonly StoredAuthorization[];
}

export interface ExecutionTable {
  readonly request_id: string;
  /** Whose balance pays the gas of a sponsored execution. */
  readonly api_key_hash: string;
  readonly call: JSONColumnType<StoredCall, string, never>;
  readonly is_sponsored: boolean;
}

export type PermitRow = Selectable<PermitTable>;

export type ExecutionRow = Selectable<ExecutionTable>;
