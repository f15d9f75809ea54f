import ts from "typescript";

import type { Flow } from "./flow.ts";
import type { Position } from "./position.ts";

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

/** By the method that calls the function, or by calls in the file. */
export function positionOfParameter(flow: Flow, parameter: ts.ParameterDeclaration): Position | undefined {
  const owner = parameter.parent;
  const index = owner.parameters.indexOf(parameter);
  return ofCallback(flow, owner, index) ?? ofCalls(flow, owner, index);
}

function ofCallback(flow: Flow, callback: ts.Node, index: number): Position | undefined {
  const call = callback.parent;
  if (!ts.isCallExpression(call) || call.arguments[0] !== callback) return undefined;
  if (!ts.isPropertyAccessExpression(call.expression)) return undefined;
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

/** A function passed by name: `records.map(show)`. */
function ofReference(flow: Flow, symbol: ts.Symbol, index: number): Position | undefined {
  for (const reference of flow.source.handedOver(symbol)) {
    const position = ofCallback(flow, reference, index);
    if (position !== undefined) return position;
  }
  return undefined;
}

function symbolOfFunction({ source }: Flow, owner: ts.SignatureDeclaration): ts.Symbol | undefined {
  if (owner.name !== undefined) return source.symbolOf(owner.name);
  // `const show = memo((props) => …)` is known by the variable's name too.
  let parent: ts.Node = owner.parent;
  while (ts.isParenthesizedExpression(parent) || ts.isCallExpression(parent)) parent = parent.parent;
  return ts.isVariableDeclaration(parent) ? source.symbolOf(parent.name) : undefined;
}
