import {
  type Address,
  encodeAbiParameters,
  getAddress,
  type Hex,
  maxUint256,
  parseAbi,
  parseAbiParameters,
  zeroAddress,
} from "viem";

import {
  callContract,
  erc4626Deposit,
  live,
  planCalls,
  type PlannedCalls,
  planRecipe,
} from "../../packages/sdk/src/calls/index.ts";
import { parseCallData } from "../../packages/protocol/src/common/call.ts";
import { AMOUNT, type Call, type Contract, type Stage } from "./stage.ts";

/** Whether an approach is used for the first time, by any account, or again. */
export type Use = "first" | "steady";

/** Identifiers of the approaches. */
export const WAY_IDS = [
  "fixedAmount",
  "guideProxy",
  "across",
  "acrossStanding",
  "typed",
  "typedUnknown",
  "program",
  "programWithUnit",
  "contractCall",
  "pulled",
] as const;

/** One of {@link WAY_IDS}. */
export type WayId = (typeof WAY_IDS)[number];

/** A way to deposit the delivered tokens in a vault. */
export interface Way {
  readonly id: WayId;
  /** Display name. */
  readonly name: string;
  /** Contract whose call is measured as `inner`. */
  readonly actor: Address;
  /** Contracts that the tokens pass through between the router and the vault. */
  readonly passes: readonly Address[];
  /** Contract that keeps one unit of the token, which anyone can send, from the second use. */
  readonly seedAt?: Address;
  /** Account with a standing allowance to the vault after the fill. */
  readonly standsFor?: Address;
  calls(use: Use): readonly Call[];
}

/** Minimum delivered amount and minimum shares, slightly below the actual amounts, as an integrator would set them. */
const MINIMUM_IN = AMOUNT - 10n;
const MINIMUM_OUT = (AMOUNT * 9n) / 10n;

/** Deadline that is never reached. */
const DEADLINE = 2n ** 40n - 1n;

const vaultAbi = parseAbi(["function deposit(uint256 assets, address receiver) returns (uint256 shares)"]);

