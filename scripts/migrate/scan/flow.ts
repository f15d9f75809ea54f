import type ts from "typescript";

import type { Source } from "./parseSource.ts";
import type { Position } from "./position.ts";

/** Follows values of one file from requests of the listing to where they are read. */
export interface Flow {
  readonly source: Source;
  /** What an expression is. */
  positionOf(expression: ts.Node): Position | undefined;
  /** What a name in a destructuring pattern is. */
  positionOfBinding(element: ts.BindingElement): Position | undefined;
  /** What a function returns. */
  positionOfResult(callback: ts.Node | undefined): Position | undefined;
  /** The part of a value that a name reads; `[]` for an entry of an array. */
  step(position: Position, name: string): Position | undefined;
}
