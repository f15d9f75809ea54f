// What only the generated references read of a schema. Bundles for browsers have `docOmitted.ts` instead.
import { FAIL_REASONS, NO_REASON, REFUND_FAIL_REASONS } from "./values.ts";

export function doc(description: string): string {
  return description;
}

export function toldFailReasons(): { readonly examples: readonly string[] } {
  return { examples: [...FAIL_REASONS, NO_REASON] };
}

export function toldRefundFailReasons(): { readonly examples: readonly string[] } {
  return { examples: [...REFUND_FAIL_REASONS, NO_REASON] };
}
