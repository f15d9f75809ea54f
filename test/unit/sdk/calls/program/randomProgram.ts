import { type AbiFunction, type AbiParameter, type Address, getAddress, type Hex, numberToHex } from "viem";

import { live } from "../../../../../packages/sdk/src/calls/program/live.ts";
import { packed } from "../../../../../packages/sdk/src/calls/program/packed.ts";
import { isPlaceholder, type ProgramAmount } from "../../../../../packages/sdk/src/calls/program/placeholder.ts";
import type { FunctionStep, Program, ProgramPolicy } from "../../../../../packages/sdk/src/calls/program/program.ts";
import { returned } from "../../../../../packages/sdk/src/calls/program/returned.ts";

/** Random number generator that repeats for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  bytes(count: number): Hex {
    return `0x${Array.from({ length: count }, () => this.below(256).toString(16).padStart(2, "0")).join("")}`;
  }

  /** Returns a number with a random number of bits, so that small numbers also occur. */
  bits(most: number): bigint {
    const bits = this.below(most + 1);
    return bits === 0 ? 0n : BigInt(this.bytes(32)) >> BigInt(256 - bits);
  }

  account(): Address {
    return getAddress(this.bytes(20));
  }

  list<Item>(most: number, make: (index: number) => Item): Item[] {
    return Array.from({ length: this.below(most + 1) }, (_, index) => make(index));
  }

  oneOf<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }
}

/** Accounts and limits of the random programs. */
export interface RandomProgramParameters {
  readonly tokens: readonly Address[];
  readonly targets: readonly Address[];
  readonly policy?: ProgramPolicy;
  /** Whether programs can have minimums and large fixed amounts. Without them, programs run successfully. */
  readonly hasBounds?: boolean;
}

const WIDTHS = [16, 20, 32] as const;
const PLAIN_TYPES = ["address", "bool", "string", "bytes32", "uint8", "int256", "uint160", "bytes"] as const;
const AMOUNT_TYPES = ["uint256", "uint256", "uint160", "uint128", "uint200", "int256", "int168", "bytes"] as const;

/** Returns a program that the executor must accept, with functions, arguments and amounts of any kind. */
export function randomProgram(random: Random, parameters: RandomProgramParameters): Program {
  const { tokens, policy, hasBounds = true } = parameters;
  const declared = [...tokens, "native" as const].filter(() => random.chance(80));
  const drawnBps = new Map<Address | "native", number>();
  return {
    recipient: random.account(),
    ...(random.chance(50) ? { deadline: 2n ** 40n - 1n - random.bits(30) } : {}),
    ...(policy === undefined ? {} : { policy }),
    tokens: declared.map((token) => ({
      token,
      ...(hasBounds && random.chance(30) ? {} : { minimumIn: hasBounds ? random.bits(256) : 0n }),
      ...(token !== "native" && random.chance(30) ? { keepUnit: true } : {}),
    })),
    checks: random.list(hasBounds ? 3 : 0, () => ({ token: random.account(), minimumOut: random.bits(256) })),
    steps: random.list(4, (index) => randomStep(random, index, parameters, declared, drawnBps)),
  };
}

function randomStep(
  random: Random,
  index: number,
  { targets, hasBounds = true }: RandomProgramParameters,
  declared: readonly (Address | "native")[],
  drawnBps: Map<Address | "native", number>,
): FunctionStep {
  const used = declared.filter(() => random.chance(60));
  const drawn = used.map((token) => {
    const left = 10_000 - (drawnBps.get(token) ?? 0);
    const shareBps = random.chance(50) ? left : 1 + random.below(left);
    drawnBps.set(token, shareBps === left ? 0 : 10_000 - left + shareBps);
    const approve = random.chance(50) ? "target" : random.account();
    return live(token, { shareBps, ...(token !== "native" && random.chance(50) ? { approve } : {}) });
  });
  const amounts: ProgramAmount[] = [
    ...drawn,
    ...(index === 0 ? [] : random.list(2, () => returned(random.below(16), { shareBps: 1 + random.below(10_000) }))),
  ];
  const native = drawn[used.indexOf("native")];
  // Every draw must be used. Otherwise the program's shares would differ from the shares that the test counts.
  const inputs = [
    ...amounts.map(() => amountParameter(random, 2)),
    ...random.list(3, () => plainParameter(random)),
  ].map((parameter, position) => ({ ...parameter, name: `argument${position}` }));
  const args = inputs.map((input, position) => randomValue(random, input, amounts[position], amounts));
  const item: AbiFunction = {
    type: "function",
    name: `call${random.below(1_000_000)}`,
    inputs,
    outputs: [],
    stateMutability: "payable",
  };
  const fixed =
    declared.includes("native") && native === undefined && random.chance(30) ? random.bits(hasBounds ? 128 : 8) : 0n;
  return {
    target: random.oneOf(targets),
    abi: [item],
    functionName: item.name,
    args,
    ...(native !== undefined && random.chance(60) ? { value: native } : { value: fixed }),
  };
}

