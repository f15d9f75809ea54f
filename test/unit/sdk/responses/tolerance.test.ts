import { expect } from "chai";
import { readFileSync } from "node:fs";
import type { TSchema } from "typebox";

import { SEED } from "../../../../tools/tests/seed.ts";
import { CrosscallError, UnsupportedStepError } from "../../../../packages/protocol/src/core/errors.ts";
import { liveSchema } from "../../../support/complete.ts";
import { inputs } from "../../../support/inputs.ts";
import { statusEvent } from "../client/webhooks/signed.ts";
import { chainEntry, quote, requestRecord } from "../../protocol/fixtures.ts";
import { recordV2 } from "../../protocol/v2/fixtures.ts";
import { NEEDED_FIELDS } from "./neededFields.ts";
import { type Follower, FOLLOWERS, type Reader, READERS, SIGNATURE_STEP } from "./readers.ts";

/** Number of random responses for each endpoint and each probability of omitting an optional field. */
const RESPONSES = inputs(50);
const DROPPED = [0, 0.01, 0.1, 0.5];

/** Live service responses, with the function that reads each. */
const ENDPOINTS: readonly (readonly [part: string, reader: Reader])[] = [
  ["POST /quote/v2 200", "getQuote"],
  ["POST /price 200", "getPrice"],
  ["GET /intents/status/v3 200", "getStatus"],
  ["GET /requests/v3 200", "listRequests"],
  ["GET /requests/v2 200", "listRequestsV2"],
  ["GET /chains 200", "getChains"],
  ["GET /requests/{requestId}/signature 200", "getSignature"],
  ["GET /requests/{requestId}/signature/v2 200", "getSignatureV2"],
  ["POST /currencies/v2 200", "searchCurrencies"],
  ["GET /currencies/trending 200", "getTrendingCurrencies"],
  ["GET /currencies/token/price 200", "getTokenPrice"],
  ["GET /chains/health 200", "getChainHealth"],
  ["GET /chains/liquidity 200", "getChainLiquidity"],
  ["GET /swap-sources 200", "getSwapSources"],
  ["GET /config/v2 200", "getConfig"],
  ["GET /metrics/usage 200", "getUsage"],
  ["GET /deposit-addresses/v1 200", "getDepositAddress"],
  ["POST /transactions/deposit-address/reindex 200", "reindexDepositAddress"],
  ["POST /fast-fill 200", "fastFill"],
  ["GET /app-fees/{wallet}/balances 200", "getAppFeeBalances"],
  ["GET /app-fees/{wallet}/claims 200", "listAppFeeClaims"],
  ["POST /app-fees/{wallet}/claim 200", "claimAppFees"],
  ["POST /transactions/index 200", "announceDeposit"],
  ["POST /transactions/single 200", "announceTransaction"],
  ["POST /execute/permits 200", "executeSteps"],
];

