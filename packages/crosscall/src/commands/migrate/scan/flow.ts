import type ts from "typescript";

import type { Source } from "./parseSource.ts";
import type { Position } from "./position.ts";

/** Tracks values of one file from listing requests to where they are read. */
export interface Flow {
  readonly source: Source;
  positionOf(expression: ts.Node): Position | undefined;
  positionOfBinding(element: ts.BindingElement): Position | undefined;
  positionOfResult(callback: ts.Node | undefined): Position | undefined;
  /** `[]` is an entry of an array. */
  step(position: Position, name: string): Position | undefined;
}
