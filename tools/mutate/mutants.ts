import { applyEdits, type AstNode, type Edit, isNode, nodesIn, parse, rangeOf } from "../solidity/solc.ts";

/** One fault in a source. */
export interface Mutant {
  readonly line: number;
  readonly source: string;
}

const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  "==": ["!="],
  "!=": ["=="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "&&": ["||"],
  "||": ["&&"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "&": ["|"],
  "|": ["&"],
  "<<": [">>"],
  ">>": ["<<"],
};

/** Replacements in assembly, by function name. */
const FUNCTIONS: Readonly<Record<string, string>> = {
  add: "sub",
  sub: "add",
  shl: "shr",
  shr: "shl",
  and: "or",
  or: "and",
  xor: "or",
  gt: "lt",
  lt: "gt",
  eq: "xor",
};

/**
 * Lists all mutants of a source: changed operators, conditions and numbers, and deleted statements and modifiers.
 *
 * @throws Error if the source does not parse
 */
export function mutantsOf(sourceName: string, text: string): readonly Mutant[] {
  const bytes = Buffer.from(text);
  const textOf = (start: number, end: number) => bytes.subarray(start, end).toString();
  const found = new Map<string, Mutant>();
  for (const node of nodesIn(parse(sourceName, text))) {
    for (const edit of editsOf(node, textOf)) {
      const source = applyEdits(text, [edit]);
      if (source === text) continue;
      found.set(`${edit.start}:${edit.end}:${edit.text}`, {
        line: textOf(0, edit.start).split("\n").length,
        source,
      });
    }
  }
  return [...found.values()].sort((left, right) => left.line - right.line);
}

function editsOf(node: AstNode, textOf: (start: number, end: number) => string): readonly Edit[] {
  const range = rangeOf(node);
  switch (node.nodeType) {
    case "BinaryOperation": {
      const { leftExpression: left, rightExpression: right, operator } = node;
      if (!isNode(left) || !isNode(right)) return [];
      const [start, end] = [rangeOf(left).end, rangeOf(right).start];
      const between = textOf(start, end);
      return (OPERATORS[String(operator)] ?? []).map((other) => ({
        start,
        end,
        text: between.replace(String(operator), other),
      }));
    }
    case "IfStatement":
      return ["true", "false"].flatMap((text) =>
        isNode(node.condition) ? [{ ...rangeOf(node.condition), text }] : [],
      );
    case "Conditional":
      return [node.trueExpression, node.falseExpression].filter(isNode).map((branch) => {
        const { start, end } = rangeOf(branch);
        return { ...range, text: textOf(start, end) };
      });
    case "ExpressionStatement":
      return [{ ...range, text: "" }];
    case "EmitStatement":
    case "RevertStatement":
      return [
        { ...range, text: node.nodeType === "EmitStatement" ? "if (false) " + textOf(range.start, range.end) : "{}" },
      ];
    case "ModifierInvocation":
      return [{ ...range, text: "" }];
    case "UnaryOperation": {
      if (node.operator !== "!" || !isNode(node.subExpression)) return [];
      const { start, end } = rangeOf(node.subExpression);
      return [{ ...range, text: textOf(start, end) }];
    }
    case "Literal":
    case "YulLiteral":
      return /^(?:\d|0x)/u.test(textOf(range.start, range.end))
        ? [{ ...range, text: plusOne(textOf(range.start, range.end)) }]
        : [];
    case "YulFunctionCall": {
      const name = isNode(node.functionName) ? node.functionName : undefined;
      const other = FUNCTIONS[String(name?.name)];
      return name === undefined || other === undefined ? [] : [{ ...rangeOf(name), text: other }];
    }
    case "YulIf":
      return isNode(node.condition) ? [{ ...rangeOf(node.condition), text: "0" }] : [];
    default:
      return [];
  }
}

/** Keeps the length of hexadecimal numbers, which can determine their type. */
function plusOne(number: string): string {
  const value = BigInt(number.replaceAll("_", "")) + 1n;
  return number.startsWith("0x") ? `0x${value.toString(16).padStart(number.length - 2, "0")}` : String(value);
}
