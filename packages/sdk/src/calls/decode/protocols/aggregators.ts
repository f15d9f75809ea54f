import type { KnownFunction, KnownTake, ProtocolFamily } from "../knownFunction.ts";
import { SWAP_ROUTERS } from "../swapRouters.ts";

const hint = "Pass the user as the recipient.";
const swept = "Sweep the output to the user afterwards, because this function has no recipient.";

/** 1inch's AggregationRouterV5 and V6. */
export const oneInch: ProtocolFamily = /* @__PURE__ */ buildOneInch();

// Builds the families in functions, because bundlers keep top-level calls.
function buildOneInch(): ProtocolFamily {
  const bought = { token: "@unknown", isPerhapsNative: true, hint };
  const source = { token: "desc.srcToken", amount: "desc.amount" };
  const flag = (is: boolean): Pick<KnownTake, "when"> => ({ when: [{ path: "desc.flags", bit: 2, is }] });
  const described = {
    takes: source,
    amounts: { "desc.minReturnAmount": "desc.dstToken" },
    minimumOut: "desc.minReturnAmount",
    gives: { token: "desc.dstToken", recipient: "desc.dstReceiver", hint },
  };
  const out = { minimumOut: "minReturn" };
  // V6 packs flags into addresses, and takes tokens through Permit2 if the first pool has the flag.
  const flagged = (is: boolean): Pick<KnownTake, "when"> => ({ when: [{ path: "dex", bit: 250, is }] });
  const packed: readonly KnownTake[] = [
    { token: "packed:token", amount: "amount", ...flagged(false) },
    { token: "packed:token", amount: "amount", isThroughPermit2: true, ...flagged(true) },
  ];
  const pools = ["uint256 dex", "uint256 dex, uint256 dex2", "uint256 dex, uint256 dex2, uint256 dex3"];
  return {
    name: "1inch",
    router: SWAP_ROUTERS.oneInch,
    structs: [
      "struct Description { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }",
    ],
    functions: [
      {
        signature: "function swap(address executor, Description desc, bytes permit, bytes data) payable",
        ...described,
        signed: { by: "@unknown", bytes: "permit" },
      },
      {
        signature: "function swap(address executor, Description desc, bytes data) payable",
        ...described,
        takes: [
          { ...source, ...flag(false) },
          { ...source, ...flag(true), isThroughPermit2: true },
        ],
      },
      {
        signature: "function unoswap(address token, uint256 amount, uint256 minReturn, uint256[] pools) payable",
        takes: { token: "token", amount: "amount" },
        ...out,
        gives: { ...bought, recipient: "@caller" },
      },
      {
        signature:
          "function unoswapTo(address recipient, address token, uint256 amount, uint256 minReturn, uint256[] pools) payable",
        takes: { token: "token", amount: "amount" },
        ...out,
        gives: { ...bought, recipient: "recipient" },
      },
      {
        signature: "function uniswapV3Swap(uint256 amount, uint256 minReturn, uint256[] pools) payable",
        takes: { token: "@unknown", amount: "amount" },
        ...out,
        gives: { ...bought, recipient: "@caller" },
      },
      {
        signature:
          "function uniswapV3SwapTo(address recipient, uint256 amount, uint256 minReturn, uint256[] pools) payable",
        takes: { token: "@unknown", amount: "amount" },
        ...out,
        gives: { ...bought, recipient: "recipient" },
      },
      ...pools.flatMap((dexes, index): KnownFunction[] => {
        const number = index === 0 ? "" : index + 1;
        return [
          {
            signature: `function unoswap${number}(uint256 token, uint256 amount, uint256 minReturn, ${dexes})`,
            takes: packed,
            ...out,
            gives: { ...bought, recipient: "@caller" },
          },
          {
            signature: `function unoswapTo${number}(uint256 to, uint256 token, uint256 amount, uint256 minReturn, ${dexes})`,
            takes: packed,
            ...out,
            gives: { ...bought, recipient: "packed:to" },
          },
          {
            signature: `function ethUnoswap${number}(uint256 minReturn, ${dexes}) payable`,
            ...out,
            gives: { ...bought, recipient: "@caller" },
          },
          {
            signature: `function ethUnoswapTo${number}(uint256 to, uint256 minReturn, ${dexes}) payable`,
            ...out,
            gives: { ...bought, recipient: "packed:to" },
          },
        ];
      }),
      // Tries the permit, then calls itself.
      {
        signature: "function permitAndCall(bytes permit, bytes action) payable",
        signed: { by: "@unknown", isOptional: true },
      },
    ],
  };
}

