import type { Call } from "@crosscall/protocol/common";
import type { QuoteProblem } from "@crosscall/protocol/quote";
import { PriceRequestSchema, type QuoteRequest, QuoteRequestSchema } from "@crosscall/protocol/quote/rules";
import { BITCOIN_CHAIN_ID, SVM_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";

/** A field of a request that this network ignores or rejects. */
export interface UnhonoredField extends QuoteProblem {
  /** Whether ignoring the field would change amounts or the result, so that the field is always rejected. */
  readonly isEssential: boolean;
}

interface Unsupported {
  /** Behavior of this network instead. */
  readonly behavior: string;
  readonly isEssential?: (request: QuoteRequest) => boolean;
  readonly isHonored?: (request: QuoteRequest) => boolean;
}

const always = () => true;

/** Fields of the live service that this network does not support. */
const UNSUPPORTED = {
  additionalData: {
    behavior: "uses additionalData only for payers on Bitcoin",
    isHonored: ({ originChainId }) => originChainId === BITCOIN_CHAIN_ID,
  },
  referrerAddress: { behavior: "ignores referrerAddress" },
  // This field only permits refunds on other chains.
  refundOnOrigin: { behavior: "refunds on the origin chain only" },
  enableTrueExactOutput: { behavior: "pays a surplus to the recipient", isEssential: always },
  useFallbacks: { behavior: "has no fallback routes" },
  gasLimitForDepositSpecifiedTxs: { behavior: "runs no calls inside a deposit", isEssential: always },
  forceSolverExecution: {
    behavior: "lets the user execute same-chain requests",
    isEssential: ({ originChainId, destinationChainId }) => originChainId === destinationChainId,
  },
  subsidizeRent: { behavior: "counts rent as part of the execution fee" },
  depositFeePayer: {
    behavior: "has fee payers of SVM deposits only",
    isHonored: ({ originChainId }) => originChainId === SVM_CHAIN_ID,
  },
  useSharedAccounts: { behavior: "swaps with the user's own accounts on SVM chains" },
  includeComputeUnitLimit: { behavior: "limits the compute units of each SVM swap" },
  // A high impact still ends in an error.
  overridePriceImpact: { behavior: "always rejects a high price impact" },
  disableSwapProviderPreference: { behavior: "does not prefer swap providers" },
} as const satisfies Partial<Record<keyof QuoteRequest, Unsupported>>;

/** Values that request the default behavior. */
const DEFAULTS: Partial<Record<keyof QuoteRequest, unknown>> = { refundOnOrigin: true };

/** Versions that are documented for the live service without a schema. With them, deposits go to the depository. */
const PROTOCOL_VERSIONS: readonly unknown[] = ["v2", "preferV2"];

const CALL_FIELDS: ReadonlySet<string> = new Set(["to", "data", "value"] satisfies (keyof Call)[]);

/** Fields of quotes that change no price. */
const WITHOUT_PRICE: ReadonlySet<string> = new Set([
  "includeProtocolData",
  "latePaymentSlippageTolerance",
  "permitExpiry",
  "recoveryAddress",
  "ttl",
] satisfies (keyof QuoteRequest)[]);

/** Lists the fields of a request that a quote does not honor, including unknown fields. */
export function listUnhonoredFields(request: QuoteRequest): UnhonoredField[] {
  return [
    ...Object.entries(request).flatMap(([field, value]) => findUnhonored(request, field, value) ?? []),
    ...(request.txs ?? []).flatMap((call, index) =>
      Object.entries(call).flatMap(([name, value]) => {
        const field = `txs[${index}].${name}`;
        if (name === "originalTxValue") return [unsupported(field, value, "its effect is not documented", false)];
        return CALL_FIELDS.has(name) ? [] : [unknown(field, value)];
      }),
    ),
  ];
}

/** Lists the fields of a request that a price does not honor. `POST /price` has fewer fields. */
export function listUnpricedFields(request: QuoteRequest): UnhonoredField[] {
  const ofQuotes = Object.entries(request).flatMap(([field, value]): UnhonoredField[] => {
    const isOfQuotes =
      Object.hasOwn(QuoteRequestSchema.properties, field) && !Object.hasOwn(PriceRequestSchema.properties, field);
    if (!isOfQuotes || Object.hasOwn(UNSUPPORTED, field)) return [];
    const hint = `Omit ${field}, or request a quote.`;
    const reason = "is not a field of POST /price";
    return [{ errorCode: "UNSUPPORTED_FIELD", field, value, reason, hint, isEssential: !WITHOUT_PRICE.has(field) }];
  });
  return [...ofQuotes, ...listUnhonoredFields(request)];
}

function findUnhonored(request: QuoteRequest, field: string, value: unknown): UnhonoredField | undefined {
  if (isUnsupported(field)) {
    const { behavior, isEssential, isHonored }: Unsupported = UNSUPPORTED[field];
    if (isNeutral(field, value) || isHonored?.(request) === true) return undefined;
    return unsupported(field, value, `this network ${behavior}`, isEssential?.(request) ?? false);
  }
  if (field === "protocolVersion") {
    if (PROTOCOL_VERSIONS.includes(value)) return undefined;
    return unsupported(field, value, "this network has v2 only", true);
  }
  if (Object.hasOwn(QuoteRequestSchema.properties, field)) return undefined;
  return unknown(field, value);
}

function unknown(field: string, value: unknown): UnhonoredField {
  const hint = `Correct or omit ${field}; /documentation lists the fields.`;
  return { errorCode: "UNSUPPORTED_FIELD", field, value, reason: "unknown field", hint, isEssential: false };
}

function isUnsupported(field: string): field is keyof typeof UNSUPPORTED {
  return Object.hasOwn(UNSUPPORTED, field);
}

function isNeutral(field: keyof typeof UNSUPPORTED, value: unknown): boolean {
  if (field in DEFAULTS) return value === DEFAULTS[field];
  return (
    value === undefined ||
    value === false ||
    value === 0 ||
    value === "0" ||
    (Array.isArray(value) && value.length === 0)
  );
}

function unsupported(field: string, value: unknown, reason: string, isEssential: boolean): UnhonoredField {
  const hint = `Omit ${field} here; only the live service implements it.`;
  return { errorCode: "UNSUPPORTED_FIELD", field, value, reason, hint, isEssential };
}
