import type ts from "typescript";

import { compiler } from "./compiler.ts";
import { FIRST_LISTING_ENDED, type Read, QUERY_RULES, type QueryRule, SECOND_LISTING_ENDED } from "./rules.ts";
import type { Flow } from "./position.ts";
import { isFirstListing, listingOf, nameOfAccess, staticText, unwrap } from "./parseSource.ts";

const OPTIONS_OF_QUERY = new Set(["params", "qs", "query", "searchParams"]);
const ADDING = new Set(["set", "append"]);

/** Finds a URL of the v2 listing in a text, and its query parameters that v3 does not support. */
export function readsOfText(flow: Flow, node: ts.Node): Read[] {
  const isText = compiler.isStringLiteralLike(node) || compiler.isTemplateExpression(node) || isConcatenation(node);
  if (!isText || isConcatenation(node.parent)) return [];
  const text = staticText(node, flow.source);
  if (listingOf(text) !== 2) return [];
  // If a variable holds the URL, the URL is reported at its definition.
  const isHere = listingOf(staticText(node)) === 2 || !namesOf(node).some((name) => isV2Text(flow, name));
  const code = node.getText();
  const start = node.getStart();
  const isFirst = isFirstListing(text);
  const replaced = isFirst ? code.replace("/requests", "/requests/v3") : code.replace("requests/v2", "requests/v3");
  const url: Read = {
    start,
    code,
    // Text with spaces is prose, not a URL.
    confidence: /\s/u.test(text ?? "") ? "likely" : "certain",
    reads: isFirst ? "GET /requests" : "GET /requests/v2",
    // The URL can be written in parts.
    replacement: replaced === code ? "/requests/v3" : replaced,
    reason: isFirst ? FIRST_LISTING_ENDED : SECOND_LISTING_ENDED,
  };
  const queries = [...code.matchAll(/[?&](hash|referrer)=/gu)].flatMap((match) =>
    queryRead(match[1], start + match.index + 1, match[0].slice(1), ({ name }) => `${name}=`),
  );
  // URLs of the first version with their host are found in any text.
  const isFound = isFirst && isFirstListing(code);
  return [
    ...(isHere && !isFound ? [url] : []),
    ...queries,
    ...namesOf(node).flatMap((name) => readsOfParams(flow, name)),
  ];
}

/** Finds `url.search = new URLSearchParams({ hash })` on a v2 URL. */
export function readsOfSearch(flow: Flow, node: ts.Node): Read[] {
  if (!compiler.isBinaryExpression(node) || node.operatorToken.kind !== compiler.SyntaxKind.EqualsToken) return [];
  const { left, right } = node;
  const isSearch =
    compiler.isPropertyAccessExpression(left) && left.name.text === "search" && isV2Text(flow, left.expression);
  return isSearch ? readsOfParams(flow, right) : [];
}

/** Finds query parameters in a call's options, or added to a URL. */
export function readsOfCall(flow: Flow, node: ts.Node): Read[] {
  if (!compiler.isCallExpression(node)) return [];
  const added = isAddedToUrl(flow, node) ? readOfAdding(node) : [];
  if (isQueryOf(flow, node)) return node.arguments.flatMap((argument) => readsOfParams(flow, argument));
  const isV2 = node.arguments.some((argument) => isV2Text(flow, argument)) || isRequestOf(flow, node);
  if (!isV2) return added;
  const objects = node.arguments.flatMap((argument) =>
    compiler.isObjectLiteralExpression(argument) ? [argument] : [],
  );
  const options = objects.flatMap(({ properties }) =>
    properties.flatMap((property) =>
      // For example, `getJson(url, { hash })`. A referrer can be an option of fetch.
      property.name?.getText() === "hash"
        ? readOfKey(property)
        : compiler.isPropertyAssignment(property) && OPTIONS_OF_QUERY.has(property.name.getText())
          ? readsOfParams(flow, property.initializer)
          : compiler.isShorthandPropertyAssignment(property) && OPTIONS_OF_QUERY.has(property.name.text)
            ? readsOfParams(flow, property)
            : [],
    ),
  );
  return [...added, ...options];
}

/** Returns whether the call is like `get(url).query({ hash })` for a v2 URL. */
function isQueryOf(flow: Flow, { expression }: ts.CallExpression): boolean {
  if (!compiler.isPropertyAccessExpression(expression) || expression.name.text !== "query") return false;
  const position = flow.positionOf(expression.expression);
  return position?.kind === "response" && position.version === 2;
}

/** Returns whether the call is like `axios({ url, params })`. */
function isRequestOf(flow: Flow, node: ts.CallExpression): boolean {
  return node.arguments.some((argument) => {
    const position = flow.positionOf(argument);
    const url = position?.kind === "object" ? (flow.step(position, "url") ?? flow.step(position, "uri")) : undefined;
    return url?.kind === "url" && url.version === 2;
  });
}

/** Returns whether the call is like `url.searchParams.set("hash", …)` on a v2 URL. */
function isAddedToUrl(flow: Flow, { expression }: ts.CallExpression): boolean {
  if (!compiler.isPropertyAccessExpression(expression) || !ADDING.has(expression.name.text)) return false;
  const params = unwrap(expression.expression);
  return (
    nameOfAccess(params) === "searchParams" &&
    compiler.isPropertyAccessExpression(params) &&
    isV2Text(flow, params.expression)
  );
}

