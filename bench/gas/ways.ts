import {
  type Address,
  type Hex,
  concatHex,
  encodeAbiParameters,
  encodePacked,
  keccak256,
  maxUint256,
  parseAbiParameters,
  size,
  slice,
  toHex,
  zeroAddress,
} from "viem";

import { AMOUNT, type Call, type Contract, type Stage } from "./stage.ts";

/** Whether an approach is used for the first time, by any account, or again. */
export type Use = "first" | "steady";

/** Identifiers of the approaches. */
export const WAY_IDS = [
  "fixedAmount",
  "guideProxy",
  "guideProxyStanding",
  "across",
  "acrossStanding",
  "typed",
  "typedStanding",
  "pushed",
  "pulled",
  "pulledStanding",
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
  /** Contract that holds one unit in steady use. */
  readonly seedAt?: Address;
  /** Account with a standing allowance to the vault after the fill. */
  readonly standsFor?: Address;
  calls(use: Use): readonly Call[];
}

/** Minimum delivered amount and minimum shares, slightly below the actual amounts, as an integrator would set them. */
const MINIMUM_IN = AMOUNT - 10n;
const MINIMUM_OUT = (AMOUNT * 9n) / 10n;

/** Deadline that is never reached. */
const DEADLINE = 2 ** 40 - 1;

/** Placeholder that the executor replaces with a live amount (`PushProgram.SENTINEL`). */
const SENTINEL = BigInt(slice(keccak256(toHex("crosscall.live.amount")), 0, 8));

/** Lists all approaches, the reference first. */
export function waysOf({ contracts, recipient }: Stage): readonly Way[] {
  const { router, dollar, vault, typedProxy, executor, puller, guideProxy, across } = contracts;
  const approve = (spender: Contract, amount = maxUint256): Call =>
    callTo(dollar, dollar.encode("approve", [spender.address, amount]));
  /** Returns an `approve` if the allowance is not set yet. */
  const approveOnce = (use: Use, spender: Contract): readonly Call[] => (use === "first" ? [approve(spender)] : []);
  const push = (to: Contract): Call =>
    callTo(router, router.encode("cleanupErc20s", [[dollar.address], [to.address], [0n], "0x"]));
  const depositAll = callTo(guideProxy, guideProxy.encode("depositAll", [recipient]));
  const execute = callTo(typedProxy, typedProxy.encode("execute", [recipient, MINIMUM_IN, MINIMUM_OUT, DEADLINE]));
  const pull = (use: Use): Call =>
    callTo(executor, concatHex([executor.encode("pullAndExecute", [dollar.address]), program(use)]));
  const program = (use: Use): Hex => packProgram(dollar, vault, recipient, use === "steady");

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
      id: "guideProxyStanding",
      name: "OpenZeppelin proxy, standing router allowance",
      actor: guideProxy.address,
      passes: [guideProxy.address],
      seedAt: guideProxy.address,
      calls: (use) => [...approveOnce(use, guideProxy), depositAll],
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
        handle([...approveOnce(use, vault), { target: across.address, callData: deposit }]),
      ],
    },
    {
      id: "typed",
      name: "crosscall Erc4626Proxy",
      actor: typedProxy.address,
      passes: [typedProxy.address],
      seedAt: typedProxy.address,
      standsFor: typedProxy.address,
      calls: () => [approve(typedProxy), execute],
    },
    {
      id: "typedStanding",
      name: "crosscall Erc4626Proxy, standing router allowance",
      actor: typedProxy.address,
      passes: [typedProxy.address],
      seedAt: typedProxy.address,
      standsFor: typedProxy.address,
      calls: (use) => [...approveOnce(use, typedProxy), execute],
    },
    {
      id: "pushed",
      name: "crosscall PushExecutor, tokens pushed",
      actor: executor.address,
      passes: [executor.address],
      seedAt: executor.address,
      calls: (use) => [push(executor), callTo(executor, concatHex([executor.encode("execute", []), program(use)]))],
    },
    {
      id: "pulled",
      name: "crosscall PushExecutor, tokens pulled",
      actor: executor.address,
      passes: [executor.address, puller.address],
      seedAt: executor.address,
      calls: (use) => [approve(puller), pull(use)],
    },
    {
      id: "pulledStanding",
      name: "crosscall PushExecutor, tokens pulled, standing allowance",
      actor: executor.address,
      passes: [executor.address, puller.address],
      seedAt: executor.address,
      calls: (use) => [...approveOnce(use, puller), pull(use)],
    },
  ];
}

/** Encodes a call that must succeed. */
export function callTo(contract: Contract, callData: Hex): Call {
  return { target: contract.address, allowFailure: false, value: 0n, callData };
}

/** Encodes the deposit as a program of the push executor, with every check. `IPushExecutor` describes the layout. */
function packProgram(dollar: Contract, vault: Contract, recipient: Address, keepsUnit: boolean): Hex {
  const callData = vault.encode("deposit", [SENTINEL, recipient]);
  const token = encodePacked(
    ["uint8", "address", "bytes"],
    [keepsUnit ? 1 : 0, dollar.address, packAmount(MINIMUM_IN)],
  );
  const minimumOut = packAmount(MINIMUM_OUT);
  // The recipient is at the end of the call data, and the vault at the start of the check.
  const header = 12;
  const check = header + size(token);
  const step = check + 20 + size(minimumOut);
  const end = step + 14 + size(callData);
  return concatHex([
    encodePacked(
      ["uint8", "uint8", "uint40", "uint8", "uint8", "uint8", "uint16"],
      [1, 0, DEADLINE, 1, 1, 1, end - 20],
    ),
    token,
    vault.address,
    minimumOut,
    // One draw: the target pulls the whole balance. One patch: the first argument.
    encodePacked(
      ["uint8", "uint8", "uint16", "uint16", "uint8", "uint8", "uint16", "uint8", "uint16", "uint8"],
      [1, 1, size(callData), check, 1, 0, 10_000, 0, 4, 32],
    ),
    callData,
  ]);
}

/** Encodes an amount in a program: its number of bytes, then the bytes. */
function packAmount(amount: bigint): Hex {
  const digits = amount.toString(16);
  const bytes: Hex = `0x${digits.padStart(digits.length + (digits.length % 2), "0")}`;
  return encodePacked(["uint8", "bytes"], [size(bytes), bytes]);
}
