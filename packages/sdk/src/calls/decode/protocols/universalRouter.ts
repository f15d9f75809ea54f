import type { KnownFunction, KnownTake, ProtocolFamily } from "../knownFunction.ts";
import { SWAP_ROUTERS } from "../swapRouters.ts";

const hint = "Pass the user as the recipient.";
const byCaller = [{ path: "payerIsUser", is: true }];
const byRouter = [{ path: "payerIsUser", is: false }];

/** Takes tokens from the caller or uses the router's balance, depending on `payerIsUser`. */
function paying(token: string, amount: string, isMaximum = false) {
  const take: KnownTake = { token, amount, isMaximum, when: byCaller };
  return { takes: take, uses: { token, amount, isMaximum, when: byRouter } };
}

function swaps(version: "V2" | "V3", path: string): KnownFunction[] {
  // In v3, the path of an exact-output swap starts with the output token.
  const [last, first] = version === "V3" ? ["first:path", "last:path"] : ["last:path", "first:path"];
  // Since version 2.1.1 of the router, a swap has a minimum price per pool.
  return ["", ", uint256[] minHopPriceX36"].flatMap((more): KnownFunction[] => [
    {
      signature: `function ${version}_SWAP_EXACT_IN(address recipient, uint256 amountIn, uint256 amountOutMinimum, ${path} path, bool payerIsUser${more})`,
      ...paying("first:path", "amountIn"),
      amounts: { amountOutMinimum: "last:path" },
      minimumOut: "amountOutMinimum",
      gives: { token: "last:path", recipient: "recipient", hint },
    },
    {
      signature: `function ${version}_SWAP_EXACT_OUT(address recipient, uint256 amountOut, uint256 amountInMaximum, ${path} path, bool payerIsUser${more})`,
      ...paying(first, "amountInMaximum", true),
      amounts: { amountOut: last },
      gives: { token: last, recipient: "recipient", amount: "amountOut", hint },
    },
  ]);
}

const DETAILS = "struct Details { address token; uint160 amount; uint48 expiration; uint48 nonce; }";
const moved = { token: "token", recipient: "recipient", hint };

/** The universal router, version 2. Its commands and v4 actions are listed as calls of the router to itself. */
export const universalRouter: ProtocolFamily = {
  name: "universal router",
  router: SWAP_ROUTERS.universalRouter,
  functions: [
    { signature: "function execute(bytes commands, bytes[] inputs) payable" },
    { signature: "function execute(bytes commands, bytes[] inputs, uint256 deadline) payable" },
    {
      signature:
        "function executeSigned(bytes commands, bytes[] inputs, bytes32 intent, bytes32 data, bool verifySender, bytes32 nonce, bytes signature, uint256 deadline) payable",
      // verifySender names the caller: the router, through which anyone can submit the signature.
      signed: { by: "@unknown" },
    },
  ],
};

/** Uniswap v4's position manager. Its actions can take tokens, through Permit2. */
export const positionManager: ProtocolFamily = {
  name: "Uniswap v4",
  functions: [
    {
      signature: "function modifyLiquidities(bytes unlockData, uint256 deadline) payable",
      takes: { token: "@unknown", amount: "@unknown", isThroughPermit2: true },
    },
  ],
};

/** Commands of Uniswap/universal-router, Commands.sol, by name. The arguments are those that Dispatcher.sol reads. */
export const universalRouterCommands: ProtocolFamily = /* @__PURE__ */ buildCommands();