function readOfAdding({ arguments: [name] }: ts.CallExpression): Read[] {
  if (name === undefined || !compiler.isStringLiteralLike(name)) return [];
  return queryRead(name.text, name.getStart(), name.getText(), (rule) => JSON.stringify(rule.name));
}

/** Finds the keys of an object or `URLSearchParams` for a v2 URL. */
function readsOfParams(flow: Flow, node: ts.Node, depth = 0): Read[] {
  const inner = unwrap(node);
  const readAll = (nodes: readonly ts.Node[]): Read[] => nodes.flatMap((each) => readsOfParams(flow, each, depth + 1));
  if (depth > 6) return [];
  if (compiler.isCallExpression(inner) && compiler.isPropertyAccessExpression(inner.expression)) {
    return readAll([inner.expression.expression, ...inner.arguments]);
  }
  if (compiler.isNewExpression(inner)) return readAll(inner.arguments ?? []);
  if (compiler.isConditionalExpression(inner)) return readAll([inner.whenTrue, inner.whenFalse]);
  if (compiler.isObjectLiteralExpression(inner)) {
    return inner.properties.flatMap((property) =>
      compiler.isSpreadAssignment(property) ? readAll([property.expression]) : readOfKey(property),
    );
  }
  if (compiler.isArrayLiteralExpression(inner)) return inner.elements.flatMap(readOfPair);
  if (compiler.isTemplateExpression(inner)) {
    return [...readsOfQuery(inner.head), ...inner.templateSpans.flatMap(({ literal }) => readsOfQuery(literal))].concat(
      readAll(inner.templateSpans.map(({ expression }) => expression)),
    );
  }
  if (compiler.isBinaryExpression(inner)) return readAll([inner.left, inner.right]);
  if (compiler.isStringLiteralLike(inner)) return readsOfQuery(inner);
  if (!compiler.isIdentifier(inner) && !compiler.isShorthandPropertyAssignment(inner)) return [];
  const symbol = flow.source.symbolOf(inner);
  const declaration = symbol?.valueDeclaration;
  if (symbol === undefined || declaration === undefined || !compiler.isVariableDeclaration(declaration)) return [];
  const initial = declaration.initializer === undefined ? [] : readsOfParams(flow, declaration.initializer, depth + 1);
  return [
    ...initial,
    ...flow.source.methodCallsOf(symbol).filter(isAdding).flatMap(readOfAdding),
    ...flow.source.membersSetOf(symbol).flatMap(readOfMember),
  ];
}

/** Finds the key of an assignment such as `params.hash = …`. */
function readOfMember(member: ts.AccessExpression): Read[] {
  const isDotted = compiler.isPropertyAccessExpression(member);
  const key = isDotted ? member.name : member.argumentExpression;
  return queryRead(nameOfAccess(member), key.getStart(), key.getText(), ({ name }) =>
    isDotted ? name : JSON.stringify(name),
  );
}

/** Finds the key of an entry of `new URLSearchParams([["hash", …]])`. */
function readOfPair(entry: ts.Expression): Read[] {
  const pair = unwrap(entry);
  const name = compiler.isArrayLiteralExpression(pair) ? pair.elements[0] : undefined;
  if (name === undefined || !compiler.isStringLiteralLike(name)) return [];
  return queryRead(name.text, name.getStart(), name.getText(), (rule) => JSON.stringify(rule.name));
}

/** Finds the keys of a query string that is not part of a URL. */
function readsOfQuery(node: ts.Node): Read[] {
  const code = node.getText();
  return [...code.matchAll(/(?<=^.|[?&])(hash|referrer)=/gu)].flatMap((match) =>
    queryRead(match[1], node.getStart() + match.index, match[0], ({ name }) => `${name}=`),
  );
}

function isAdding({ expression }: ts.CallExpression): boolean {
  return compiler.isPropertyAccessExpression(expression) && ADDING.has(expression.name.text);
}

function readOfKey(property: ts.ObjectLiteralElementLike): Read[] {
  const name = property.name;
  if (name === undefined || (!compiler.isIdentifier(name) && !compiler.isStringLiteralLike(name))) return [];
  const given = compiler.isPropertyAssignment(property) ? property.initializer.getText() : name.text;
  return queryRead(name.text, property.getStart(), property.getText(), (rule) => `${rule.name}: ${given}`);
}

function queryRead(name: string | undefined, start: number, code: string, write: (rule: QueryRule) => string): Read[] {
  const rule = QUERY_RULES.get(name ?? "");
  if (rule === undefined) return [];
  const { reason } = rule;
  return [{ start, code, confidence: "certain", reads: `query ${name ?? ""}`, replacement: write(rule), reason }];
}

function isV2Text(flow: Flow, node: ts.Node): boolean {
  const position = flow.positionOf(node);
  return position?.kind === "url" && position.version === 2;
}

function isConcatenation(node: ts.Node): boolean {
  return compiler.isBinaryExpression(node) && node.operatorToken.kind === compiler.SyntaxKind.PlusToken;
}

function namesOf(node: ts.Node): ts.Node[] {
  if (compiler.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression);
  if (!compiler.isBinaryExpression(node)) return [];
  return [node.left, node.right].flatMap((part) =>
    isConcatenation(part) ? namesOf(part) : compiler.isStringLiteralLike(part) ? [] : [part],
  );
}
