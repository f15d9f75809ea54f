import { UserRejectedError } from "./executionErrors.ts";

/** Ways in which wallets report that the user rejected a request. */
const REJECTION = {
  codes: new Set<unknown>([
    // EIP-1193.
    4_001,
    // WalletConnect and CAIP-25: rejected request, chains, methods and events.
    5_000,
    5_001,
    5_002,
    5_003,
    // ethers.
    "ACTION_REJECTED",
    // This kit.
    "USER_REJECTED",
    // Ledger: conditions of use not satisfied (0x6985), refused on the device (0x5501).
    0x6985,
    0x5501,
    "6985",
    "5501",
    "0x6985",
    "0x5501",
    // Trezor.
    "Failure_ActionCancelled",
    "Failure_PinCancelled",
    "Method_Cancel",
    "Method_PermissionsNotGranted",
  ]),
  names: new Set<unknown>([
    "UserRejectedRequestError",
    "UserRefusedOnDevice",
    "TransactionRefusedOnDevice",
    "RefusedByUserDAError",
    // WebAuthn: passkeys report a closed prompt only by this name.
    "NotAllowedError",
  ]),
  /** Pattern that matches anywhere in the text. */
  words: new RegExp(
    [
      String.raw`\b(?:users?|you)[\s_-]*(?:has\s+|have\s+)?(?:reject|den(?:y|ied|ies)|declin|cancel|refus|abort|disapprov|dismiss|closed?\b|exited)`,
      String.raw`\b(?:reject|deni|declin|cancel|refus|disapprov|dismiss|clos|abort)[a-z]*[\s_]+(?:by|from)[\s_]+(?:the\s+|your\s+)?(?:user|signer|owner|device|customer)`,
      String.raw`\buser\s+(?:did not|didn't)\s+(?:approve|confirm|accept|sign)`,
      String.raw`\bdenied (?:transaction|message|account|typed data)\b`,
      String.raw`\(0x(?:6985|5501)\)`,
      String.raw`#tx_canceled\b`,
      String.raw`\bconditions? of use not satisfied`,
    ].join("|"),
    "iu",
  ),
  /** Pattern that matches only the whole text, because in a longer text these words can come from a node. */
  wholeText:
    /^(?:error: )?(?:(?:the )?(?:signature |signing |sign )?request (?:was )?(?:rejected|declined|denied|cancell?ed)|(?:the )?transaction was (?:rejected|declined|denied|cancell?ed)|transaction (?:declined|denied|cancell?ed)|(?:message |transaction )?sign(?:ing|ature)? (?:was )?(?:rejected|declined|denied|cancell?ed)|(?:action )?cancell?ed|cancel|popup closed)[.!]?$/iu,
} as const;

/**
 * Ways in which wallets and nodes report that they do not support a method or a requested feature. They performed no
 * action.
 */
const UNSUPPORTED = {
  codes: new Set<unknown>([
    // EIP-1474 and EIP-1193.
    -32_601,
    -32_004,
    4_200,
    // EIP-5792: unsupported capability, chain, size, account upgrade, and atomicity.
    5_700,
    5_710,
    5_740,
    5_750,
    5_760,
    // WalletConnect: unauthorized or unsupported methods.
    3_001,
    5_101,
    10_001,
    // ethers.
    "UNSUPPORTED_OPERATION",
    "NOT_IMPLEMENTED",
  ]),
  words: new RegExp(
    [
      String.raw`\bmethod\b.{0,80}\b(?:not found|(?:does not|doesn't) exist|(?:is |was )?not (?:currently )?(?:supported|available|implemented|allowed|enabled|whitelisted|recognized))`,
      String.raw`\b(?:unsupported|unknown|unrecognized|invalid|unimplemented)\s+(?:json-?rpc\s+|rpc\s+|wc_\s+|provider\s+)?method`,
      String.raw`\b(?:eth|wallet|personal|net|web3)_\w+\W{0,3}\s*(?:is |was )?(?:not (?:supported|available|implemented|allowed|found)|unsupported|(?:does not|doesn't) exist)`,
      String.raw`\b(?:does not|doesn't|cannot|can't) (?:support|implement|handle)\b.{0,40}\b(?:method|(?:eth|wallet|personal)_\w+)`,
      String.raw`\bno (?:handler|middleware|provider)\b.{0,40}\bmethod\b`,
      String.raw`^(?:error: )?not (?:implemented|supported)\b`,
      // Texts from wallets without a code for unsupported bundles.
      String.raw`\b(?:batch|bundle|atomic|eip-?5792|eip-?7702)\w*\b.{0,40}\b(?:not (?:yet )?supported|unsupported)`,
      String.raw`\b(?:does not|doesn't|cannot|can't) (?:support|send|execute)\b.{0,40}\b(?:batch|bundle|atomic|calls\b)`,
      String.raw`\bunsupported contract\b|\buntagged enum\b|\bmissing or invalid\. request\(\)`,
    ].join("|"),
    "imu",
  ),
} as const;

