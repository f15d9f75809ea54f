// Minifiers drop calls to empty functions, including their descriptions.
export function doc(_description: string): undefined {
  // See `doc.ts`.
}

export function toldFailReasons(): undefined {
  // See `doc.ts`.
}

export function toldRefundFailReasons(): undefined {
  // See `doc.ts`.
}
