import type { ReplayReport } from "../replayReport.ts";
import { REPORT_VERSION, type ReportJson } from "./reportSchema.ts";

/** bigint becomes a decimal string, undefined null. */
export type Wire<Value> = Value extends bigint
  ? string
  : Value extends undefined
    ? null
    : Value extends readonly (infer Item)[]
      ? Wire<Item>[]
      : Value extends object
        ? {
            // Optional fields stay optional.
            [Field in keyof Value]: Partial<Pick<Value, Field>> extends Pick<Value, Field>
              ? Wire<Exclude<Value[Field], undefined>>
              : Wire<Value[Field]>;
          }
        : Value;

/** Converts a replay to JSON in the shape of `ReportSchema`; `parseReport` reads it. */
export function toReportJson(report: ReplayReport): ReportJson {
  return { version: REPORT_VERSION, ...toWire(report) };
}

export function toWire<Value>(value: Value): Wire<Value> {
  return toPlain(value) as Wire<Value>;
}

function toPlain(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toPlain(field)]));
}