/** Ways in which wallets and nodes report a transaction that they rejected and never sent. */
const UNSENT = {
  codes: new Set<unknown>([
    // Invalid request and parameters.
    -32_600,
    -32_602,
    // Unauthorized request, and unknown chain.
    4_100,
    4_902,
    // WalletConnect: unsupported chains.
    5_100,
    // ethers.
    "INSUFFICIENT_FUNDS",
    "NONCE_EXPIRED",
    "REPLACEMENT_UNDERPRICED",
    "INVALID_ARGUMENT",
  ]),
  words: new RegExp(
    [
      String.raw`\binsufficient ?(?:funds|balance)\b|\bnot enough (?:funds|balance|gas)\b|\bbalance (?:is )?(?:too low|not enough)`,
      String.raw`\bintrinsic gas\b|\bgas (?:limit )?(?:is )?too (?:low|high)|\bexceeds block gas limit|\bgas required exceeds\b|\bout of gas\b|\bgas uint64 overflow`,
      String.raw`\bnonce (?:is )?too (?:low|high)|\bnonce has already been used|\binvalid nonce|\bOldNonce\b|\bNonceGap\b`,
      String.raw`\bunderpriced\b|\b(?:max )?fee per gas less than block base fee|\bmax priority fee per gas higher than|\bfee cap (?:less|lower)|\btx fee \(.*\) exceeds the configured cap|\bgas price (?:is )?(?:too low|below)|\bFeeTooLow\b`,
      // "Missing or invalid parameters" is viem's text for any error with code -32000.
      String.raw`(?<!missing or )\binvalid (?:params|parameters|argument|sender|chain id|signature|transaction)`,
      String.raw`\bexecution reverted\b|\btransaction type not supported|\boversized data|\bexceeds (?:the )?max(?:imum)? (?:init ?code|transaction) size`,
      String.raw`\bunrecognized chain|\bunsupported chain|\bunknown account\b`,
    ].join("|"),
    "iu",
  ),
} as const;

/**
 * Errors after which the transaction may have been sent: the response was lost, or the node already has the
 * transaction.
 */
const UNCERTAIN = {
  codes: new Set<unknown>(["TIMEOUT", "NETWORK_ERROR", "CANCELLED", "TRANSACTION_REPLACED", "TIMED_OUT", "ABORTED"]),
  names: new Set<unknown>([
    "HttpRequestError",
    "WebSocketRequestError",
    "SocketClosedError",
    "TimeoutError",
    "AbortError",
  ]),
  words:
    /\balready ?(?:known|imported|in\b|exists)|\bknown transaction|\btime(?:d)?[ -]?out\b|\bdeadline exceeded\b|\bfailed to fetch|\bfetch failed|\bnetwork (?:error|request failed)|\bsocket\b|\bECONN\w+|\bconnection (?:was )?(?:lost|closed|reset|refused|interrupted)|\blost connection|\bsession (?:was )?(?:disconnected|expired|deleted|closed)|\buser aborted a request|\brequest expired/iu,
} as const;

