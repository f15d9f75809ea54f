import type { Static } from "typebox";

import { requireAmount } from "@crosscall/protocol/encoding";
import { compact } from "@crosscall/protocol/core";
import { RejectionError, rejectField, rejectUnknown } from "../../market/rejection.ts";
import { REFUND_REASONS } from "../../scenarios/families/depositReasons.ts";
import { FAIL_SCENARIOS } from "../../scenarios/families/failReasons.ts";
import { chooseScenario } from "../../scenarios/readScenarios.ts";
import { type RequestFaults, toRequestFaults } from "../../scenarios/requestFaults.ts";
import type { DepositChange } from "../../scenarios/scenario.ts";
import {
  type FillHoldRow,
  findHoldState,
  type HeldFillRow,
  insertFillHold,
  listFillHolds,
  listHeldFills,
  releaseEveryFill,
  releaseHeldFill,
} from "../../store/fillHolds.ts";
import { findRequest, type RequestRow } from "../../store/requests/requests.ts";
import { addRequestFaults } from "../../store/scenarios.ts";
import type { JsonObject } from "../../store/schema.ts";
import { FILTER_FIELD_NAMES, type FilterFieldName, parseGroup } from "../listing/filters.ts";
import type { ChainReader, Recorder, StoreUser } from "../../market/market.ts";
import type { ChainController } from "../serviceParts.ts";
import { rejectInvalid } from "./rejectInvalid.ts";
import { reorgDeposit } from "./reorgDeposit.ts";
import type { AdminHandlers } from "./routes.ts";
import type { FillHold, HeldFill, HeldFills, ReleaseSchema } from "./schemas.ts";

/** Filter fields that a request does not have before its fill, and the API key, which is secret. */
type LaterField = "status" | "failReason" | "refundFailReason" | "fillTxHash" | "refundTxHash" | "apiKey";

const LATER_FIELDS: readonly FilterFieldName[] = [
  "status",
  "failReason",
  "refundFailReason",
  "fillTxHash",
  "refundTxHash",
  "apiKey",
] satisfies LaterField[];

const HOLD_FIELDS = FILTER_FIELD_NAMES.filter((name) => !LATER_FIELDS.includes(name));

type HoldField = Exclude<FilterFieldName, LaterField>;

type HoldValue = string | number;

/** Properties of requests, as in a group of `filters` of `GET /requests/v3`. All must match. */
export type FillFilter = Readonly<
  Partial<Record<HoldField | `not:${HoldField}`, HoldValue | readonly HoldValue[] | null>>
>;

/**
 * Behavior of a released fill. At most one of `amount`, `scenario` and `deposit` can be set. By default, the fill is as
 * quoted.
 */
export interface FillOutcome {
  /** Delivered amount in the smallest unit; not for EXACT_OUTPUT. */
  readonly amount?: bigint;
  /** Whether `amount` can be below the quoted minimum. */
  readonly belowMinimum?: boolean;
  /** Name from `crosscall scenarios`: a failReason, a `refund:…`, `delivery` or `stale-price`. */
  readonly scenario?: string;
  /** Parameters of `scenario`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /**
   * `drop` removes the deposit's block and all later blocks; the request waits for a new deposit. `reorg` does the
   * same, and then includes their transactions again.
   */
  readonly deposit?: DepositChange;
}

/**
 * Controls that hold and release fills of a running network. Each method throws `RejectionError` for an invalid
 * request.
 */
export interface FillControls {
  /** Holds the fills of matching requests until they are released; all fills by default. */
  hold(filter?: FillFilter): Promise<FillHold>;
  /** Lists the holds and the held fills. `limit` is 100 by default, at most 1,000. */
  list(options?: { readonly limit?: number }): Promise<HeldFills>;
  /** Releases one fill. Keeps the holds, except those that only list released ids. */
  release(requestId: string, outcome?: FillOutcome): Promise<void>;
  /**
   * Releases the fill that was held first. Keeps the holds, except those that only list released ids.
   *
   * @returns the request id; undefined if no fill is held
   */
  releaseOldest(outcome?: FillOutcome): Promise<string | undefined>;
  /**
   * Ends every hold, and releases all fills.
   *
   * @returns the request ids
   */
  releaseAll(): Promise<string[]>;
}

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1_000;