/** 0x's AllowanceHolder, which calls a Settler for its caller. */
export const allowanceHolder: ProtocolFamily = {
  name: "0x AllowanceHolder",
  router: SWAP_ROUTERS.allowanceHolder,
  functions: [
    {
      signature: "function exec(address operator, address token, uint256 amount, address target, bytes data) payable",
      takes: { token: "token", amount: "amount", isMaximum: true },
    },
  ],
};

/** 0x's Settler. Behind AllowanceHolder it needs no signature; otherwise its caller signs a transfer of Permit2. */
export const settler: ProtocolFamily = /* @__PURE__ */ buildSettler();

function buildSettler(): ProtocolFamily {
  const permit = "Permit permit";
  const signed = { by: "@caller", isBound: true, bytes: "signature" } as const;
  return {
    name: "0x Settler",
    structs: [
      "struct Slippage { address recipient; address buyToken; uint256 minAmountOut; }",
      "struct Permitted { address token; uint256 amount; }",
      "struct Permit { Permitted permitted; uint256 nonce; uint256 deadline; }",
    ],
    functions: [
      {
        signature: "function execute(Slippage slippage, bytes[] actions, bytes32 zidAndAffiliate) payable",
        amounts: { "slippage.minAmountOut": "slippage.buyToken" },
        minimumOut: "slippage.minAmountOut",
        gives: { token: "slippage.buyToken", recipient: "slippage.recipient", hint },
      },
      { signature: `function TRANSFER_FROM(address custodian, ${permit}, bytes signature)`, signed },
      {
        signature: `function UNISWAPV3_VIP(address custodian, ${permit}, bytes path, bytes signature, uint256 amountOutMin)`,
        signed,
      },
      ...["UNISWAPV4_VIP", "BALANCERV3_VIP"].map((name) => ({
        signature: `function ${name}(address custodian, ${permit}, bool feeOnTransfer, uint256 hashMul, uint256 hashMod, bytes fills, bytes signature, uint256 amountOutMin)`,
        signed,
      })),
      { signature: "function UNISWAPV3(address custodian, uint256 bps, bytes path, uint256 amountOutMin)" },
      { signature: "function BASIC(address sellToken, uint256 bps, address pool, uint256 offset, bytes data)" },
    ],
  };
}

/** Curve's Router NG. */
export const curveRouter: ProtocolFamily = /* @__PURE__ */ buildCurveRouter();

function buildCurveRouter(): ProtocolFamily {
  return {
    name: "Curve router",
    router: SWAP_ROUTERS.curveRouter,
    functions: [5, 4].flatMap((parameters) =>
      ["", ", address[5] pools", ", address[5] pools, address receiver"].map((more) => ({
        signature: `function exchange(address[11] route, uint256[${parameters}][5] swapParams, uint256 amount, uint256 min_dy${more}) payable`,
        takes: { token: "first:route", amount: "amount" },
        amounts: { min_dy: "route:route" },
        minimumOut: "min_dy",
        gives: {
          token: "route:route",
          recipient: more.endsWith("receiver") ? "receiver" : "@caller",
          hint: "Call the variant with a receiver, and pass the user.",
        },
      })),
    ),
  };
}

