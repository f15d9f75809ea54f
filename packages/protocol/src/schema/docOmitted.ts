// Minifiers drop calls of functions without a body, and the descriptions with them.
export function doc(_description: string): undefined {
  // See `doc.ts`.
}

export function toldFailReasons(): undefined {
  // See `doc.ts`.
}

export function toldRefundFailReasons(): undefined {
  // See `doc.ts`.
}
