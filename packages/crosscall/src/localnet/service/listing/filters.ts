import {
  FAIL_REASONS,
  parseJson,
  REFUND_FAIL_REASONS,
  REQUEST_TYPES,
  STATUS_FILTERS,
} from "@crosscall/protocol/schema";
import { rejectField } from "../../market/rejection.ts";
import type { ChainField, FieldCondition, TextField } from "../../store/requests/filter.ts";
import { requireOwnKey } from "../caller.ts";
import type { Caller } from "../keys/keyRing.ts";
import { rejectKey } from "../rejection.ts";

type FieldRule =
  | { readonly kind: "chain"; readonly field: ChainField }
  | { readonly kind: "text"; readonly field: TextField }
  | { readonly kind: "list"; readonly field: TextField; readonly values: readonly string[] }
  | { readonly kind: "key"; readonly field: TextField };

/** The fields of a group (spec 1, section 4.2). */
const RULES = {
  id: { kind: "text", field: "id" },
  orderId: { kind: "text", field: "orderId" },
  depositTxHash: { kind: "text", field: "depositTxHash" },
  fillTxHash: { kind: "text", field: "fillTxHash" },
  refundTxHash: { kind: "text", field: "refundTxHash" },
  originChainId: { kind: "chain", field: "originChainId" },
  destinationChainId: { kind: "chain", field: "destinationChainId" },
  chainId: { kind: "chain", field: "chainId" },
  user: { kind: "text", field: "user" },
  recipient: { kind: "text", field: "recipient" },
  depositAddress: { kind: "text", field: "depositAddress" },
  status: { kind: "list", field: "status", values: STATUS_FILTERS },
  failReason: { kind: "list", field: "failReason", values: FAIL_REASONS },
  refundFailReason: { kind: "list", field: "refundFailReason", values: REFUND_FAIL_REASONS },
  apiKey: { kind: "key", field: "apiKeyHash" },
  referrer: { kind: "text", field: "referrer" },
  requestType: { kind: "list", field: "requestType", values: REQUEST_TYPES },
  currencyInChainId: { kind: "chain", field: "currencyInChainId" },
  currencyOutChainId: { kind: "chain", field: "currencyOutChainId" },
  currencyInAddress: { kind: "text", field: "currencyInAddress" },
  currencyOutAddress: { kind: "text", field: "currencyOutAddress" },
  currencyInSymbol: { kind: "text", field: "currencyInSymbol" },
  currencyOutSymbol: { kind: "text", field: "currencyOutSymbol" },
} as const satisfies Record<string, FieldRule>;

export type FilterFieldName = keyof typeof RULES;

export const FILTER_FIELD_NAMES = Object.keys(RULES) as FilterFieldName[];

function isFilterFieldName(name: string): name is FilterFieldName {
  return Object.hasOwn(RULES, name);
}

export interface ConditionInput {
  readonly name: FilterFieldName;
  /** Values of the field. Null matches requests without the field. */
  readonly values: readonly unknown[] | null;
  readonly isNegated: boolean;
  /** Path for errors, such as `filters[0].status`. */
  readonly path: string;
  /** Caller; undefined if `name` does not contain a key. */
  readonly caller: Caller | undefined;
}

/** @throws {@link RejectionError} naming the path of the first invalid value */
export function parseCondition({ name, values, isNegated, path, caller }: ConditionInput): FieldCondition {
  const rule: FieldRule = RULES[name];
  if (values === null) return { field: rule.field, values, isNegated };
  if (rule.kind === "chain") {
    return { field: rule.field, values: values.map((value) => parseChainId(value, path)), isNegated };
  }
  const texts = values.map((value) => parseText(value, path));
  return { field: rule.field, values: texts.map((value) => parseByRule(rule, value, path, caller)), isNegated };
}

function parseByRule(
  rule: Exclude<FieldRule, { kind: "chain" }>,
  value: string,
  path: string,
  caller: Caller | undefined,
): string {
  switch (rule.kind) {
    case "text":
      return value;
    case "list": {
      const isCaseless = rule.field === "requestType";
      const known = rule.values.find((item) => item === value || (isCaseless && isSameWord(item, value)));
      if (known !== undefined) return known;
      throw rejectField(path, value, "is not a value of this field", `Use one of ${rule.values.join(", ")}.`);
    }
    case "key":
      if (caller === undefined) throw rejectKey();
      return requireOwnKey(caller, value, path);
  }
}

function parseText(value: unknown, path: string): string {
  if (typeof value === "string" && value !== "" && value.isWellFormed() && !value.includes("\0")) return value;
  throw rejectField(path, value, "must be non-empty text", "Pass a string or an array of strings.");
}

function parseChainId(value: unknown, path: string): number {
  const chainId = typeof value === "string" && /^\d{1,16}$/u.test(value) ? Number(value) : value;
  if (typeof chainId === "number" && Number.isSafeInteger(chainId) && chainId >= 0) return chainId;
  throw rejectField(
    path,
    value,
    "must be a chain id",
    "Pass a whole number; GET /chains lists the chains of this network.",
  );
}

function isSameWord(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

const NEGATION = "not:";

/**
 * Parses the `filters` parameter (spec 1, section 4.2). Conditions of a group combine with AND, and groups with OR.
 *
 * @throws {@link RejectionError} naming the group and field, such as `filters[1].status`
 */
export function parseFilterGroups(filters: string, caller: Caller): FieldCondition[][] {
  const groups = parseJson(filters);
  if (!Array.isArray(groups) || groups.length === 0) throw rejectShape("filters", filters);
  return groups.map((group: unknown, index) => parseGroup(group, `filters[${index}]`, caller));
}

/**
 * Parses one group, whose conditions combine with AND.
 *
 * @param caller undefined if no field contains a key
 * @param names allowed fields
 * @throws {@link RejectionError} naming the field
 */
export function parseGroup(
  group: unknown,
  path: string,
  caller: Caller | undefined,
  names: readonly FilterFieldName[] = FILTER_FIELD_NAMES,
): FieldCondition[] {
  if (typeof group !== "object" || group === null || Array.isArray(group)) throw rejectShape(path, group);
  const fields = Object.entries(group);
  if (fields.length === 0) throw rejectShape(path, group);
  return fields.map(([key, value]: [string, unknown]) => {
    const isNegated = key.startsWith(NEGATION);
    const name = isNegated ? key.slice(NEGATION.length) : key;
    const fieldPath = `${path}.${key}`;
    if (!isFilterFieldName(name) || !names.includes(name)) {
      throw rejectField(
        fieldPath,
        value,
        "is not a field of a group (ranges and features are set next to filters)",
        `Use ${names.join(", ")}, optionally with the prefix not:.`,
      );
    }
    return parseCondition({ name, values: parseValues(value, fieldPath), isNegated, path: fieldPath, caller });
  });
}

/** Converts a single value to a list. Null matches requests without the field. */
function parseValues(value: unknown, path: string): readonly unknown[] | null {
  if (value === null) return null;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0)
    throw rejectField(path, value, "must not be an empty list", "Pass a value, or omit the field.");
  if (!values.includes(null)) return values;
  if (values.length === 1) return null;
  throw rejectField(
    path,
    value,
    "must not mix null with values",
    "Use two groups, one with null and one with the values.",
  );
}

function rejectShape(path: string, value: unknown): Error {
  return rejectField(
    path,
    value,
    "must be a JSON array of at least one group, and each group an object with at least one field",
    'Give for example [{"status":"success"},{"not:user":["0x…"]}], URL-encoded.',
  );
}
