import type { Mismatch } from "../schema/checkSchema.ts";
import { type RequestRecord, RequestRecordSchema } from "../request/requestRecord.ts";
import { fillRecord, type Shortfall } from "./fillRecord.ts";
import { isObject } from "../schema/json.ts";
import { ownField, setField } from "./jsonTree.ts";
import { moveAppFees, moveFees, moveSponsorship } from "./moveFees.ts";
import { moveCurrencies, moveOraclePrice, moveRoute } from "./moveRoute.ts";
import { type Assumption, type LostValue, RecordTransfer } from "./recordTransfer.ts";
import { PARTNER_ID_KEY, type RequestRecordV2 } from "./requestRecordV2.ts";

/** A v3 record converted from v2, with assumptions and lost values. */
export interface MigratedRequest {
  /** v3 record, which shares unchanged parts with the v2 record. */
  readonly record: RequestRecord;
  /** Values of the v2 record that have no place in v3, by path in the v2 record. Null is never listed. */
  readonly lost: readonly LostValue[];
  /** Values of the v3 record that the v2 record does not contain, by path in the v3 record. */
  readonly assumed: readonly Assumption[];
  /** Paths of fields that v3 requires and v2 lacks. The record is complete if this and `unknown` are empty. */
  readonly missing: readonly string[];
  /** Values that v3 does not list, kept unchanged. */
  readonly unknown: readonly Mismatch[];
}

/**
 * Converts a v2 request record to v3, as mapped in spec 1, section 9. Unknown fields are kept; values without a place
 * in v3 are listed, never silently dropped.
 *
 * @param source a record that `RequestRecordV2Schema` accepts; it is not changed
 */
export function toV3(source: RequestRecordV2): MigratedRequest {
  const transfer = new RecordTransfer(source);
  moveRoot(transfer);
  moveStatus(transfer);
  for (const name of ["failReason", "refundFailReason"]) moveReason(transfer, ["data", name]);
  for (const name of ["inTxs", "outTxs"]) moveTransactions(transfer, name);
  const features = featuresOf(transfer);
  moveFees(transfer);
  moveAppFees(transfer);
  moveSponsorship(transfer);
  moveRoute(transfer);
  moveCurrencies(transfer);
  moveOraclePrice(transfer);
  transfer.lose(
    ["data", "metadata", "currencyGasTopup"],
    "v3 shows only that the request had a gas top-up, with the feature gas_top_up",
  );
  transfer.passRest();
  if (ownField(transfer.record, "features") === undefined) {
    transfer.place(features, ["features"], []);
    transfer.assume(["features"], "v2 does not list features; these are implied by other fields");
  }
  const shortfall: Shortfall = { missing: [], unknown: [], nulls: [] };
  const record = fillRecord(RequestRecordSchema, transfer.record, shortfall) as RequestRecord;
  const nulls = shortfall.nulls.map((path) => ({ path, reason: "v2 does not state it" }));
  const { missing, unknown } = shortfall;
  return { record, lost: transfer.lost, assumed: [...transfer.assumed, ...nulls], missing, unknown };
}

function moveRoot(transfer: RecordTransfer): void {
  transfer.move(["id"], ["id"]);
  transfer.move(["recipient"], ["recipient"]);
  transfer.move(["data", "metadata", "sender"], ["sender"]);
  transfer.move(["data", "metadata", "recipient"], ["recipient"]);
  transfer.move(["data", "supersededByRequestId"], ["supersededByRequestId"]);
  transfer.move(["referrer"], ["data", "referrer"]);
  transfer.move(["depositAddress", "depositAddressType"], ["depositAddress", "type"]);
  transfer.move([PARTNER_ID_KEY], ["data", "externalMetadata", PARTNER_ID_KEY]);
}

/** Converts `delayed` to `depositing` or `submitted` (spec 1, section 9). */
function moveStatus(transfer: RecordTransfer): void {
  const status = transfer.peek(["status"]);
  if (status !== "delayed") return;
  const outTxs = transfer.peek(["data", "outTxs"]);
  const isSent = Array.isArray(outTxs) && outTxs.length > 0;
  transfer.lose(["status"], "v3 has depositing and submitted instead");
  transfer.place(isSent ? "submitted" : "depositing", ["status"], []);
  transfer.assume(["status"], `delayed with ${isSent ? "a" : "no"} transaction on the destination chain`);
}

/** Converts the reason `N/A` to null (spec 1, section 9). */
function moveReason(transfer: RecordTransfer, at: readonly string[]): void {
  const reason = transfer.take(at);
  transfer.place(reason === "N/A" ? null : reason, at, at);
}

function moveTransactions(transfer: RecordTransfer, name: string): void {
  const from = ["data", name];
  const entries = transfer.take(from);
  if (!Array.isArray(entries)) {
    transfer.place(entries, from, from);
    return;
  }
  const moved = entries.map((entry: unknown, index) => {
    if (!isObject(entry) || !Object.hasOwn(entry, "hash")) return entry;
    const { hash, ...rest } = entry;
    if (Object.hasOwn(rest, "txHash")) {
      if (rest.txHash !== hash) transfer.loseValue(hash, [...from, index, "hash"], "the entry has a different txHash");
    } else {
      setField(rest, "txHash", hash);
    }
    return rest;
  });
  transfer.place(moved, from, from);
}

/** Features that a v2 record implies. */
function featuresOf(transfer: RecordTransfer): string[] {
  const hasFees = ["appFees", "paidAppFees"].some((name) => {
    const fees = transfer.peek(["data", name]);
    return Array.isArray(fees) && fees.length > 0;
  });
  const shown: [string, boolean][] = [
    ["fast_fill", transfer.peek(["data", "triggeredByFastFill"]) === true],
    ["gas_top_up", isObject(transfer.peek(["data", "metadata", "currencyGasTopup"]))],
    ["app_fees", hasFees],
    ["deposit_address", [transfer.peek(["depositAddress"]), transfer.record.depositAddress].some(isObject)],
  ];
  return shown.flatMap(([feature, isShown]) => (isShown ? [feature] : []));
}
