/** An error, or a part of one. Wallets and nodes wrap the same error in many ways. */
export interface ErrorLayer {
  /** Numbers, numbers as text, and names. */
  readonly codes: readonly (number | string)[];
  readonly name: string | undefined;
  readonly text: string;
  /** Whether it names a transaction, so that something was sent. */
  readonly hasTransaction: boolean;
}

/** Parts that hold another error: of EIP-1193, viem, ethers 5 and 6, MetaMask, and aggregate errors. */
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

/** `message` of viem and ethers 6 repeats the request, which others write; `shortMessage` does not. */
const TEXTS = ["shortMessage", "message", "details", "reason", "statusText", "error"] as const;

const TRANSACTION_FIELDS = ["transactionHash", "txHash", "hash", "sendTransactionHash", "receipt"] as const;

const LAYERS_MAX = 64;

const TEXT_MAX = 1_000;

/** The error and everything in it, outermost first. Cyclic errors end, and a property that throws counts as absent. */
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

/** Codes of JSON inside a text. */
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