/** Complete responses, from which one field at a time is removed. */
const signed = JSON.parse(
  readFileSync(new URL("../../../vectors/request-signature.json", import.meta.url), "utf8"),
) as { readonly requestData: Readonly<Record<string, unknown>>; readonly signature: string };
const { currencyOut } = quote.details;
const { v2 } = quote.protocol;
const { output } = v2.orderData;
/** Order with a payment in the currency of the quote's details, as in the live service's quotes. */
const QUOTE = {
  ...quote,
  steps: [...quote.steps, SIGNATURE_STEP],
  protocol: {
    v2: {
      ...v2,
      orderData: {
        ...v2.orderData,
        output: { ...output, payments: [{ ...output.payments[0], currency: currencyOut.currency.address }] },
      },
    },
  },
};
const ENTRY = { ...currencyOut.currency, vmType: "evm" };
const CLAIM_ID = `0x${"c1".repeat(32)}`;
/** Omits the amount, because an output's amounts can replace each other. */
const { amount: _, ...OUTPUT } = currencyOut;
const WHOLE: Readonly<Record<Reader | Follower, object>> = {
  getQuote: QUOTE,
  planSteps: QUOTE,
  requestIdOf: { ...quote, steps: [quote.steps[0]] },
  minimumOutput: { ...QUOTE, details: { ...quote.details, currencyOut: OUTPUT } },
  quoteFeeTable: QUOTE,
  getPrice: { fees: quote.fees, details: quote.details },
  getStatus: { status: "success", txHashes: ["0xab"], updatedAt: 1 },
  listRequests: { requests: [requestRecord], continuation: "a", total: 1 },
  recordFeeTable: { requests: [requestRecord] },
  listRequestsV2: { requests: [recordV2], continuation: "a" },
  toV3: { requests: [recordV2] },
  getChains: { chains: [chainEntry] },
  getSignature: signed,
  recoverRequestSigner: { requestData: signed.requestData, signature: signed.signature },
  getSignatureV2: signed,
  recoverRequestSignerV2: {
    requestData: { ...signed.requestData, destinationCurrency: signed.requestData.originCurrency },
    signature: signed.signature,
  },
  searchCurrencies: [ENTRY],
  getTrendingCurrencies: [ENTRY],
  getTokenPrice: { price: 0.5 },
  getChainHealth: { healthy: true },
  getChainLiquidity: { liquidity: [{ ...ENTRY, currencyId: "usdc", balance: "1", amountUsd: "0.000001" }] },
  getSwapSources: { sources: ["jupiter"] },
  getConfig: { enabled: true, user: { balance: "1", maxBridgeAmount: "1" }, fee: "1", supportsExternalLiquidity: true },
  getUsage: { metrics: [{ apiKey: "key", timestamp: "", endpoint: "/chains", statusCode: 200, count: 1 }] },
  getDepositAddress: { depositAddress: CLAIM_ID, type: "open", requestId: CLAIM_ID, chainId: 8453, createdAt: "" },
  reindexDepositAddress: { message: "", triggeredCurrencies: [], checkedCurrencies: 1, failedCurrencies: 0 },
  setRequestMetadata: { message: "Success" },
  fastFill: { message: "Success" },
  getAppFeeBalances: { balances: [currencyOut], totalBalanceUsd: 1, availableBalanceUsd: 1 },
  listAppFeeClaims: { claims: [{ claimId: CLAIM_ID, currency: currencyOut, status: "success" }], continuation: "a" },
  claimAppFees: {
    steps: [
      {
        ...SIGNATURE_STEP,
        items: [
          {
            status: "incomplete",
            data: {
              sign: { signatureKind: "eip191", message: CLAIM_ID },
              post: { endpoint: "/execute/permits", method: "POST", body: { kind: "claim", requestId: CLAIM_ID } },
            },
          },
        ],
      },
    ],
  },
  announceDeposit: { message: "Success" },
  announceTransaction: { message: "Success" },
  // Uses an unsupported kind, so that the executor reads the step but performs nothing.
  executeSteps: { message: "Success", steps: [{ id: "wait", kind: "wait", items: [{ data: {} }] }] },
  verifyWebhook: statusEvent(),
};

describe("responses from the live service", () => {
  for (const [part, reader] of ENDPOINTS) {
    const followers = (Object.keys(FOLLOWERS) as Follower[]).filter((name) => FOLLOWERS[name].of === reader);
    const names = [reader, ...followers].join(", ");
    it(`are read by ${names}, or the error names a required field`, async () => {
      const random = seeded(SEED);
      for (const dropped of DROPPED) {
        for (let count = 0; count < RESPONSES; count += 1) {
          const body = randomResponse(liveSchema(part), { dropped, random });
          const { result, path } = await outcomeOf(() => READERS[reader](body));
          expectNamed(reader, path, body);
          if (path !== undefined) continue;
          for (const name of followers) expectNamed(name, (await outcomeOf(() => follow(name, result))).path, body);
        }
      }
    });
  }

  for (const name of Object.keys(WHOLE) as (Reader | Follower)[]) {
    for (const [how, value] of [
      ["missing", undefined],
      ["null", null],
    ] as const) {
      it(`need only the listed fields for ${name}, with each field ${how} in turn`, async () => {
        const whole = WHOLE[name];
        expect((await outcomeOf(() => run(name, whole))).path).to.equal(undefined);
        const missed = new Set<string>();
        for (const keys of listKeys(whole)) {
          const { path } = await outcomeOf(() => run(name, replaceAt(whole, keys, value)));
          if (path !== undefined) missed.add(toPattern(path));
        }
        expect([...missed].toSorted()).to.deep.equal([...needsOf(name)].toSorted());
      });
    }
  }
});

