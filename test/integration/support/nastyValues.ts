import fc from "fast-check";

/** Texts that break careless code. */
const NASTY_TEXTS = [
  "",
  " ",
  "\0",
  "\ud800",
  "\u202e",
  "'; drop table requests; --",
  "' or 1=1 --",
  '" or ""="',
  "1); delete from api_keys where (1=1",
  "$1",
  "%00",
  "%",
  "_",
  "\\",
  "../../etc/passwd",
  "${7*7}",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "null",
  "undefined",
  "NaN",
  "true",
  "-0",
  "1e400",
  "0x",
  "0X1F",
  "-1",
  "1.5",
  "9".repeat(400),
  `0x${"f".repeat(64)}`,
  `0x${"F".repeat(40)}`,
  `0x${"g".repeat(64)}`,
  `0x${"0".repeat(40)}`,
  "11111111111111111111111111111111",
  "0",
  "3",
  "x".repeat(10_000),
  "😀".repeat(1_000),
];

/** Values that no field accepts. */
export const nastyValue = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...NASTY_TEXTS) },
    {
      weight: 3,
      arbitrary: fc.constantFrom<unknown>(
        null,
        true,
        false,
        0,
        -0,
        -1,
        1.5,
        1e21,
        1e308,
        2 ** 53,
        -(2 ** 63),
        [],
        {},
        [[]],
        [null],
        [{ to: null }],
      ),
    },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 100 }) },
  );

/** Path segments that break careless code. */
export const NASTY_PATHS: readonly string[] = [
  "%00",
  "%E0%A4%A",
  "%c0%ae",
  "%2e%2e%2f",
  "a%2Fb",
  "%27%20or%201=1",
  "__proto__",
];

/** Texts that no field accepts. */
export const nastyText = (): fc.Arbitrary<string> =>
  fc.oneof(fc.constantFrom(...NASTY_TEXTS), fc.string({ unit: "binary", maxLength: 50 }));

/** Bodies that are invalid JSON, or are too large or nested too deeply for a parser. */
export const BROKEN_BODIES: readonly string[] = [
  "",
  "{",
  "nul",
  "[".repeat(100_000),
  `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
  '{"a":'.repeat(5_000) + "1" + "}".repeat(5_000),
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"amount":1e999999}',
  `{"amount":${"9".repeat(5_000)}}`,
  '{"a":1,"a":2}',
  "\ufeff{}",
  '"text"',
  "5",
  "null",
  "[]",
  `"${"x".repeat(2_000_000)}"`,
];

/** Bodies that are invalid JSON, including random text. */
export const brokenBody = (): fc.Arbitrary<string> =>
  fc.oneof(fc.constantFrom(...BROKEN_BODIES), fc.string({ unit: "binary", maxLength: 200 }));
