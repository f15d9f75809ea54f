declare const UNKNOWN: unique symbol;

/**
 * An enumeration value that this version does not know: the service's text, unchanged. The service may add statuses,
 * reasons and kinds at any time. A plain string is not an `UnknownValue`, so your code cannot create one by mistake.
 */
export type UnknownValue = string & { readonly [UNKNOWN]: true };

/** Returns whether an enumeration value is not in `values`. */
export function isUnknownValue<Known extends string>(
  values: readonly Known[],
  value: Known | UnknownValue,
): value is UnknownValue {
  return !(values as readonly string[]).includes(value);
}