/** Balancer v2's Vault. */
export const balancerVault: ProtocolFamily = {
  name: "Balancer v2",
  router: SWAP_ROUTERS.balancerVault,
  structs: [
    "struct Single { bytes32 poolId; uint8 kind; address assetIn; address assetOut; uint256 amount; bytes userData; }",
    "struct Step { bytes32 poolId; uint256 assetInIndex; uint256 assetOutIndex; uint256 amount; bytes userData; }",
    "struct Funds { address sender; bool fromInternalBalance; address recipient; bool toInternalBalance; }",
  ],
  functions: [
    {
      signature: "function swap(Single singleSwap, Funds funds, uint256 limit, uint256 deadline) payable",
      takes: [
        {
          token: "singleSwap.assetIn",
          amount: "singleSwap.amount",
          payer: "funds.sender",
          when: [
            { path: "singleSwap.kind", is: 0 },
            { path: "funds.fromInternalBalance", is: false },
          ],
        },
        {
          token: "singleSwap.assetIn",
          amount: "limit",
          isMaximum: true,
          payer: "funds.sender",
          when: [
            { path: "singleSwap.kind", is: 1 },
            { path: "funds.fromInternalBalance", is: false },
          ],
        },
      ],
      gives: { token: "singleSwap.assetOut", recipient: "funds.recipient", hint },
    },
    {
      signature:
        "function batchSwap(uint8 kind, Step[] swaps, address[] assets, Funds funds, int256[] limits, uint256 deadline) payable",
      takes: [
        {
          // Steps with amount 0 use the output of the step before them.
          token: "assets[swaps.*.assetInIndex]",
          amount: "swaps.*.amount",
          limit: "limits[swaps.*.assetInIndex]",
          payer: "funds.sender",
          when: [
            { path: "kind", is: 0 },
            { path: "funds.fromInternalBalance", is: false },
          ],
        },
        {
          // Limits of assets that the Vault takes are positive.
          token: "assets.*",
          amount: "limits.*",
          isMaximum: true,
          payer: "funds.sender",
          when: [
            { path: "kind", is: 1 },
            { path: "funds.fromInternalBalance", is: false },
          ],
        },
      ],
      gives: { token: "@unknown", recipient: "funds.recipient", isPerhapsNative: true, hint },
    },
  ],
};

/** Balancer v3's Router and BatchRouter. */
export const balancerV3: ProtocolFamily = {
  name: "Balancer v3",
  router: SWAP_ROUTERS.balancerV3Router,
  structs: [
    "struct Step { address pool; address tokenOut; bool isBuffer; }",
    "struct PathIn { address tokenIn; Step[] steps; uint256 exactAmountIn; uint256 minAmountOut; }",
    "struct PathOut { address tokenIn; Step[] steps; uint256 maxAmountIn; uint256 exactAmountOut; }",
  ],
  functions: [
    {
      signature:
        "function swapSingleTokenExactIn(address pool, address tokenIn, address tokenOut, uint256 exactAmountIn, uint256 minAmountOut, uint256 deadline, bool wethIsEth, bytes userData) payable",
      takes: { token: "tokenIn", amount: "exactAmountIn" },
      amounts: { minAmountOut: "tokenOut" },
      minimumOut: "minAmountOut",
      gives: { token: "tokenOut", recipient: "@caller", hint: swept },
    },
    {
      signature:
        "function swapSingleTokenExactOut(address pool, address tokenIn, address tokenOut, uint256 exactAmountOut, uint256 maxAmountIn, uint256 deadline, bool wethIsEth, bytes userData) payable",
      takes: { token: "tokenIn", amount: "maxAmountIn", isMaximum: true },
      amounts: { exactAmountOut: "tokenOut" },
      gives: { token: "tokenOut", recipient: "@caller", amount: "exactAmountOut", hint: swept },
    },
    {
      signature: "function swapExactIn(PathIn[] paths, uint256 deadline, bool wethIsEth, bytes userData) payable",
      takes: { token: "paths.*.tokenIn", amount: "paths.*.exactAmountIn" },
      gives: { token: "@unknown", recipient: "@caller", isPerhapsNative: true, hint: swept },
    },
    {
      signature: "function swapExactOut(PathOut[] paths, uint256 deadline, bool wethIsEth, bytes userData) payable",
      takes: { token: "paths.*.tokenIn", amount: "paths.*.maxAmountIn", isMaximum: true },
      gives: { token: "@unknown", recipient: "@caller", isPerhapsNative: true, hint: swept },
    },
    {
      signature:
        "function addLiquidityUnbalanced(address pool, uint256[] amountsIn, uint256 minAmountOut, bool wethIsEth, bytes userData) payable",
      takes: { token: "@unknown", amount: "amountsIn.*" },
      minimumOut: "minAmountOut",
      gives: { token: "pool", recipient: "@caller", hint: swept },
    },
    {
      signature:
        "function addLiquidityProportional(address pool, uint256[] maxAmountsIn, uint256 amountOut, bool wethIsEth, bytes userData) payable",
      takes: { token: "@unknown", amount: "maxAmountsIn.*", isMaximum: true },
      gives: { token: "pool", recipient: "@caller", amount: "amountOut", hint: swept },
    },
  ],
};
