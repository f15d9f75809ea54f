import type { FastifyRequest } from "fastify";

import { isObject } from "@crosscall/protocol/schema";
import { rejectField, RejectionError } from "../../market/rejection.ts";

/** Normalizes a value. Returns undefined for a field that stays missing. */
type Normalize = (value: unknown, field: string) => unknown;

/** Functions that normalize each field of an object, or of every item of a list. */
interface FieldTable {
  readonly [field: string]: Normalize | FieldTable;
}

/**
 * Fields that callers of the live service send as text or as JSON numbers. Amounts and whole numbers can also be
 * hexadecimal text.
 */
const FIELDS: FieldTable = {
  originChainId: toWholeNumber,
  destinationChainId: toWholeNumber,
  amount: toAmount,
  topupGasAmount: toAmount,
  maxSubsidizationAmount: toAmount,
  slippageTolerance: toText,
  latePaymentSlippageTolerance: toText,
  appFees: { fee: toText },
  txsGasLimit: toWholeNumber,
  ttl: toWholeNumber,
  permitExpiry: toWholeNumber,
  maxRouteLength: toWholeNumber,
  // The live service's schema requires no value.
  txs: { value: (value, field) => (value === undefined ? "0" : toAmount(value, field)) },
  // Of POST /execute/swap/multi-input.
  origins: { chainId: toWholeNumber, amount: toAmount },
  // Of POST /execute.
  data: { chainId: toWholeNumber, value: toAmount },
  // Of POST /app-fees/{wallet}/claim.
  chainId: toWholeNumber,
  // Of POST /fast-fill.
  solverInputCurrencyAmount: toAmount,
};

/**
 * Converts amounts and basis points in a body to decimal text, and whole numbers to numbers. Keeps other values unchanged,
 * so that the validation rejects them.
 *
 * @throws {@link RejectionError} for a number that JSON cannot represent exactly
 */
export function normalizeAmounts(body: unknown): unknown {
  return isObject(body) ? normalizeFields(FIELDS, body, "") : body;
}

/** Route `preValidation` hook that normalizes amounts and whole numbers in the body. */
export function normalizeBody(
  request: Pick<FastifyRequest, "body">,
  _reply: unknown,
  done: (refusal?: Error) => void,
): void {
  try {
    request.body = normalizeAmounts(request.body);
    done();
  } catch (error) {
    if (!(error instanceof RejectionError)) throw error;
    done(error);
  }
}

function normalizeFields(table: FieldTable, value: Readonly<Record<string, unknown>>, path: string): object {
  const changes = Object.entries(table).flatMap(([name, how]) => {
    const field = `${path}${name}`;
    const before = Object.hasOwn(value, name) ? value[name] : undefined;
    const after = typeof how === "function" ? how(before, field) : normalizeInner(how, before, field);
    return after === undefined ? [] : [[name, after] as const];
  });
  return { ...value, ...Object.fromEntries(changes) };
}

function normalizeInner(table: FieldTable, value: unknown, field: string): unknown {
  if (isObject(value)) return normalizeFields(table, value, `${field}.`);
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown, index) =>
    isObject(item) ? normalizeFields(table, item, `${field}[${index}].`) : item,
  );
}

function toAmount(value: unknown, field: string): unknown {
  const isHexNumber = typeof value === "string" && /^0x[0-9a-f]{1,64}$/iu.test(value);
  return isHexNumber ? BigInt(value).toString() : toText(value, field);
}

/** Converts text of a number that is exact. */
function toWholeNumber(value: unknown): unknown {
  return typeof value === "string" && /^(?:0x[0-9a-f]{1,13}|\d{1,15})$/iu.test(value) ? Number(value) : value;
}

/** JSON numbers with up to this many digits, without the zeros at the end, are exact. */
const EXACT_DIGITS = 15;

function toText(value: unknown, field: string): unknown {
  if (typeof value !== "number") return value;
  const text = String(value);
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return text;
  // Larger numbers have an exponent, which the live service does not read either.
  if (/^\d+$/u.test(text) && text.replace(/0+$/u, "").length <= EXACT_DIGITS) return text;
  throw rejectField(field, value, "is a number that JSON cannot represent exactly", "Pass it as a decimal string.");
}
