// Empty functions, so that minifiers drop the calls and their descriptions.
export function doc(_description: string): undefined {
  // See `doc.ts`.
}

export function statedFailReasons(): undefined {
  // See `doc.ts`.
}

export function statedRefundFailReasons(): undefined {
  // See `doc.ts`.
}
