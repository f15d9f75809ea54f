import type ts from "typescript";

import { compiler } from "./compiler.ts";
import type { Flow, Position } from "./position.ts";
import { functionOf } from "./parseSource.ts";

const OF_EACH = new Set([
  "map",
  "flatMap",
  "forEach",
  "filter",
  "find",
  "findIndex",
  "findLast",
  "some",
  "every",
  "sort",
  "toSorted",
]);

/** Finds the position of a parameter: from the method to which the function is passed, or from calls in the file. */
export function positionOfParameter(flow: Flow, parameter: ts.ParameterDeclaration): Position | undefined {
  const owner = parameter.parent;
  const index = owner.parameters.indexOf(parameter);
  return ofCallback(flow, owner, index) ?? ofCalls(flow, owner, index);
}

function ofCallback(flow: Flow, callback: ts.Node, index: number): Position | undefined {
  const call = callback.parent;
  if (!compiler.isCallExpression(call) || call.arguments[0] !== callback) return undefined;
  if (!compiler.isPropertyAccessExpression(call.expression)) return undefined;
  const { expression, name } = call.expression;
  const base = flow.positionOf(expression);
  if (base === undefined) return undefined;
  if (name.text === "then") return index === 0 ? base : undefined;
  const isEntry = index < (name.text === "sort" || name.text === "toSorted" ? 2 : 1);
  if (OF_EACH.has(name.text)) return isEntry ? flow.step(base, "[]") : undefined;
  return name.text === "reduce" && index === 1 ? flow.step(base, "[]") : undefined;
}

function ofCalls(flow: Flow, owner: ts.SignatureDeclaration, index: number): Position | undefined {
  const symbol = symbolOfFunction(flow, owner);
  if (symbol === undefined) return undefined;
  for (const call of flow.source.callsOf(symbol)) {
    const argument = call.arguments[index];
    const position = argument && flow.positionOf(argument);
    if (position !== undefined) return position;
  }
  const usages = flow.source.usagesOf(symbol);
  return index === 0 && usages.length > 0 ? { kind: "props", usages } : ofReference(flow, symbol, index);
}

/** Handles a function passed by name: `records.map(show)`. */
function ofReference(flow: Flow, symbol: ts.Symbol, index: number): Position | undefined {
  for (const reference of flow.source.handedOver(symbol)) {
    const position = ofCallback(flow, reference, index);
    if (position !== undefined) return position;
  }
  return undefined;
}

function symbolOfFunction({ source }: Flow, owner: ts.SignatureDeclaration): ts.Symbol | undefined {
  if (owner.name !== undefined) return source.symbolOf(owner.name);
  // `const show = memo((props) => …)` is also known by the variable's name.
  let parent: ts.Node = owner.parent;
  while (compiler.isParenthesizedExpression(parent) || compiler.isCallExpression(parent)) parent = parent.parent;
  return compiler.isVariableDeclaration(parent) ? source.symbolOf(parent.name) : undefined;
}

const SAME_LIST = new Set(["filter", "slice", "sort", "toSorted", "reverse", "toReversed", "concat", "values"]);
const ONE_ENTRY = new Set(["find", "findLast", "at", "pop", "shift"]);
const SAME_VALUE = new Set(["JSON.parse", "structuredClone", "Promise.resolve", "Promise.all"]);
const UNPACKING = new Set(["json", "text", "clone", "unwrap", "toString", "catch", "finally"]);

export function positionOfCall(flow: Flow, call: ts.CallExpression): Position | undefined {
  const callee = call.expression;
  const [first] = call.arguments;
  if (SAME_VALUE.has(callee.getText())) return first && flow.positionOf(first);
  if (/^use(Memo|Callback)$/u.test(callee.getText())) return flow.positionOfResult(first);
  const ofMethod = compiler.isPropertyAccessExpression(callee) ? positionOfMethod(flow, callee, first) : undefined;
  return ofMethod ?? positionOfRequest(flow, call) ?? positionOfLocal(flow, callee);
}

function positionOfMethod(
  flow: Flow,
  callee: ts.PropertyAccessExpression,
  first: ts.Expression | undefined,
): Position | undefined {
  const base = flow.positionOf(callee.expression);
  if (base === undefined) return undefined;
  const name = callee.name.text;
  if (UNPACKING.has(name)) return base;
  if (name === "then") return flow.positionOfResult(first);
  if (SAME_LIST.has(name)) return base;
  if (ONE_ENTRY.has(name)) return flow.step(base, "[]");
  if (name === "flatMap") return flow.positionOfResult(first);
  if (name !== "map") return undefined;
  const element = flow.positionOfResult(first);
  return element && { kind: "list", element };
}

/**
 * Handles a call with a URL of the listing, or an object with such a URL: `fetch(url)`, `axios({ url })`,
 * `useSWR(url)`.
 */
function positionOfRequest(flow: Flow, call: ts.CallExpression): Position | undefined {
  for (const argument of call.arguments) {
    const position = flow.positionOf(argument);
    if (position?.kind === "url" || position?.kind === "response") return { ...position, kind: "response" };
    if (position?.kind === "object") {
      const url = flow.step(position, "url") ?? flow.step(position, "uri");
      if (url?.kind === "url") return { ...url, kind: "response" };
      const inner = positionOfQuery(flow, position.node);
      if (inner !== undefined) return { kind: "box", inner };
    }
  }
  return undefined;
}

/** Handles the result of the `queryFn` in a query hook's options. */
function positionOfQuery(flow: Flow, options: ts.ObjectLiteralExpression): Position | undefined {
  for (const property of options.properties) {
    if (property.name?.getText() !== "queryFn") continue;
    return flow.positionOfResult(compiler.isPropertyAssignment(property) ? property.initializer : property);
  }
  return undefined;
}

function positionOfLocal(flow: Flow, callee: ts.Expression): Position | undefined {
  if (callee.getText() === "listRequestsV2") return { kind: "records", version: 2, isCertain: true };
  const name = compiler.isPropertyAccessExpression(callee) ? callee.name : callee;
  const called = functionOf(flow.source.symbolOf(name));
  return called === undefined ? undefined : flow.positionOfResult(called);
}
