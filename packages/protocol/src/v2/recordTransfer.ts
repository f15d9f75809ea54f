import { formatPath, isObject, type Keys } from "../schema/json.ts";
import { isSame, listLeaves, ownField, setField, type Tree } from "./jsonTree.ts";

/** v2 value that has no place in v3. */
export interface LostValue {
  /** JSON path in the v2 record: `data.feesUsd.gas`. */
  readonly path: string;
  readonly value: unknown;
  /** Reason why v3 has no place for the value. */
  readonly reason: string;
}

/** Value in the v3 record that the v2 record does not state. */
export interface Assumption {
  /** JSON path in the v3 record: `data.route.actual`. */
  readonly path: string;
  readonly reason: string;
}

/** Path through objects. */
type Names = readonly string[];

/**
 * Conversion of a v2 record to v3. Takes values from the source and places them in the target, so that unused values
 * remain at the end. Never changes the source record, which shares unchanged parts with the new record.
 */
export class RecordTransfer {
  readonly record: Tree = {};
  readonly lost: LostValue[] = [];
  readonly assumed: Assumption[] = [];
  readonly #rest: Tree;
  /** Objects created by this conversion, which it can change. */
  readonly #own = new WeakSet<object>();

  constructor(source: object) {
    this.#rest = { ...source };
    this.#own.add(this.#rest).add(this.record);
  }

  /** Returns the remaining source value at a path. */
  peek(from: Names): unknown {
    return from.reduce(ownField, this.#rest);
  }

  /** Removes a value from the source, and objects that become empty. */
  take(from: Names): unknown {
    const value = this.peek(from);
    if (value !== undefined) removeAt(this.#rest, from, this.#own);
    return value;
  }

  /** Moves a value to another path. */
  move(from: Names, to: Names): void {
    this.place(this.take(from), to, from);
  }

  /** Removes a value without a place in v3, and lists it as lost. */
  lose(from: Names, reason: string): void {
    this.loseValue(this.take(from), from, reason);
  }

  /** Lists every part of a removed value without a place. */
  loseValue(value: unknown, from: Keys, reason: string): void {
    for (const leaf of listLeaves(value, from)) {
      this.lost.push({ path: formatPath(leaf.keys), value: leaf.value, reason });
    }
  }

  /** Records an assumption about a path of the v3 record. */
  assume(at: Names, reason: string): void {
    this.assumed.push({ path: formatPath(at), reason });
  }

  /** Places a value. An existing value stays; differing parts of the new one are listed as lost. */
  place(value: unknown, to: Names, from: Keys): void {
    if (value === undefined) return;
    const open: { value: unknown; to: Names; from: Keys }[] = [{ value, to, from }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const parts = this.#placeWhole(next.value, next.to, next.from);
      const { to: at, from: origin } = next;
      open.push(...parts.map(([key, part]) => ({ value: part, to: [...at, key], from: [...origin, key] })));
    }
  }

  /** Places all remaining values at their original paths. */
  passRest(): void {
    for (const key of Object.keys(this.#rest)) this.move([key], [key]);
  }

  /** @returns the parts of the value to place individually, because the path is occupied */
  #placeWhole(value: unknown, to: Names, from: Keys): [string, unknown][] {
    const name = to.at(-1);
    const parent = this.#objectAt(to.slice(0, -1));
    if (name === undefined || parent === undefined) {
      this.loseValue(value, from, `v3 has a different value at ${formatPath(to.slice(0, -1))}`);
      return [];
    }
    const present = ownField(parent, name);
    if (present === undefined || present === null) setField(parent, name, value);
    else if (isObject(present) && isObject(value)) return Object.entries(value);
    else if (!isSame(present, value)) this.loseValue(value, from, `v3 has a different value at ${formatPath(to)}`);
    return [];
  }

  /**
   * Returns the object at a path of the v3 record, or undefined if the path has a different value. Creates a missing
   * object.
   */
  #objectAt(at: Names): Tree | undefined {
    let tree = this.record;
    for (const name of at) {
      const present = ownField(tree, name);
      if (present !== undefined && present !== null && !isObject(present)) return undefined;
      tree = ownChild(tree, name, this.#own);
    }
    return tree;
  }
}

/** Returns the object in a field, copied if needed so that it can be changed. */
function ownChild(tree: Tree, name: string, own: WeakSet<object>): Tree {
  const present = ownField(tree, name);
  if (isObject(present) && own.has(present)) return present;
  const child = isObject(present) ? { ...present } : {};
  own.add(child);
  setField(tree, name, child);
  return child;
}

function removeAt(tree: Tree, [name = "", ...inner]: Names, own: WeakSet<object>): void {
  if (inner.length > 0) {
    const child = ownChild(tree, name, own);
    removeAt(child, inner, own);
    if (Object.keys(child).length > 0) return;
  }
  Reflect.deleteProperty(tree, name);
}
