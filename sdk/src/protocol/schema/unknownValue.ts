declare const UNKNOWN: unique symbol;

/**
 * A value of an enumeration that this version does not know. It is the raw text of the service, kept as it came: the
 * service may add statuses, reasons and kinds at any time, and an answer with a new one is still an answer. A plain
 * string is not an `UnknownValue`, so the kit itself cannot write unknown values.
 */
export type UnknownValue = string & { readonly [UNKNOWN]: true };

/** Whether a value of an enumeration is one that `values` does not have. */
export function isUnknownValue<Known extends string>(
  values: readonly Known[],
  value: Known | UnknownValue,
): value is UnknownValue {
  return !(values as readonly string[]).includes(value);
}
