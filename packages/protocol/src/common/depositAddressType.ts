// Separate from the other values of requests, because quotes and status events need only these.
import { doc } from "#doc";
import { oneOfOrUnknown } from "../schema/schemaParts.ts";
import { DEPOSIT_ADDRESS_TYPES } from "../schema/values.ts";

export const DepositAddressTypeSchema = oneOfOrUnknown(DEPOSIT_ADDRESS_TYPES, doc("Kind of deposit address."));

export type DepositAddressType = (typeof DEPOSIT_ADDRESS_TYPES)[number];
