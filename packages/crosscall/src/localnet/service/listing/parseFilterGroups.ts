import { parseJson } from "@crosscall/protocol/schema";
import { refuseField } from "../../market/refusal.ts";
import type { FieldCondition } from "../../store/requests/filter.ts";
import type { Caller } from "../keys/keyRing.ts";
import { FILTER_FIELD_NAMES, type FilterFieldName, isFilterFieldName, parseCondition } from "./filterFields.ts";

const NEGATION = "not:";

/**
 * The `filters` parameter (spec 1, section 4.2): conditions of a group combine with AND, groups with OR.
 *
 * @throws {@link RefusalError} naming the group and field: `filters[1].status`
 */
export function parseFilterGroups(filters: string, caller: Caller): FieldCondition[][] {
  const groups = parseJson(filters);
  if (!Array.isArray(groups) || groups.length === 0) throw refuseShape("filters", filters);
  return groups.map((group: unknown, index) => parseGroup(group, `filters[${index}]`, caller));
}

/**
 * One group: its conditions combine with AND.
 *
 * @param caller undefined if no name is a key
 * @param names the fields that it may have
 * @throws {@link RefusalError} naming the field
 */
export function parseGroup(
  group: unknown,
  path: string,
  caller: Caller | undefined,
  names: readonly FilterFieldName[] = FILTER_FIELD_NAMES,
): FieldCondition[] {
  if (typeof group !== "object" || group === null || Array.isArray(group)) throw refuseShape(path, group);
  const fields = Object.entries(group);
  if (fields.length === 0) throw refuseShape(path, group);
  return fields.map(([key, value]: [string, unknown]) => {
    const isNegated = key.startsWith(NEGATION);
    const name = isNegated ? key.slice(NEGATION.length) : key;
    const fieldPath = `${path}.${key}`;
    if (!isFilterFieldName(name) || !names.includes(name)) {
      throw refuseField(
        fieldPath,
        value,
        "is not a field of a group (ranges and features are set next to filters)",
        `Use ${names.join(", ")}, optionally with the prefix not:.`,
      );
    }
    return parseCondition({ name, values: parseValues(value, fieldPath), isNegated, path: fieldPath, caller });
  });
}

/** A single value is a list of one; null asks for requests without the field. */
function parseValues(value: unknown, path: string): readonly unknown[] | null {
  if (value === null) return null;
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (values.length === 0)
    throw refuseField(path, value, "must not be an empty list", "Pass a value, or omit the field.");
  if (!values.includes(null)) return values;
  if (values.length === 1) return null;
  throw refuseField(
    path,
    value,
    "must not mix null with values",
    "Use two groups, one with null and one with the values.",
  );
}

function refuseShape(path: string, value: unknown): Error {
  return refuseField(
    path,
    value,
    "must be a JSON array of at least one group, and each group an object with at least one field",
    'Give for example [{"status":"success"},{"not:user":["0x…"]}], URL-encoded.',
  );
}