type FillParts = ChainReader & Recorder & ChainController;

export function createFillControls(parts: FillParts): FillControls {
  const { clock, store } = parts;
  const now = (): Date => new Date(clock.now());

  /** Releases a fill. Returns false if another caller released the fill first. */
  const release = async (requestId: string, outcome: FillOutcome = {}): Promise<boolean> => {
    const request = await findRequest(store.db, requestId);
    if (request === undefined) throw rejectUnknown(`request ${requestId}`);
    const state = await findHoldState(store.db, request.id);
    if (state === "released") return false;
    if (state === "unheld") throw rejectState(request.id, "is not held");
    if (!CAN_BE_FILLED.includes(request.status) || request.fail_reason !== null) {
      throw rejectState(request.id, `is ${request.status} and can no longer be filled`);
    }
    const faults = await rejectInvalid(prepareOutcome(parts, request, outcome));
    return store.db.transaction().execute(async (db) => {
      if (!(await releaseHeldFill(db, request.id, now()))) return false;
      if (faults !== undefined) await addRequestFaults(db, request.id, faults);
      await store.jobs.add({ requestId: request.id }, db);
      return true;
    });
  };

  return {
    async hold(filter = {}) {
      const isEmpty = Object.keys(filter).length === 0;
      return toHold(
        await insertFillHold(store.db, isEmpty ? [] : parseGroup(filter, "filter", undefined, HOLD_FIELDS), now()),
      );
    },
    async list({ limit = DEFAULT_LIMIT } = {}) {
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
        throw rejectField("limit", limit, `must be a whole number from 1 to ${MAX_LIMIT}`, "Correct it or omit it.");
      }
      const [holds, { rows, total }] = [await listFillHolds(store.db), await listHeldFills(store.db, limit)];
      return { holds: holds.map(toHold), held: rows.map(toHeldFill), total };
    },
    async release(requestId, outcome) {
      if (!(await release(requestId, outcome))) throw rejectState(requestId, "was already released");
    },
    async releaseOldest(outcome) {
      for (;;) {
        const [oldest] = (await listHeldFills(store.db, 1)).rows;
        if (oldest === undefined) return undefined;
        if (await release(oldest.id, outcome)) return oldest.id;
      }
    },
    releaseAll: () =>
      store.db.transaction().execute(async (db) => {
        const released = await releaseEveryFill(db, now());
        for (const requestId of released) await store.jobs.add({ requestId }, db);
        return released;
      }),
  };
}

export function fillHandlers(parts: FillParts): AdminHandlers["fills"] {
  const controls = createFillControls(parts);
  return {
    list: ({ query }) => controls.list(query),
    hold: ({ body: { filter } }) => controls.hold(filter),
    release: async ({ body }) => ({ released: await releaseFills(controls, body) }),
  };
}

async function releaseFills(
  controls: FillControls,
  { requestId, oldest, all, amount, ...rest }: Static<typeof ReleaseSchema>,
): Promise<string[]> {
  if (Object.keys(compact({ requestId, oldest, all })).length !== 1) {
    throw rejectField(
      "body",
      null,
      "must select fills in exactly one way",
      "Set requestId, oldest: true or all: true.",
    );
  }
  const outcome: FillOutcome = { ...rest, ...(amount === undefined ? {} : { amount: BigInt(amount) }) };
  if (requestId !== undefined) {
    await controls.release(requestId, outcome);
    return [requestId];
  }
  if (oldest === true) {
    const released = await controls.releaseOldest(outcome);
    return released === undefined ? [] : [released];
  }
  const [given] = Object.keys(outcome);
  if (given !== undefined) {
    throw rejectField(given, null, "cannot be used with all", "Release one request at a time, or omit it.");
  }
  return controls.releaseAll();
}

const CAN_BE_FILLED: readonly RequestRow["status"][] = ["pending", "waiting", "depositing"];

function rejectState(requestId: string, what: string): RejectionError {
  const hint = "List the held fills with `crosscall fills list`.";
  const message = `request ${requestId} ${what}. ${hint}`;
  return new RejectionError({
    status: 409,
    body: { message, errorCode: "INVALID_REQUEST", errorData: `requestId: ${what}`, field: "requestId", hint },
    hint,
  });
}

