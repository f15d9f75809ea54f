import type { Fill } from "./fill.ts";

/** The flag with the checks of a chain so far. */
const CHECKS = "crosscall.checks";

/** What a matcher needs of chai, taken when it is called: the words behind it may change the flags before it is run. */
export interface AssertionSubject {
  /** The fill, once it is made. */
  readonly fill: () => Promise<Fill>;
  readonly isNegated: boolean;
  /** Fails unless the condition holds, or does not where the matcher stands behind `not`. */
  readonly check: (condition: boolean, words: AssertionText) => void;
  /** Fails, whether the matcher stands behind `not` or not. */
  readonly refuse: (message: string) => never;
}

/** What a failed matcher says: what was seen, and what was expected. */
export interface AssertionText {
  readonly message: string;
  /** For a matcher behind `not`. */
  readonly negated: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** Takes the fill, or the promise of one, that a chain of chai is about. */
export function subjectOf(
  { AssertionError }: Chai.ChaiStatic,
  utils: Chai.ChaiUtils,
  assertion: Chai.AssertionStatic,
): AssertionSubject {
  const given: unknown = utils.flag(assertion, "object");
  const isNegated = utils.flag(assertion, "negate") === true;
  const prefix: unknown = utils.flag(assertion, "message");
  // The line of the test: once something was awaited, no stack has it.
  const line: { stack?: string } = {};
  Error.captureStackTrace(line, utils.flag(assertion, "ssfi") as () => void);
  const fail = (message: string, { expected, actual }: Partial<AssertionText> = {}): never => {
    const error = new AssertionError(typeof prefix === "string" ? `${prefix}: ${message}` : message, {
      expected,
      actual,
      showDiff: expected !== undefined && !isNegated,
    });
    error.stack = `${error.name}: ${error.message}${line.stack?.slice(line.stack.indexOf("\n")) ?? ""}`;
    throw error;
  };
  return {
    isNegated,
    async fill() {
      const fill: unknown = await given;
      return isFill(fill) ? fill : fail("expected a fill: give what forkFill answers, or the promise of it");
    },
    check(condition, words) {
      if (condition === isNegated) fail(isNegated ? words.negated : words.message, words);
    },
    refuse: (message) => fail(message),
  };
}

function isFill(value: unknown): value is Fill {
  return typeof value === "object" && value !== null && "verdict" in value && "leftovers" in value;
}

/** Makes an assertion of chai one to be awaited: it holds when this check and those before it in the chain hold. */
export function awaitCheck(utils: Chai.ChaiUtils, assertion: Chai.AssertionStatic, check: () => Promise<void>): void {
  // AssertionText between make another assertion of it, which has the flags and nothing else.
  const before = utils.flag(assertion, CHECKS) as Promise<void> | undefined;
  const whole = before === undefined ? check() : before.then(check);
  utils.flag(assertion, CHECKS, whole);
  Object.assign(assertion, {
    then: whole.then.bind(whole),
    catch: whole.catch.bind(whole),
    finally: whole.finally.bind(whole),
  });
}
