import type { Address } from "viem";

import type { CheckedContracts, KnownProxy } from "@crosscall/sdk/internal/calls/check/parameters";
import { parseEvmAddress } from "@crosscall/sdk/internal/chains/address";
import type { PlanDescription } from "./planDescription.ts";

/** @throws {@link InvalidInputError} for an invalid address */
export function checkedContracts(
  { contracts = {}, programs, routerVersion }: PlanDescription,
  used: { readonly router: Address; readonly proxies: readonly KnownProxy[] },
): CheckedContracts {
  const { trusted, anyCallers } = contracts;
  const pushExecutor = contracts.pushExecutor ?? programs?.executor;
  const livePuller = contracts.livePuller ?? programs?.livePuller;
  const proxies = [
    ...used.proxies,
    ...(contracts.proxies ?? []).map(({ address, inputToken }, index) => ({
      address: parseEvmAddress(address, `contracts.proxies[${index}].address`),
      ...(inputToken === undefined
        ? {}
        : { inputToken: parseEvmAddress(inputToken, `contracts.proxies[${index}].inputToken`) }),
    })),
  ];
  return {
    router: used.router,
    ...(routerVersion === undefined ? {} : { routerVersion }),
    ...(pushExecutor === undefined ? {} : { pushExecutor: parseEvmAddress(pushExecutor, "contracts.pushExecutor") }),
    ...(livePuller === undefined ? {} : { livePuller: parseEvmAddress(livePuller, "contracts.livePuller") }),
    ...(proxies.length === 0 ? {} : { proxies }),
    ...(trusted === undefined ? {} : { trusted: readList(trusted, "contracts.trusted") }),
    ...(anyCallers === undefined ? {} : { anyCallers: readList(anyCallers, "contracts.anyCallers") }),
  };
}

function readList(accounts: readonly string[], at: string): Address[] {
  return accounts.map((account, index) => parseEvmAddress(account, `${at}[${index}]`));
}