async function run(name: Reader | Follower, body: unknown): Promise<unknown> {
  return isFollower(name) ? follow(name, await READERS[FOLLOWERS[name].of](body)) : READERS[name](body);
}

function follow(name: Follower, result: unknown): unknown {
  return FOLLOWERS[name].read(result as never);
}

function isFollower(name: Reader | Follower): name is Follower {
  return name in FOLLOWERS;
}

/** Returns the required fields of a function, including the required fields of the function that returns its input. */
function needsOf(name: Reader | Follower): readonly string[] {
  return [...(NEEDED_FIELDS[name]?.needs ?? []), ...(isFollower(name) ? needsOf(FOLLOWERS[name].of) : [])];
}

function expectNamed(name: Reader | Follower, path: string | undefined, body: unknown): void {
  if (path === undefined) return;
  const named = [...needsOf(name), ...(NEEDED_FIELDS[name]?.numbers ?? [])];
  expect(named, `${name} failed at ${path} of ${JSON.stringify(body)}`).to.include(toPattern(path));
}

/** Returns the result of a function, or the path of the field in its error. */
async function outcomeOf(read: () => unknown): Promise<{ readonly result?: unknown; readonly path?: string }> {
  try {
    return { result: await read() };
  } catch (error) {
    if (!(error instanceof CrosscallError)) throw error;
    // The executor read the step but does not perform it.
    if (error instanceof UnsupportedStepError) return {};
    const { path, field } = error as { path?: unknown; field?: unknown };
    if (typeof path === "string") return { path };
    if (typeof field === "string") return { path: field };
    throw error;
  }
}

function toPattern(path: string): string {
  return path.replace(/\[\d+\]/gu, "[]").replace(/^(data\.\w+)\.(quoted|actual)\b/u, "$1.<phase>");
}

function listKeys(value: unknown, keys: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(Array.isArray(value) ? [] : [[...keys, key]]),
    ...listKeys(inner, [...keys, key]),
  ]);
}

function replaceAt(whole: unknown, [key = "", ...inner]: readonly string[], value: unknown): unknown {
  const copy = (Array.isArray(whole) ? [...(whole as unknown[])] : { ...(whole as object) }) as Record<string, unknown>;
  copy[key] = inner.length === 0 ? value : replaceAt(copy[key], inner, value);
  return copy;
}

/** Options of a random response. */
export interface RandomOptions {
  /** Probability of omitting an optional field. */
  readonly dropped: number;
  /** Returns numbers in [0, 1). */
  readonly random: () => number;
}

interface SchemaShape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly required?: readonly string[];
  readonly items?: TSchema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly additionalProperties?: TSchema | boolean;
}

/** Probabilities of an unknown field and of an unknown enumeration value. */
const UNKNOWN_FIELD = 0.1;
const UNKNOWN_MEMBER = 0.05;

const TEXTS = ["", "0", "1000000", "-0.25", "USDC", "0x", `0x${"ab".repeat(20)}`, `0x${"cd".repeat(32)}`, "…"];

/** Returns a response that the schema allows, with unknown fields and members. */
export function randomResponse(schema: TSchema, options: RandomOptions): unknown {
  const { random, dropped } = options;
  const words = schema as SchemaShape;
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  if (words.anyOf !== undefined) return randomResponse(pick(words.anyOf), options);
  if (words.enum !== undefined) return random() < UNKNOWN_MEMBER ? "A_NEW_MEMBER" : pick(words.enum);
  switch (words.type) {
    case "object": {
      const required = words.required ?? [];
      const fields = Object.entries(words.properties ?? {}).flatMap(([name, inner]) =>
        !required.includes(name) && random() < dropped ? [] : [[name, randomResponse(inner, options)] as const],
      );
      const unknown = random() < UNKNOWN_FIELD ? [["addedLater", { at: 1 }] as const] : [];
      return Object.fromEntries([...fields, ...unknown]);
    }
    case "array":
      return Array.from({ length: Math.floor(random() * 3) }, () => randomResponse(words.items!, options));
    case "string":
      return pick(TEXTS);
    case "number":
      return pick([0, 1, 18, 8453, 792_703_809, 1_790_000_000_000, 0.5, -1]);
    case "boolean":
      return random() < 0.5;
    case "null":
      return null;
    default:
      return pick<unknown>([{}, { any: "thing" }, [], "text", 5]);
  }
}

/** Returns a generator of numbers in [0, 1) that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