// Builds the family in a function, because bundlers keep top-level calls.
function buildCommands(): ProtocolFamily {
  return {
    name: "universal router",
    router: SWAP_ROUTERS.universalRouter,
    structs: [
      DETAILS,
      "struct PermitSingle { Details details; address spender; uint256 sigDeadline; }",
      "struct PermitBatch { Details[] details; address spender; uint256 sigDeadline; }",
      "struct Transfer { address from; address to; uint160 amount; address token; }",
      "struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }",
    ],
    functions: [
      ...swaps("V3", "bytes"),
      ...swaps("V2", "address[]"),
      {
        signature: "function PERMIT2_TRANSFER_FROM(address token, address recipient, uint160 amount)",
        takes: { token: "token", amount: "amount" },
        gives: { ...moved, amount: "amount" },
      },
      {
        signature: "function PERMIT2_TRANSFER_FROM_BATCH(Transfer[] transfers)",
        takes: { token: "transfers.*.token", amount: "transfers.*.amount" },
      },
      {
        signature: "function PERMIT2_PERMIT(PermitSingle permitSingle, bytes signature)",
        signed: { by: "@caller" },
      },
      {
        signature: "function PERMIT2_PERMIT_BATCH(PermitBatch permitBatch, bytes signature)",
        signed: { by: "@caller" },
      },
      {
        signature: "function SWEEP(address token, address recipient, uint256 amountMinimum)",
        amounts: { amountMinimum: "token" },
        uses: { token: "token", amount: "@all" },
        gives: moved,
      },
      {
        signature: "function TRANSFER(address token, address recipient, uint256 amount)",
        amounts: { amount: "token" },
        uses: { token: "token", amount: "amount" },
        gives: { ...moved, amount: "amount" },
      },
      ...[
        "PAY_PORTION(address token, address recipient, uint256 bips)",
        "PAY_PORTION_FULL_PRECISION(address token, address recipient, uint256 portion)",
      ].map((signature) => ({
        signature: `function ${signature}`,
        uses: { token: "token", amount: "@part" },
        gives: moved,
      })),
      {
        signature: "function WRAP_ETH(address recipient, uint256 amount)",
        amounts: { amount: "@native" },
        uses: { token: "@native", amount: "amount" },
        gives: { token: "@wrapped", recipient: "recipient", amount: "amount", hint },
      },
      {
        signature: "function UNWRAP_WETH(address recipient, uint256 amountMinimum)",
        amounts: { amountMinimum: "@native" },
        uses: { token: "@wrapped", amount: "@all" },
        gives: { token: "@native", recipient: "recipient", hint },
      },
      {
        signature: "function UNWRAP_WETH_EXACT(address recipient, uint256 amount)",
        amounts: { amount: "@native" },
        uses: { token: "@wrapped", amount: "amount" },
        gives: { token: "@native", recipient: "recipient", amount: "amount", hint },
      },
      {
        signature: "function BALANCE_CHECK_ERC20(address account, address token, uint256 minBalance)",
        amounts: { minBalance: "token" },
      },
      { signature: "function V4_SWAP(bytes actions, bytes[] params)" },
      { signature: "function V4_INITIALIZE_POOL(PoolKey poolKey, uint160 sqrtPriceX96)" },
      { signature: "function EXECUTE_SUB_PLAN(bytes commands, bytes[] inputs)" },
      // Their inputs are calls to other contracts.
      { signature: "function V3_POSITION_MANAGER_PERMIT()", rest: "data", signed: { by: "@unknown" } },
      ...["V3_POSITION_MANAGER_CALL", "V4_POSITION_MANAGER_CALL", "ACROSS_V4_DEPOSIT_V3"].map((name) => ({
        signature: `function ${name}()`,
        rest: "data",
      })),
    ],
  };
}

/** Commands that call contracts whose effects are unknown. */
export const OPAQUE_COMMANDS: ReadonlySet<string> = new Set([
  "V3_POSITION_MANAGER_CALL",
  "V4_POSITION_MANAGER_CALL",
  "ACROSS_V4_DEPOSIT_V3",
]);

/** Actions of Uniswap/v4-periphery, V4Router.sol, by name. */
export const v4Actions: ProtocolFamily = /* @__PURE__ */ buildActions();

