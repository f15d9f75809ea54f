import { InvalidInputError } from "../../core/errors.ts";
import { EVM_NATIVE_CURRENCY, isEvmNative, isSameAddress, parseEvmAddress } from "../address.ts";
import type { ChainFamily } from "./chainFamily.ts";

/** Other services' placeholder of native currency, which has no contract. */
const FOREIGN_NATIVE_CURRENCY = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

export const EVM_FAMILY: ChainFamily = {
  name: "evm",
  takesCalls: true,
  nativeCurrencies: [EVM_NATIVE_CURRENCY],
  parseAccount: parseEvmAddress,
  parseCurrency: parseEvmCurrency,
  isSame: isSameAddress,
  decimalsOf: (currency) => (isEvmNative(currency) ? 18 : undefined),
};

function parseEvmCurrency(value: unknown, field: string): string {
  const currency = parseEvmAddress(value, field);
  if (!isSameAddress(currency, FOREIGN_NATIVE_CURRENCY)) return currency;
  throw new InvalidInputError({
    field,
    value,
    reason: "the service writes the native currency as the zero address",
    hint: `Pass ${field} as ${EVM_NATIVE_CURRENCY}.`,
  });
}
