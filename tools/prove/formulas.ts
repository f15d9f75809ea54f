import { keccak256, toBytes } from "viem";

import { type AstNode, isNode, nodesIn, parse, rangeOf } from "../solidity/solc.ts";

// Formulas in SMT-LIB that only a counterexample satisfies, generated from the source. They are needed because the
// SMTChecker cannot handle 256 single bits and cannot read assembly.

const LOOKUPS = [
  "if ((_FIRST_BYTES >> uint8(bytes1(selector))) & 1 != 0) {",
  "if ((_REMAINDERS >> (uint32(selector) % _MODULUS)) & 1 != 0) isIncluded = _isListed(selector);",
];

/** Returns a formula that states that one of the bitmaps misses a selector in the list. */
export function missedSelector(source: string): string {
  if (!LOOKUPS.every((lookup) => source.includes(lookup))) {
    throw new Error("the proof does not fit DeniedSelectors.includes");
  }
  const [, firstBytes] = /_FIRST_BYTES = 0x([0-9a-f]{64});/u.exec(source) ?? [];
  const [, remainders] = /_REMAINDERS = 0x([0-9a-f]{64});/u.exec(source) ?? [];
  const [, modulus] = /_MODULUS = (\d+);/u.exec(source) ?? [];
  if (firstBytes === undefined || remainders === undefined || modulus === undefined) {
    throw new Error("the proof does not fit the constants of DeniedSelectors");
  }
  const names = [...source.matchAll(/selector\s*==\s*bytes4\(\s*keccak256\(\s*"([^"]+)"/gu)];
  const listed = names.map(([, name = ""]) => `(= selector #x${keccak256(toBytes(name)).slice(2, 10)})`);
  return `(set-logic QF_BV)
(declare-const selector (_ BitVec 32))
(define-fun index () (_ BitVec 256) (concat (_ bv0 248) ((_ extract 31 24) selector)))
(define-fun remainder () (_ BitVec 256) (concat (_ bv0 224) (bvurem selector (_ bv${modulus} 32))))
(assert (or ${listed.join(" ")}))
(assert (or
  (= ((_ extract 0 0) (bvlshr #x${firstBytes} index)) #b0)
  (= ((_ extract 0 0) (bvlshr #x${remainders} remainder)) #b0)))
(check-sat)`;
}

/**
 * Returns a formula that states that a write misses a part of its field or changes a byte around it, for a width from 1
 * to 32 bytes.
 */
export function wrongWrite(source: string): string {
  const functions = new Map(
    [...nodesIn(parse("PackedField.sol", source))]
      .filter(({ nodeType }) => nodeType === "FunctionDefinition")
      .map((node) => [String(node.name), node]),
  );
  const before = runAssembly(functions.get("read"), { memory: "before", results: {} });
  const after = runAssembly(functions.get("write"), { memory: "before", results: { was: before.results.field ?? "" } });
  const reread = runAssembly(functions.get("read"), { memory: after.memory, results: {} });
  const bits = "(bvmul (_ bv8 256) width)";
  const mask = `(bvsub (bvshl (_ bv1 256) ${bits}) (_ bv1 256))`;
  return `(set-logic QF_BV)
${["before", "data", "offset", "width", "value"].map((name) => `(declare-const ${name} (_ BitVec 256))`).join("\n")}
(define-fun field () (_ BitVec 256) value)
(assert (and (bvuge width (_ bv1 256)) (bvule width (_ bv32 256))))
(assert (= value (bvand value ${mask})))
(assert (not (and
  (= ${before.results.field ?? ""} (bvand before ${mask}))
  (= ${reread.results.field ?? ""} value)
  (= (bvand ${after.memory} (bvnot ${mask})) (bvand before (bvnot ${mask}))))))
(check-sat)`;
}

/** Calls by the receiver that transfer funds or give control to a token. */
const MOVES: ReadonlySet<string> = new Set([
  "_deliver",
  "_pull",
  "call",
  "depositNative",
  "permit",
  "permitWitnessTransferFrom",
]);

/** Returns a formula that states that a function of the receiver transfers funds before it accepts the request. */
export function moveBeforeAccept(source: string): string {
  const functions = [...nodesIn(parse("RequestReceiver.sol", source))].filter(
    ({ nodeType, visibility, name }) =>
      nodeType === "FunctionDefinition" && visibility === "external" && String(name).startsWith("pay"),
  );
  if (functions.length !== 4) throw new Error("the proof does not fit the functions of RequestReceiver");
  const faults = functions.flatMap((definition) => {
    const calls = [...nodesIn(definition)]
      .filter(({ nodeType }) => nodeType === "FunctionCall")
      .map((node) => ({ name: nameOfCalled(node.expression), start: rangeOf(node).start }));
    const accepted = calls.find(({ name }) => name === "_accept")?.start;
    const moves = calls.filter(({ name }) => MOVES.has(name));
    if (accepted === undefined || moves.length === 0) return ["true"];
    return moves.map(({ start }) => `(<= ${start} ${accepted})`);
  });
  return `(set-logic QF_LIA)\n(assert (or ${faults.join(" ")}))\n(check-sat)`;
}

function nameOfCalled(expression: unknown): string {
  if (!isNode(expression)) return "";
  // The call has options, such as `solver.call{value: amount}`.
  if (expression.nodeType === "FunctionCallOptions") return nameOfCalled(expression.expression);
  const { memberName, name } = expression;
  return typeof memberName === "string" ? memberName : String(name);
}

interface State {
  /** Word that ends with the field. Both functions must use only this word. */
  readonly memory: string;
  readonly results: Readonly<Record<string, string>>;
}

const TERMS: Readonly<Record<string, string>> = {
  add: "bvadd",
  and: "bvand",
  or: "bvor",
  sub: "bvsub",
  xor: "bvxor",
};

const PLACE = "(bvadd (bvadd data offset) width)";

/** Returns the terms that the assembly of a function computes. */
function runAssembly(definition: AstNode | undefined, { memory, results }: State): State {
  const values = new Map(Object.entries(results));
  let word = memory;
  const block = [...nodesIn(definition)].find(({ nodeType }) => nodeType === "InlineAssembly");
  const body = isNode(block?.AST) ? block.AST.statements : undefined;
  if (!Array.isArray(body)) throw new Error("the proof does not fit PackedField");
  for (const statement of body.filter(isNode)) {
    const names: readonly unknown[] = [statement.variables, statement.variableNames].find(Array.isArray) ?? [];
    const [variable] = names;
    if (isNode(variable)) {
      values.set(String(variable.name), term(statement.value));
    } else {
      const [place, value] = argumentsOf(statement.expression, "mstore");
      word = requirePlace(term(place), term(value));
    }
  }
  return { memory: word, results: Object.fromEntries(values) };

  function term(node: unknown): string {
    if (!isNode(node)) throw new Error("the proof does not fit PackedField");
    if (node.nodeType === "YulIdentifier") return values.get(String(node.name)) ?? String(node.name);
    if (node.nodeType === "YulLiteral") return `(_ bv${BigInt(String(node.value))} 256)`;
    const name = isNode(node.functionName) ? String(node.functionName.name) : "";
    const operands = argumentsOf(node, name);
    if (name === "mload") return requirePlace(term(operands[0]), word);
    // In Yul, the number of bits comes first.
    if (name === "shl") return `(bvshl ${term(operands[1])} ${term(operands[0])})`;
    if (name === "shr") return `(bvlshr ${term(operands[1])} ${term(operands[0])})`;
    const operation = TERMS[name];
    if (operation === undefined) throw new Error(`the proof of PackedField does not support ${name}`);
    return `(${operation} ${operands.map(term).join(" ")})`;
  }
}

function argumentsOf(call: unknown, name: string): readonly unknown[] {
  const isCall = isNode(call) && isNode(call.functionName) && call.functionName.name === name;
  if (!isCall || !Array.isArray(call.arguments)) throw new Error(`the proof of PackedField expects ${name}`);
  return call.arguments;
}

function requirePlace(place: string, value: string): string {
  if (place !== PLACE) throw new Error(`the proof of PackedField does not support memory at ${place}`);
  return value;
}