/**
 * Returns the faults of the fill, or undefined if the fill is as quoted. Changes the deposit while the fill is still
 * held.
 */
async function prepareOutcome(
  parts: ChainReader & StoreUser & ChainController,
  request: RequestRow,
  { amount, belowMinimum, scenario, parameters, deposit }: FillOutcome,
): Promise<RequestFaults | undefined> {
  const [outcome, other] = Object.keys(compact({ amount, scenario, deposit }));
  if (other !== undefined) {
    throw rejectField(other, null, `cannot be used with ${outcome}`, "Set one of amount, scenario and deposit.");
  }
  if (belowMinimum !== undefined && amount === undefined) {
    throw rejectField("belowMinimum", belowMinimum, "has no effect without amount", "Set amount, or omit it.");
  }
  if (parameters !== undefined && scenario === undefined) {
    throw rejectField("parameters", parameters, "has no effect without scenario", "Set scenario, or omit it.");
  }
  if (amount !== undefined) return { deliveredAmount: requireDeliverable(request, amount, belowMinimum).toString() };
  const faults = scenario === undefined ? {} : toFaults(scenario, parameters);
  // The deposit is removed before the release, so that a crash in between leaves the fill held.
  if (deposit !== undefined || faults.failReason === "DEPOSIT_REORGED") {
    return { failReason: "DEPOSIT_REORGED", reorgedBlock: await reorgDeposit(parts, request, deposit ?? "drop") };
  }
  return scenario === undefined ? undefined : faults;
}

function requireDeliverable(request: RequestRow, amount: bigint, belowMinimum = false): bigint {
  if (request.trade_type === "EXACT_OUTPUT") {
    throw rejectField("amount", amount.toString(), "cannot be chosen for EXACT_OUTPUT", "Release it without amount.");
  }
  if (amount < 1n) throw rejectField("amount", amount.toString(), "must be above zero", "Choose a larger amount.");
  const minimum = BigInt(request.minimum_output_amount);
  if (amount < minimum && !belowMinimum) {
    const reason = `is below the quoted minimum of ${minimum}`;
    throw rejectField("amount", amount.toString(), reason, "Choose a larger amount, or set belowMinimum.");
  }
  return requireAmount(amount, "amount");
}

function toFaults(name: string, parameters: JsonObject = {}): RequestFaults {
  const chosen = chooseScenario(name, parameters, "scenario");
  const faults = toRequestFaults(chosen, 0);
  const { failReason, refundFailReason, delayMs, isHeld } = faults;
  const changesDeposit =
    refundFailReason === undefined
      ? failReason !== undefined && FAIL_SCENARIOS[failReason].act.kind === "deposit"
      : REFUND_REASONS[refundFailReason].change !== undefined;
  if (changesDeposit) {
    throw rejectField("scenario", name, "needs a different deposit than the one made", "Set it for the quote instead.");
  }
  if (delayMs !== undefined || isHeld !== undefined || Object.keys(faults).length === 0) {
    const hint = "Use a failReason, a refund:…, delivery or stale-price.";
    throw rejectField("scenario", name, "does not affect a held fill", hint);
  }
  return faults;
}

function toHold({ id, conditions, created_at: createdAt }: FillHoldRow): FillHold {
  const filter = Object.fromEntries(
    conditions.map(({ field, values, isNegated }) => [`${isNegated ? "not:" : ""}${field}`, values]),
  );
  return { id, filter, createdAt: createdAt.toISOString() };
}

function toHeldFill(row: HeldFillRow): HeldFill {
  return {
    requestId: row.id,
    status: row.status,
    user: row.user,
    recipient: row.recipient,
    originChainId: row.origin_chain_id,
    destinationChainId: row.destination_chain_id,
    destinationCurrency: row.destination_currency,
    destinationSymbol: row.destination_symbol,
    destinationDecimals: row.details.currencyOut.currency.decimals,
    tradeType: row.trade_type,
    expectedAmount: row.expected_output_amount,
    expectedUsd: row.details.currencyOut.amountUsd,
    minimumAmount: row.minimum_output_amount,
    heldAt: row.held_at.toISOString(),
  };
}
