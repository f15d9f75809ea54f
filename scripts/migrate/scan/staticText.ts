import ts from "typescript";

import type { Source } from "./parseSource.ts";
import { unwrap } from "./unwrap.ts";

/** Placeholder for parts of a text that are known only at run time. */
const UNKNOWN = "\uFFFF";

const MAX_DEPTH = 8;

/**
 * Undefined if the expression is not a text.
 *
 * @param source resolves names; absent to read literals only
 */
export function staticText(node: ts.Node, source?: Source, depth = 0): string | undefined {
  const bare = unwrap(node);
  const partOf = (part: ts.Node): string => staticText(part, source, depth + 1) ?? UNKNOWN;
  if (depth > MAX_DEPTH) return undefined;
  if (ts.isStringLiteralLike(bare)) return bare.text;
  if (ts.isTemplateExpression(bare)) {
    return bare.head.text + bare.templateSpans.map((span) => partOf(span.expression) + span.literal.text).join("");
  }
  if (ts.isBinaryExpression(bare) && bare.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return partOf(bare.left) + partOf(bare.right);
  }
  if (source === undefined) return undefined;
  if (ts.isNewExpression(bare) && bare.expression.getText() === "URL") {
    const [url, base] = bare.arguments ?? [];
    const texts = [url, base].flatMap((part) => (part === undefined ? [] : [partOf(part)]));
    return texts.length === 0 ? undefined : texts.toReversed().join("");
  }
  if (ts.isIdentifier(bare) || ts.isPropertyAccessExpression(bare)) {
    const declaration = source.symbolOf(ts.isIdentifier(bare) ? bare : bare.name)?.valueDeclaration;
    const hasValue =
      declaration !== undefined &&
      (ts.isVariableDeclaration(declaration) ||
        ts.isPropertyAssignment(declaration) ||
        ts.isPropertyDeclaration(declaration));
    return hasValue && declaration.initializer !== undefined
      ? staticText(declaration.initializer, source, depth + 1)
      : undefined;
  }
  return undefined;
}

export function listingOf(text: string | undefined): 2 | 3 | undefined {
  const version = /(?:^|[/\uFFFF])requests\/v([23])(?![\w-])/u.exec(text ?? "")?.[1];
  return version === undefined ? undefined : version === "2" ? 2 : 3;
}
