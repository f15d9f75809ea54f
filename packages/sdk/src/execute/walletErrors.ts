import { parseJson } from "@crosscall/protocol/schema";
import { UserRejectedError } from "./executionErrors.ts";

/** Signs of an error. Wallets and nodes report the same error as a code, as a name, or only in their own words. */
export interface ErrorSigns {
  readonly codes?: readonly number[];
  readonly names?: readonly string[];
  readonly words?: readonly RegExp[];
}

/** Reports that the user rejected a request. */
const REJECTION: ErrorSigns = {
  // EIP-1193; WalletConnect and CAIP-25; Ledger: conditions of use not satisfied, refused on the device.
  codes: [4_001, 5_000, 5_001, 5_002, 5_003, 0x6985, 0x5501],
  names: [
    // ethers and this kit.
    "ACTION_REJECTED",
    "USER_REJECTED",
    // Ledger.
    "6985",
    "5501",
    "UserRefusedOnDevice",
    "TransactionRefusedOnDevice",
    "RefusedByUserDAError",
    // Trezor.
    "Failure_ActionCancelled",
    "Failure_PinCancelled",
    "Method_Cancel",
    "Method_PermissionsNotGranted",
    // viem.
    "UserRejectedRequestError",
    // WebAuthn: passkeys report a closed prompt only by this name.
    "NotAllowedError",
  ],
  words: [
    /\b(?:users?|you)[\s_-]*(?:has\s+|have\s+)?(?:reject|den(?:y|ied|ies)|declin|cancel|refus|abort|disapprov|dismiss|closed?\b|exited)/iu,
    /\b(?:reject|deni|declin|cancel|refus|disapprov|dismiss|clos|abort)[a-z]*[\s_]+(?:by|from)[\s_]+(?:the\s+|your\s+)?(?:user|signer|owner|device|customer)/iu,
    /\buser\s+(?:did not|didn't)\s+(?:approve|confirm|accept|sign)/iu,
    /\bdenied (?:transaction|message|account|typed data)\b/iu,
    /\(0x(?:6985|5501)\)/iu,
    /#tx_canceled\b/iu,
    /\bconditions? of use not satisfied/iu,
  ],
};

/** Rejections that match only a whole line, because in a longer text these words can come from a node. */
const REJECTED_LINE =
  /^(?:error: )?(?:(?:the )?(?:signature |signing |sign )?request (?:was )?(?:rejected|declined|denied|cancell?ed)|(?:the )?transaction was (?:rejected|declined|denied|cancell?ed)|transaction (?:declined|denied|cancell?ed)|(?:message |transaction )?sign(?:ing|ature)? (?:was )?(?:rejected|declined|denied|cancell?ed)|(?:action )?cancell?ed|cancel|popup closed)[.!]?$/iu;

/** Reports that a wallet or node does not support a method or a requested feature. It performed no action. */
const UNSUPPORTED: ErrorSigns = {
  codes: [
    // EIP-1474 and EIP-1193.
    -32_601, -32_004, 4_200,
    // EIP-5792: unsupported capability, chain, size, account upgrade, and atomicity.
    5_700, 5_710, 5_740, 5_750, 5_760,
    // WalletConnect: unauthorized or unsupported methods.
    3_001, 5_101, 10_001,
  ],
  // ethers.
  names: ["UNSUPPORTED_OPERATION", "NOT_IMPLEMENTED"],
  words: [
    /\bmethod\b.{0,80}\b(?:not found|(?:does not|doesn't) exist|(?:is |was )?not (?:currently )?(?:supported|available|implemented|allowed|enabled|whitelisted|recognized))/imu,
    /\b(?:unsupported|unknown|unrecognized|invalid|unimplemented)\s+(?:json-?rpc\s+|rpc\s+|wc_\s+|provider\s+)?method/imu,
    /\b(?:eth|wallet|personal|net|web3)_\w+\W{0,3}\s*(?:is |was )?(?:not (?:supported|available|implemented|allowed|found)|unsupported|(?:does not|doesn't) exist)/imu,
    /\b(?:does not|doesn't|cannot|can't) (?:support|implement|handle)\b.{0,40}\b(?:method|(?:eth|wallet|personal)_\w+)/imu,
    /\bno (?:handler|middleware|provider)\b.{0,40}\bmethod\b/imu,
    /^(?:error: )?not (?:implemented|supported)\b/imu,
    // Texts from wallets without a code for unsupported bundles.
    /\b(?:batch|bundle|atomic|eip-?5792|eip-?7702)\w*\b.{0,40}\b(?:not (?:yet )?supported|unsupported)/imu,
    /\b(?:does not|doesn't|cannot|can't) (?:support|send|execute)\b.{0,40}\b(?:batch|bundle|atomic|calls\b)/imu,
    /\bunsupported contract\b|\buntagged enum\b|\bmissing or invalid\. request\(\)/imu,
  ],
};

/** Reports of a transaction that a wallet or node rejected and never sent. */
const UNSENT: ErrorSigns = {
  // Invalid request and parameters; unauthorized request; unknown chain; WalletConnect: unsupported chains.
  codes: [-32_600, -32_602, 4_100, 4_902, 5_100],
  // ethers.
  names: ["INSUFFICIENT_FUNDS", "NONCE_EXPIRED", "REPLACEMENT_UNDERPRICED", "INVALID_ARGUMENT"],
  words: [
    /\binsufficient ?(?:funds|balance)\b|\bnot enough (?:funds|balance|gas)\b|\bbalance (?:is )?(?:too low|not enough)/iu,
    /\bintrinsic gas\b|\bgas (?:limit )?(?:is )?too (?:low|high)|\bexceeds block gas limit|\bgas required exceeds\b|\bout of gas\b|\bgas uint64 overflow/iu,
    /\bnonce (?:is )?too (?:low|high)|\bnonce has already been used|\binvalid nonce|\bOldNonce\b|\bNonceGap\b/iu,
    /\bunderpriced\b|\b(?:max )?fee per gas less than block base fee|\bmax priority fee per gas higher than|\bfee cap (?:less|lower)|\btx fee \(.*\) exceeds the configured cap|\bgas price (?:is )?(?:too low|below)|\bFeeTooLow\b/iu,
    // "Missing or invalid parameters" is viem's text for any error with code -32000.
    /(?<!missing or )\binvalid (?:params|parameters|argument|sender|chain id|signature|transaction)/iu,
    /\bexecution reverted\b|\btransaction type not supported|\boversized data|\bexceeds (?:the )?max(?:imum)? (?:init ?code|transaction) size/iu,
    /\bunrecognized chain|\bunsupported chain|\bunknown account\b/iu,
  ],
};

/** Errors after which a transaction may have been sent: the response was lost, or the node has the transaction. */
const UNCERTAIN: ErrorSigns = {
  names: [
    "TIMEOUT",
    "NETWORK_ERROR",
    "CANCELLED",
    "TRANSACTION_REPLACED",
    "TIMED_OUT",
    "ABORTED",
    "HttpRequestError",
    "WebSocketRequestError",
    "SocketClosedError",
    "TimeoutError",
    "AbortError",
  ],
  words: [
    /\balready ?(?:known|imported|in\b|exists)|\bknown transaction|\btime(?:d)?[ -]?out\b|\bdeadline exceeded\b|\bfailed to fetch|\bfetch failed|\bnetwork (?:error|request failed)|\bsocket\b|\bECONN\w+|\bconnection (?:was )?(?:lost|closed|reset|refused|interrupted)|\blost connection|\bsession (?:was )?(?:disconnected|expired|deleted|closed)|\buser aborted a request|\brequest expired/iu,
  ],
};

/**
 * Whether the user rejected a request. Libraries wrap the wallet's error. A missing feature is not a rejection, even if
 * the wallet reports a rejected upgrade of the account.
 */
export function isUserRejection(error: unknown): boolean {
  return isRejection(errorLayers(error));
}

/** Whether the wallet or the node does not support the method or a requested feature, and performed no action. */
export function isUnsupportedMethod(error: unknown): boolean {
  return isUnsupported(errorLayers(error));
}

/**
 * Whether the response proves that nothing was sent. False for a lost response, an unknown error, and a transaction
 * that the node already has, which may have been sent.
 */
export function isDefinitelyUnsent(error: unknown): boolean {
  const layers = errorLayers(error);
  if (isRejection(layers)) return true;
  if (layers.some(({ hasTransaction }) => hasTransaction) || isUncertain(error)) return false;
  return isUnsupported(layers) || hasSigns(layers, UNSENT);
}

/** Whether the response was lost, or the node already has the transaction. */
export function isUncertain(error: unknown): boolean {
  return hasSign(error, UNCERTAIN);
}

/**
 * Runs a prompt.
 * @throws {@link UserRejectedError} when the user rejects the prompt
 */
export async function askUser<Result>(stepId: string, ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (cause) {
    if (isUserRejection(cause)) throw new UserRejectedError({ stepId, cause });
    throw cause;
  }
}

function isRejection(layers: readonly ErrorLayer[]): boolean {
  if (layers.some(({ hasTransaction }) => hasTransaction)) return false;
  if (hasCode(layers, REJECTION)) return true;
  if (hasCode(layers, UNSUPPORTED) || hasCode(layers, UNCERTAIN)) return false;
  // A contract can revert with any text.
  if (layers.some(({ text }) => /\brevert/iu.test(text))) return false;
  return layers.some(({ text }) => {
    const isRejected = hasWords(text, REJECTION) || text.split("\n").some((line) => REJECTED_LINE.test(line.trim()));
    return isRejected && !hasWords(text, UNCERTAIN);
  });
}

function isUnsupported(layers: readonly ErrorLayer[]): boolean {
  return !hasCode(layers, REJECTION) && hasSigns(layers, UNSUPPORTED);
}

/** Whether an error, or a nested error, has one of the signs. */
export function hasSign(error: unknown, signs: ErrorSigns): boolean {
  return hasSigns(errorLayers(error), signs);
}

function hasSigns(layers: readonly ErrorLayer[], signs: ErrorSigns): boolean {
  return hasCode(layers, signs) || layers.some(({ text }) => hasWords(text, signs));
}

function hasCode(layers: readonly ErrorLayer[], { codes = [], names = [] }: ErrorSigns): boolean {
  const known: readonly unknown[] = [...codes, ...names];
  return layers.some((layer) => layer.codes.some((code) => known.includes(code)));
}

function hasWords(text: string, { words = [] }: ErrorSigns): boolean {
  return words.some((word) => word.test(text));
}

/** Error, or a part of an error. Wallets and nodes wrap the same error in many ways. */
export interface ErrorLayer {
  /** Codes and name. Codes are numbers and text. */
  readonly codes: readonly (number | string)[];
  readonly text: string;
  /** Whether the error contains a transaction, so that one was sent. */
  readonly hasTransaction: boolean;
}

/** Properties that contain another error: of EIP-1193, viem, ethers 5 and 6, MetaMask, and aggregate errors. */
const PARTS = "cause error errors data info originalError inner innerError reason details body".split(" ");

const CODES = ["code", "statusCode", "errorCode", "status", "name"];

const TEXTS = ["shortMessage", "message", "details", "reason", "statusText", "error"];

const TRANSACTION_FIELDS = ["transactionHash", "txHash", "hash", "sendTransactionHash", "receipt"];

const LAYERS_MAX = 64;

const TEXT_MAX = 1_000;

/** Lists the error and all nested errors, outermost first. Stops at cycles, and ignores properties that throw. */
export function errorLayers(error: unknown): ErrorLayer[] {
  const layers: ErrorLayer[] = [];
  const seen = new Set<unknown>();
  const queue: unknown[] = [error];
  while (queue.length > 0 && seen.size < LAYERS_MAX) {
    const part = queue.shift();
    if (seen.has(part)) continue;
    seen.add(part);
    if (typeof part === "string") {
      const parsed = /^\s*[[{]/u.test(part) ? parseJson(part) : undefined;
      if (parsed === undefined) layers.push({ codes: codesIn(part), text: cut(part), hasTransaction: false });
      else queue.push(parsed);
    } else if (Array.isArray(part)) {
      queue.push(...(part as unknown[]).slice(0, LAYERS_MAX));
    } else if (typeof part === "object" && part !== null) {
      layers.push(readLayer(part));
      queue.push(...PARTS.map((name) => readField(part, name)));
    }
  }
  return layers;
}

function readLayer(part: object): ErrorLayer {
  // In viem and ethers 6, `message` repeats the request, which can contain unrelated text; `shortMessage` does not.
  const hasShort = typeof readField(part, "shortMessage") === "string";
  const texts = TEXTS.filter((name) => !hasShort || name !== "message")
    .map((name) => readField(part, name))
    .filter((value) => typeof value === "string")
    .map(cut);
  return {
    codes: [...CODES.flatMap((field) => codesOf(readField(part, field))), ...texts.flatMap(codesIn)],
    text: texts.join("\n"),
    hasTransaction: TRANSACTION_FIELDS.some((field) => isTransaction(readField(part, field))),
  };
}

function codesOf(code: unknown): (number | string)[] {
  if (typeof code === "number") return [code];
  if (typeof code !== "string") return [];
  return /^(?:-?\d+|0x[\da-f]+)$/iu.test(code) ? [Number(code), code] : [code];
}

/** Finds codes in JSON within a text. */
function codesIn(text: string): number[] {
  return [...text.matchAll(/"code"\s*:\s*"?(-?\d+)/gu)].map(([, code]) => Number(code));
}

function isTransaction(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return true;
  return typeof value === "string" && /^0x[0-9a-f]{64}$/iu.test(value);
}

function readField(part: object, name: string): unknown {
  try {
    return Reflect.get(part, name);
  } catch {
    return undefined;
  }
}

function cut(text: string): string {
  return text.slice(0, TEXT_MAX);
}
