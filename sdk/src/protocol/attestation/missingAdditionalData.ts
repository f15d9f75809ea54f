import { InvalidInputError } from "../../core/errors.ts";
import type { VmType } from "../vms/vmCodec.ts";

/** @throws {@link InvalidInputError} always */
export function missingAdditionalData(vmType: VmType): never {
  throw new InvalidInputError({
    field: `additionalData.${vmType}`,
    value: undefined,
    reason: "withdrawals of this family need it",
    hint: "Pass additionalData.",
  });
}