/** Lists all approaches, the reference first. The kit's approaches are the calls that its planner emits. */
export function waysOf({ contracts, recipient }: Stage): readonly Way[] {
  const { router, dollar, vault, typedProxy, executor, puller, guideProxy, across } = contracts;
  const approve = (spender: Contract, amount = maxUint256): Call =>
    callTo(dollar, dollar.encode("approve", [spender.address, amount]));
  const push = (to: Contract): Call =>
    callTo(router, router.encode("cleanupErc20s", [[dollar.address], [to.address], [0n], "0x"]));
  const depositAll = callTo(guideProxy, guideProxy.encode("depositAll", [recipient]));

  /** Encodes a call to the handler, which writes its balance into the call data at an offset. */
  const withBalance = (target: Contract, callData: Hex, offset: bigint): Hex =>
    across.encode("makeCallWithBalance", [target.address, callData, 0n, [{ token: dollar.address, offset }]]);
  const deposit = withBalance(vault, vault.encode("deposit", [0n, recipient]), 4n);
  const handle = (calls: readonly { target: Address; callData: Hex }[]): Call => {
    const message = encodeAbiParameters(parseAbiParameters("((address, bytes, uint256)[], address)"), [
      [calls.map(({ target, callData }) => [target, callData, 0n] as const), recipient],
    ]);
    // The handler ignores the amount and the relayer.
    return callTo(across, across.encode("handleV3AcrossMessage", [dollar.address, 0n, zeroAddress, message]));
  };

  const programs = { executor: executor.address, livePuller: puller.address };
  const changeable = { refusesChange: false };
  const request = { tradeType: "EXACT_INPUT", router: router.address, recipient, amount: AMOUNT } as const;
  const recipe = {
    ...request,
    recipe: erc4626Deposit,
    args: { vault: vault.address, asset: dollar.address },
    minimumIn: MINIMUM_IN,
    minimumOut: MINIMUM_OUT,
    deadline: DEADLINE,
  } as const;
  const contractCall = callContract({
    address: vault.address,
    abi: vaultAbi,
    functionName: "deposit",
    args: [live(dollar.address, { approve: "target" }), recipient],
    tokens: [{ token: dollar.address, minimumIn: MINIMUM_IN, keepUnit: true }],
    checks: [{ token: vault.address, minimumOut: MINIMUM_OUT }],
    deadline: DEADLINE,
  });
  const typed = {
    actor: typedProxy.address,
    passes: [typedProxy.address],
    seedAt: typedProxy.address,
    standsFor: typedProxy.address,
  };
  const pushed = { actor: executor.address, passes: [executor.address] };
  const keeping = { ...pushed, seedAt: executor.address };
  const pulled = { ...keeping, passes: [executor.address, puller.address] };

  return [
    {
      id: "fixedAmount",
      name: "fixed amount, no proxy (reference)",
      actor: vault.address,
      passes: [],
      calls: () => [approve(vault, AMOUNT), callTo(vault, vault.encode("deposit", [AMOUNT, recipient]))],
    },
    {
      id: "guideProxy",
      name: "the guide's OpenZeppelin proxy",
      actor: guideProxy.address,
      passes: [guideProxy.address],
      seedAt: guideProxy.address,
      calls: () => [approve(guideProxy), depositAll],
    },
    {
      id: "across",
      name: "Across MulticallHandler, exact allowance",
      actor: across.address,
      passes: [across.address],
      calls: () => [
        push(across),
        handle([
          {
            target: across.address,
            callData: withBalance(dollar, dollar.encode("approve", [vault.address, 0n]), 36n),
          },
          { target: across.address, callData: deposit },
        ]),
      ],
    },
    {
      id: "acrossStanding",
      name: "Across MulticallHandler, standing allowance",
      actor: across.address,
      passes: [across.address],
      standsFor: across.address,
      calls: (use) => [
        push(across),
        handle([...(use === "first" ? [approve(vault)] : []), { target: across.address, callData: deposit }]),
      ],
    },
    {
      ...typed,
      id: "typed",
      name: "planRecipe, Erc4626Proxy",
      calls: () => toCalls(planRecipe({ ...recipe, proxy: typedProxy.address, allowance: changeable })),
    },
    {
      ...typed,
      id: "typedUnknown",
      name: "planRecipe, Erc4626Proxy, unknown token",
      calls: () => toCalls(planRecipe({ ...recipe, proxy: typedProxy.address })),
    },
    {
      ...pushed,
      id: "program",
      name: "planRecipe, program",
      calls: () => toCalls(planRecipe({ ...recipe, programs })),
    },
    {
      ...keeping,
      id: "programWithUnit",
      name: "planRecipe, program that keeps a unit",
      calls: (use) => toCalls(planRecipe({ ...recipe, programs, keepUnit: use === "steady" })),
    },
    {
      ...keeping,
      id: "contractCall",
      name: "planCalls, contract call that keeps a unit",
      calls: (use) => {
        const { tokens = [], ...action } = contractCall;
        const declared = tokens.map((token) => ({ ...token, keepUnit: use === "steady" }));
        const actions = [{ ...action, tokens: declared }];
        return toCalls(planCalls({ ...request, destinationCurrency: dollar.address, actions, programs }));
      },
    },
    {
      ...pulled,
      id: "pulled",
      name: "planRecipe, program that pulls and keeps a unit",
      calls: (use) => {
        const byPull = { ...programs, by: "pull" } as const;
        return toCalls(planRecipe({ ...recipe, programs: byPull, allowance: changeable, keepUnit: use === "steady" }));
      },
    },
  ];
}

/** Encodes a call that must succeed. */
export function callTo(contract: Contract, callData: Hex): Call {
  return { target: contract.address, allowFailure: false, value: 0n, callData };
}

function toCalls({ txs }: PlannedCalls): Call[] {
  return txs.map(({ to, data, value }) => ({
    target: getAddress(to),
    allowFailure: false,
    value: BigInt(value),
    callData: parseCallData(data, "data"),
  }));
}