function buildActions(): ProtocolFamily {
  const taken = { token: "currency", recipient: "recipient", hint };
  // Newer versions have a minimum price per pool.
  const forms = [
    { form: "", price: "", prices: "" },
    { form: "WithPrice", price: "uint256 minHopPriceX36;", prices: "uint256[] minHopPriceX36;" },
  ];
  return {
    name: "universal router",
    router: SWAP_ROUTERS.universalRouter,
    structs: [
      "struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }",
      "struct PathKey { address intermediateCurrency; uint24 fee; int24 tickSpacing; address hooks; bytes hookData; }",
      ...forms.flatMap(({ form, price, prices }) => [
        `struct SingleIn${form} { PoolKey poolKey; bool zeroForOne; uint128 amountIn; uint128 amountOutMinimum; ${price} bytes hookData; }`,
        `struct In${form} { address currencyIn; PathKey[] path; ${prices} uint128 amountIn; uint128 amountOutMinimum; }`,
        `struct SingleOut${form} { PoolKey poolKey; bool zeroForOne; uint128 amountOut; uint128 amountInMaximum; ${price} bytes hookData; }`,
        `struct Out${form} { address currencyOut; PathKey[] path; ${prices} uint128 amountOut; uint128 amountInMaximum; }`,
      ]),
    ],
    functions: [
      ...forms.flatMap(({ form }): KnownFunction[] => [
        { signature: `function SWAP_EXACT_IN_SINGLE(SingleIn${form} params)`, minimumOut: "params.amountOutMinimum" },
        {
          signature: `function SWAP_EXACT_IN(In${form} params)`,
          amounts: { "params.amountIn": "params.currencyIn" },
          minimumOut: "params.amountOutMinimum",
        },
        { signature: `function SWAP_EXACT_OUT_SINGLE(SingleOut${form} params)` },
        {
          signature: `function SWAP_EXACT_OUT(Out${form} params)`,
          amounts: { "params.amountOut": "params.currencyOut" },
        },
      ]),
      {
        signature: "function SETTLE(address currency, uint256 amount, bool payerIsUser)",
        ...paying("currency", "amount"),
      },
      {
        signature: "function SETTLE_ALL(address currency, uint256 amountMaximum)",
        takes: { token: "currency", amount: "amountMaximum", isMaximum: true },
      },
      {
        signature: "function TAKE(address currency, address recipient, uint256 amount)",
        gives: { ...taken, amount: "amount" },
      },
      {
        signature: "function TAKE_ALL(address currency, uint256 amountMinimum)",
        amounts: { amountMinimum: "currency" },
        gives: { token: "currency", recipient: "@caller", hint: "Use TAKE with the user as the recipient." },
      },
      { signature: "function TAKE_PORTION(address currency, address recipient, uint256 bips)", gives: taken },
    ],
  };
}

/** Names of commands, by number: the low seven bits of a byte. The high bit lets the command fail. */
export const COMMANDS: Readonly<Record<number, string>> = {
  0x00: "V3_SWAP_EXACT_IN",
  0x01: "V3_SWAP_EXACT_OUT",
  0x02: "PERMIT2_TRANSFER_FROM",
  0x03: "PERMIT2_PERMIT_BATCH",
  0x04: "SWEEP",
  0x05: "TRANSFER",
  0x06: "PAY_PORTION",
  0x07: "PAY_PORTION_FULL_PRECISION",
  0x08: "V2_SWAP_EXACT_IN",
  0x09: "V2_SWAP_EXACT_OUT",
  0x0a: "PERMIT2_PERMIT",
  0x0b: "WRAP_ETH",
  0x0c: "UNWRAP_WETH",
  0x0d: "PERMIT2_TRANSFER_FROM_BATCH",
  0x0e: "BALANCE_CHECK_ERC20",
  0x0f: "UNWRAP_WETH_EXACT",
  0x10: "V4_SWAP",
  0x11: "V3_POSITION_MANAGER_PERMIT",
  0x12: "V3_POSITION_MANAGER_CALL",
  0x13: "V4_INITIALIZE_POOL",
  0x14: "V4_POSITION_MANAGER_CALL",
  0x21: "EXECUTE_SUB_PLAN",
  0x40: "ACROSS_V4_DEPOSIT_V3",
};

/** Names of actions in V4_SWAP, by number: Uniswap/v4-periphery, Actions.sol. */
export const ACTIONS: Readonly<Record<number, string>> = {
  0x06: "SWAP_EXACT_IN_SINGLE",
  0x07: "SWAP_EXACT_IN",
  0x08: "SWAP_EXACT_OUT_SINGLE",
  0x09: "SWAP_EXACT_OUT",
  0x0b: "SETTLE",
  0x0c: "SETTLE_ALL",
  0x0e: "TAKE",
  0x0f: "TAKE_ALL",
  0x10: "TAKE_PORTION",
};
