import { InvalidInputError } from "@crosscall/protocol/core";
import { encodeSvmTransaction, NO_SIGNATURE, readSvmTransaction } from "./svmMessage.ts";

/** Transaction in the format of `@solana/kit`. */
export interface SvmUnsignedTransaction {
  readonly messageBytes: ArrayLike<number>;
  readonly signatures: Readonly<Record<string, ArrayLike<number> | null>>;
  /** `blockhash` and `lastValidBlockHeight`, a bigint. */
  readonly lifetimeConstraint?: object;
}

/** Signer of `@solana/kit` that does not change transactions, such as a key pair signer. */
export interface SvmTransactionsSigner {
  readonly address: string;
  /** Returns the signatures by address. */
  signTransactions(transactions: readonly SvmUnsignedTransaction[]): Promise<readonly object[]>;
}

/** Signer of `@solana/kit` that may add instructions, such as a `TransactionModifyingSigner`. */
export interface SvmModifyingSigner {
  readonly address: string;
  /** Returns the signed transactions. */
  modifyAndSignTransactions(
    transactions: readonly SvmUnsignedTransaction[],
  ): Promise<readonly Pick<SvmUnsignedTransaction, "messageBytes" | "signatures">[]>;
}

/** Signer of `@solana/kit` that sends transactions itself, a `TransactionSendingSigner`. */
export interface SvmSendingSigner {
  readonly address: string;
  /** Returns the signatures that identify the transactions. */
  signAndSendTransactions(transactions: readonly SvmUnsignedTransaction[]): Promise<readonly ArrayLike<number>[]>;
}

/** Wallet that signs serialized transactions. It may add instructions. */
export interface SvmBytesSigner {
  readonly address: string;
  /** Returns the signed transaction. */
  signTransaction(transaction: Uint8Array): Promise<Uint8Array>;
}

/** Wallet of the wallet standard, and one of its accounts. */
export interface SvmStandardWallet {
  /** Has the feature `solana:signTransaction`, or else `solana:signAndSendTransaction`. */
  readonly wallet: { readonly features: object };
  readonly account: { readonly address: string; readonly features: readonly string[] };
}

/** Signer that returns the transaction for the SDK to send, if a standard wallet can sign without sending. */
export type SvmSigner = SvmTransactionsSigner | SvmModifyingSigner | SvmBytesSigner | SvmStandardWallet;

/** Transaction to sign. */
export interface SvmRequest {
  readonly message: Uint8Array;
  /** In the order of the accounts; zeros for those that are missing. */
  readonly signatures: readonly Uint8Array[];
  readonly signers: readonly string[];
  readonly blockhash: string;
  readonly lastValidBlockHeight: number;
}

/** Signer that leaves sending to the SDK. */
export interface SigningSigner {
  readonly kind: "signs";
  readonly address: string;
  /** Returns the signed transaction, which the wallet can have changed. */
  readonly sign: (request: SvmRequest) => Promise<Uint8Array>;
}

/** Signer that also sends. */
export interface SendingSigner {
  readonly kind: "sends";
  readonly address: string;
  /** Returns the signature that identifies the transaction. */
  readonly send: (request: SvmRequest) => Promise<Uint8Array>;
}

/**
 * Opens a signer. Of several interfaces, it uses one that leaves sending to the SDK, because the SDK then knows the
 * transaction before it is sent.
 *
 * @throws {@link InvalidInputError} when the value is not a signer
 */
export function openSigner(signer: SvmSigner | SvmSendingSigner, field: string): SigningSigner | SendingSigner {
  if ("wallet" in signer) return openStandardWallet(signer, field);
  const { address } = signer;
  if ("signTransactions" in signer) {
    return {
      kind: "signs",
      address,
      async sign(request) {
        const [added = {}] = await signer.signTransactions([toKit(request)]);
        return assemble(request, (one, index) => signatureIn(added, one) ?? request.signatures[index]);
      },
    };
  }
  if ("modifyAndSignTransactions" in signer) {
    return {
      kind: "signs",
      address,
      async sign(request) {
        const [signed] = await signer.modifyAndSignTransactions([toKit(request)]);
        const message = Uint8Array.from(signed?.messageBytes ?? []);
        // Its signatures are by address, so the message shows their order.
        const signers = readSvmTransaction(encodeSvmTransaction(signaturesFor(message), message))?.signers ?? [];
        return assemble({ message, signers }, (one) => signatureIn(signed?.signatures ?? {}, one));
      },
    };
  }
  if ("signTransaction" in signer) {
    const sign = async (request: SvmRequest) => Uint8Array.from(await signer.signTransaction(toBytes(request)));
    return { kind: "signs", address, sign };
  }
  if ("signAndSendTransactions" in signer) {
    const send = async (request: SvmRequest) =>
      Uint8Array.from((await signer.signAndSendTransactions([toKit(request)]))[0] ?? []);
    return { kind: "sends", address, send };
  }
  throw invalidSigner(field, address, "it has none of the methods of a signer");
}

