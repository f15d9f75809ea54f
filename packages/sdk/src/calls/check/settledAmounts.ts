import { isSameAddress } from "@crosscall/protocol/chains";
import type { DecodedCall, DecodedFunctionCall } from "../decode/decodedCall.ts";
import { readAccount, readAmount, readArgument } from "../decode/readArgument.ts";

/** Whether a settlement of Uniswap v4 pays the debt of the swaps before it: one with a maximum, or with 0. */
export function paysDebt({ name, args }: DecodedFunctionCall): boolean {
  return name === "SETTLE_ALL" || (name === "SETTLE" && readAmount(args, "amount") === 0n);
}

/** Returns the exact amounts of settlements that pay a debt, except those of swaps with an unknown input. */
export function settledAmounts(actions: readonly DecodedCall[]): ReadonlyMap<DecodedCall, bigint> {
  const settled = new Map<DecodedCall, bigint>();
  const swaps = actions.filter(
    (action): action is DecodedFunctionCall => action.kind === "function" && action.name.startsWith("SWAP_EXACT_"),
  );
  for (const action of actions) {
    if (action.kind !== "function" || !paysDebt(action)) continue;
    const currency = readAccount(action.args, "currency") ?? "";
    const paying = swaps.filter((swap) => isSameAddress(inputOf(swap) ?? "", currency));
    const amounts = paying.map(({ args }) => readAmount(args, "params.amountIn"));
    if (amounts.length === 0 || amounts.some((amount) => amount === undefined || amount === 0n)) continue;
    settled.set(
      action,
      amounts.reduce<bigint>((sum, amount) => sum + (amount ?? 0n), 0n),
    );
  }
  return settled;
}

function inputOf({ args }: DecodedFunctionCall): string | undefined {
  const isForward = readArgument(args, "params.zeroForOne");
  if (typeof isForward === "boolean") return readAccount(args, `params.poolKey.currency${isForward ? 0 : 1}`);
  return readAccount(args, "params.currencyIn");
}