/** Returns a type with a place for an amount. */
function amountParameter(random: Random, depth: number): AbiParameter {
  const type = random.oneOf(AMOUNT_TYPES);
  const shape = depth === 0 ? 0 : random.below(5);
  if (shape === 1) return { type: `${type}[]` };
  if (shape === 2) return { type: `${type}[2]` };
  if (shape < 3) return { type };
  const components = [plainParameter(random), amountParameter(random, depth - 1), plainParameter(random)];
  return {
    type: shape === 3 ? "tuple" : "tuple[]",
    components: components.map((component, index) => ({ ...component, name: `member${index}` })),
  };
}

function plainParameter(random: Random): AbiParameter {
  return { type: random.oneOf(PLAIN_TYPES) };
}

/**
 * Returns a value of a type. The first place for an amount contains the given amount. The others can contain any value.
 */
function randomValue(
  random: Random,
  parameter: AbiParameter,
  amount: ProgramAmount | undefined,
  amounts: readonly ProgramAmount[],
): unknown {
  const { type } = parameter;
  const array = /^(.*)\[(\d*)\]$/u.exec(type);
  if (array !== null) {
    const element = { ...parameter, type: array[1] ?? "" };
    const length = array[2] === "" ? 1 + random.below(3) : Number(array[2]);
    return Array.from({ length }, (_, index) => {
      const other = random.chance(30) ? random.oneOf(amounts) : undefined;
      return randomValue(random, element, index === 0 ? amount : other, amounts);
    });
  }
  if (type === "tuple" && "components" in parameter) {
    return Object.fromEntries(
      parameter.components.map((component, index) => [
        component.name,
        randomValue(random, component, index === 1 ? amount : undefined, amounts),
      ]),
    );
  }
  if (amount !== undefined && type === "bytes") {
    const width = random.oneOf(WIDTHS);
    const before = random.below(40);
    return packed(random.bytes(before + width + random.below(40)), [{ offset: before, width, amount }]);
  }
  if (amount !== undefined) return amount;
  switch (type) {
    case "address":
      return random.account();
    case "bool":
      return random.chance(50);
    case "string":
      return random.bytes(random.below(40));
    case "bytes":
      return random.bytes(random.below(70));
    case "bytes32":
      return random.bytes(32);
    case "uint8":
      return random.below(256);
    default:
      return random.bits(127);
  }
}

/** Returns arguments with a number in place of each amount, without using the encoder. */
export function fillAmounts(value: unknown, numberOf: (amount: ProgramAmount) => bigint): unknown {
  if (isPlaceholder(value)) {
    if (!("bytes" in value)) return numberOf(value);
    return value.fields.reduce<Hex>(
      (bytes, { offset, width, amount }) => writeNumber(bytes, offset, width, numberOf(amount)),
      value.bytes,
    );
  }
  if (Array.isArray(value)) return value.map((part) => fillAmounts(part, numberOf));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fillAmounts(part, numberOf)]));
}

/** Returns the bytes with a number at an offset, truncated to the given width. */
export function writeNumber(bytes: Hex, offset: number, width: number, number: bigint): Hex {
  const written = numberToHex(number % 2n ** BigInt(8 * width), { size: width }).slice(2);
  return `0x${bytes.slice(2, 2 + 2 * offset)}${written}${bytes.slice(2 + 2 * (offset + width))}`;
}