/** Chain of the wallet standard. */
const CHAIN = "solana:mainnet";

const SIGN = "solana:signTransaction";

const SEND = "solana:signAndSendTransaction";

type StandardMethod = (input: object) => Promise<readonly object[]>;

function openStandardWallet({ wallet, account }: SvmStandardWallet, field: string): SigningSigner | SendingSigner {
  const { address } = account;
  const methodOf = (feature: string, name: string): StandardMethod | undefined => {
    const found: unknown = account.features.includes(feature) ? Reflect.get(wallet.features, feature) : undefined;
    const { supportedTransactionVersions: versions = [], [name]: method } = { ...(found as Record<string, unknown>) };
    if (typeof method !== "function" || !Array.isArray(versions) || !versions.includes(0)) return undefined;
    return (input) => (method as StandardMethod).call(found, input);
  };
  const run = async (method: StandardMethod, result: string, request: SvmRequest): Promise<Uint8Array> => {
    const [output = {}] = await method({ account, chain: CHAIN, transaction: toBytes(request) });
    return Uint8Array.from((Reflect.get(output, result) as ArrayLike<number> | undefined) ?? []);
  };
  const sign = methodOf(SIGN, "signTransaction");
  if (sign !== undefined) {
    return { kind: "signs", address, sign: (request) => run(sign, "signedTransaction", request) };
  }
  const send = methodOf(SEND, "signAndSendTransaction");
  if (send !== undefined) return { kind: "sends", address, send: (request) => run(send, "signature", request) };
  throw invalidSigner(field, address, `its account has neither ${SIGN} nor ${SEND} for transactions of version 0`);
}

function invalidSigner(field: string, value: string, reason: string): InvalidInputError {
  const hint =
    "Pass a signer of `@solana/kit`, `{address, signTransaction}`, or `{wallet, account}` of the wallet standard.";
  return new InvalidInputError({ field, value, reason, hint });
}

function toKit({ message, signatures, signers, blockhash, lastValidBlockHeight }: SvmRequest): SvmUnsignedTransaction {
  const entries = signers.map((address, index) => {
    const signature = signatures[index] ?? NO_SIGNATURE;
    return [address, isSignature(signature) ? signature : null] as const;
  });
  return {
    messageBytes: message,
    signatures: Object.fromEntries(entries),
    lifetimeConstraint: { blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) },
  };
}

function toBytes({ message, signatures }: SvmRequest): Uint8Array {
  return encodeSvmTransaction(signatures, message);
}

function assemble(
  { message, signers }: Pick<SvmRequest, "message" | "signers">,
  signatureOf: (address: string, index: number) => Uint8Array | undefined,
): Uint8Array {
  return encodeSvmTransaction(
    signers.map((address, index) => signatureOf(address, index) ?? NO_SIGNATURE),
    message,
  );
}

function signatureIn(signatures: object, address: string): Uint8Array | undefined {
  const signature = Reflect.get(signatures, address) as ArrayLike<number> | null | undefined;
  return signature === null || signature === undefined ? undefined : Uint8Array.from(signature);
}

/** Returns as many empty signatures as the message requires. */
function signaturesFor(message: Uint8Array): Uint8Array[] {
  return Array.from({ length: message[1] ?? 0 }, () => NO_SIGNATURE);
}

/** Whether a signature is not empty. */
export function isSignature(signature: Uint8Array): boolean {
  return signature.some((byte) => byte !== 0);
}
