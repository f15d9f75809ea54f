import { isObject, type Keys } from "../schema/json.ts";

/** A JSON object. */
export type Tree = Record<string, unknown>;

/** Maximum depth: deeper than any record of the service, and safe for the call stack. */
const MAX_COMPARED_DEPTH = 64;

/** Returns an own field of the object, or undefined if absent. */
export function ownField(tree: unknown, key: string): unknown {
  return isObject(tree) && Object.hasOwn(tree, key) ? tree[key] : undefined;
}

/** Returns the value at a path through objects, or undefined if absent. */
export function valueAt(tree: unknown, keys: readonly string[]): unknown {
  return keys.reduce(ownField, tree);
}

/** Sets a field of an object safely: a plain assignment of `__proto__` would change its prototype. */
export function setField(tree: Tree, key: string, value: unknown): void {
  Object.defineProperty(tree, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Whether two JSON values are equal; false if they are nested too deeply to compare. */
export function isSame(left: unknown, right: unknown, depth = 0): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (depth === MAX_COMPARED_DEPTH || Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame((left as Tree)[name], (right as Tree)[name], depth + 1))
  );
}

/** Lists the primitive values of a JSON value with their paths, without nulls. */
export function listLeaves(root: unknown, at: Keys): { keys: Keys; value: unknown }[] {
  const leaves: { keys: Keys; value: unknown }[] = [];
  // Uses a work list instead of recursion, because unknown values can have unlimited nesting.
  const open: { keys: Keys; value: unknown }[] = [{ keys: at, value: root }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { keys, value } = next;
    if (value === null || value === undefined) continue;
    if (typeof value !== "object") {
      leaves.push(next);
      continue;
    }
    const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    open.push(...inner.toReversed().map(([key, part]) => ({ keys: [...keys, key], value: part as unknown })));
  }
  return leaves;
}
