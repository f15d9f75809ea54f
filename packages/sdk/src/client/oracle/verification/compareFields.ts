import type { AttestationCheck, AttestationFault } from "./attested.ts";

/** An undefined field equals a missing one. */
export function compareFields(
  check: AttestationCheck,
  path: string,
  expected: unknown,
  seen: unknown,
): readonly AttestationFault[] {
  if (!isObject(expected) || !isObject(seen) || Array.isArray(expected) !== Array.isArray(seen)) {
    return expected === seen ? [] : [{ check, path, expected: toText(expected), seen: toText(seen) }];
  }
  const names = new Set([...Object.keys(expected), ...Object.keys(seen)]);
  return [...names].flatMap((name) =>
    compareFields(
      check,
      Array.isArray(expected) ? `${path}[${name}]` : `${path}.${name}`,
      Reflect.get(expected, name),
      Reflect.get(seen, name),
    ),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function toText(value: unknown): string {
  if (value === undefined) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}