/**
 * Whether the user rejected a request. Wallets report a rejection as a code, only as a message, or as a string, and
 * libraries wrap it. A missing feature is not a rejection, even if the wallet reports a rejected upgrade of the
 * account.
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
  if (layers.some((layer) => layer.hasTransaction || matches(layer, UNCERTAIN))) return false;
  return isUnsupported(layers) || layers.some((layer) => matches(layer, UNSENT));
}

/** Whether a node may already have the transaction. */
export function isPossiblySent(error: unknown): boolean {
  return errorLayers(error).some((layer) => matches(layer, UNCERTAIN));
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

interface Table {
  readonly codes: ReadonlySet<unknown>;
  readonly names?: ReadonlySet<unknown>;
  readonly words: RegExp;
}

function isRejection(layers: readonly ErrorLayer[]): boolean {
  if (layers.some(({ hasTransaction }) => hasTransaction)) return false;
  if (layers.some((layer) => hasCode(layer, REJECTION))) return true;
  if (layers.some((layer) => hasCode(layer, UNSUPPORTED) || hasCode(layer, UNCERTAIN))) return false;
  // A contract can revert with any text.
  if (layers.some(({ text }) => /\brevert/iu.test(text))) return false;
  return layers.some(
    ({ text }) =>
      (REJECTION.words.test(text) || text.split("\n").some((line) => REJECTION.wholeText.test(line.trim()))) &&
      !UNCERTAIN.words.test(text),
  );
}

function isUnsupported(layers: readonly ErrorLayer[]): boolean {
  return !layers.some((layer) => hasCode(layer, REJECTION)) && layers.some((layer) => matches(layer, UNSUPPORTED));
}

function matches(layer: ErrorLayer, table: Table): boolean {
  return hasCode(layer, table) || table.words.test(layer.text);
}

function hasCode({ codes, name }: ErrorLayer, { codes: known, names }: Table): boolean {
  return codes.some((code) => known.has(code)) || (name !== undefined && names?.has(name) === true);
}

/** Error, or a part of an error. Wallets and nodes wrap the same error in many ways. */
export interface ErrorLayer {
  /** Codes as numbers, text and names. */
  readonly codes: readonly (number | string)[];
  readonly name: string | undefined;
  readonly text: string;
  /** Whether the error contains a transaction, so that one was sent. */
  readonly hasTransaction: boolean;
}

/** Properties that contain another error: of EIP-1193, viem, ethers 5 and 6, MetaMask, and aggregate errors. */
const PARTS = [
  "cause",
  "error",
  "errors",
  "data",
  "info",
  "originalError",
  "inner",
  "innerError",
  "reason",
  "details",
  "body",
] as const;

const CODES = ["code", "statusCode", "errorCode", "status"] as const;

/** `message` in viem and ethers 6 repeats the request, which can contain unrelated text; `shortMessage` does not. */
const TEXTS = ["shortMessage", "message", "details", "reason", "statusText", "error"] as const;

const TRANSACTION_FIELDS = ["transactionHash", "txHash", "hash", "sendTransactionHash", "receipt"] as const;

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
      const parsed = parseObject(part);
      if (parsed === undefined)
        layers.push({ codes: codesIn(part), name: undefined, text: cut(part), hasTransaction: false });
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
  const fields = TEXTS.map((name) => [name, readField(part, name)] as const);
  const hasShort = fields.some(([name, value]) => name === "shortMessage" && typeof value === "string");
  const texts = fields.flatMap(([name, value]) =>
    typeof value === "string" && !(hasShort && name === "message") ? [cut(value)] : [],
  );
  const name = readField(part, "name");
  return {
    codes: [...CODES.flatMap((field) => codesOf(readField(part, field))), ...texts.flatMap(codesIn)],
    name: typeof name === "string" ? name : undefined,
    text: texts.join("\n"),
    hasTransaction: TRANSACTION_FIELDS.some((field) => isTransaction(readField(part, field))),
  };
}

function codesOf(code: unknown): (number | string)[] {
  if (typeof code === "number") return [code];
  if (typeof code !== "string") return [];
  return /^-?\d+$/u.test(code) ? [Number(code), code] : [code];
}

/** Finds codes in JSON within a text. */
function codesIn(text: string): number[] {
  return [...text.matchAll(/"code"\s*:\s*"?(-?\d+)/gu)].map(([, code]) => Number(code));
}

function isTransaction(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return true;
  return typeof value === "string" && /^0x[0-9a-f]{64}$/iu.test(value);
}

function parseObject(text: string): unknown {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
