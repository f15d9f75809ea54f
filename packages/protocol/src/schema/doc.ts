// Schema descriptions, which only the generated references use. Browser bundles use `docOmitted.ts` instead.
import { FAIL_REASONS, NO_REASON, REFUND_FAIL_REASONS } from "./values.ts";

export function doc(description: string): string {
  return description;
}

export function statedFailReasons(): { readonly examples: readonly string[] } {
  return { examples: [...FAIL_REASONS, NO_REASON] };
}

export function statedRefundFailReasons(): { readonly examples: readonly string[] } {
  return { examples: [...REFUND_FAIL_REASONS, NO_REASON] };
}
