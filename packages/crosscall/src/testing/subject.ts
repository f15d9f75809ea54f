import type { Fill } from "./runFill.ts";

const CHECKS = "crosscall.checks";

/**
 * Values of an assertion. They are read when a matcher is called, because a chained word can change the flags before
 * the matcher runs.
 */
export interface AssertionSubject {
  readonly given: () => Promise<unknown>;
  readonly fill: () => Promise<Fill>;
  readonly isNegated: boolean;
  /** Negated after `not`. */
  readonly check: (condition: boolean, words: AssertionText) => void;
  /** Fails the assertion even after `not`. */
  readonly refuse: (message: string) => never;
}

export interface AssertionText {
  readonly message: string;
  /** After `not`. */
  readonly negated: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

export function subjectOf(
  { AssertionError }: Chai.ChaiStatic,
  utils: Chai.ChaiUtils,
  assertion: Chai.AssertionStatic,
): AssertionSubject {
  const given: unknown = utils.flag(assertion, "object");
  const isNegated = utils.flag(assertion, "negate") === true;
  const prefix: unknown = utils.flag(assertion, "message");
  // Captures the caller's stack, which is lost after an `await`.
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
    given: () => Promise.resolve(given),
    async fill() {
      const fill: unknown = await given;
      return isFill(fill) ? fill : fail("expected a fill: pass the result of forkFill, or its promise");
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

/** Makes the assertion awaitable. It passes if this check and the earlier checks in the chain pass. */
export function awaitCheck(utils: Chai.ChaiUtils, assertion: Chai.AssertionStatic, check: () => Promise<void>): void {
  // Stores the promise in a flag, because words in the chain create another assertion that only shares the flags.
  const before = utils.flag(assertion, CHECKS) as Promise<void> | undefined;
  const whole = before === undefined ? check() : before.then(check);
  utils.flag(assertion, CHECKS, whole);
  Object.assign(assertion, {
    then: whole.then.bind(whole),
    catch: whole.catch.bind(whole),
    finally: whole.finally.bind(whole),
  });
}
