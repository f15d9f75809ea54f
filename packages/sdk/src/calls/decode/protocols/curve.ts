import type { ProtocolFamily } from "../knownFunction.ts";

const exchanged = { takes: { token: "@unknown", amount: "dx" }, minimumOut: "min_dy" };
const added = { takes: { token: "@unknown", amount: "amounts.*" }, minimumOut: "min_mint_amount" };
const toCaller = {
  token: "@unknown",
  recipient: "@caller",
  hint: "Call the variant with a receiver; if the pool has none, sweep the output afterwards.",
};
const toReceiver = { token: "@unknown", recipient: "receiver", hint: "Pass the user as the receiver." };

/** Functions of old and new Curve pools. Their calls do not contain the coins. */
export const curve: ProtocolFamily = /* @__PURE__ */ buildCurve();

// Builds the family in a function, because bundlers keep top-level calls.
function buildCurve(): ProtocolFamily {
  return {
    name: "Curve",
    functions: [
      ...[
        ["exchange", "int128", ""],
        ["exchange", "uint256", ""],
        // Pools of tokens and wrapped native currency.
        ["exchange", "uint256", ", bool use_eth"],
        ["exchange_underlying", "int128", ""],
        ["exchange_underlying", "uint256", ""],
      ].flatMap(([name, index, more]) => [
        {
          signature: `function ${name}(${index} i, ${index} j, uint256 dx, uint256 min_dy${more}) payable`,
          ...exchanged,
          gives: { ...toCaller, isPerhapsNative: true },
        },
        {
          signature: `function ${name}(${index} i, ${index} j, uint256 dx, uint256 min_dy${more}, address receiver) payable`,
          ...exchanged,
          gives: toReceiver,
        },
      ]),
      // The newest pools accept dynamic arrays.
      ...["", 2, 3, 4, 5, 6, 7, 8].flatMap((coins) => [
        {
          signature: `function add_liquidity(uint256[${coins}] amounts, uint256 min_mint_amount) payable`,
          ...added,
          gives: toCaller,
        },
        {
          signature: `function add_liquidity(uint256[${coins}] amounts, uint256 min_mint_amount, address receiver) payable`,
          ...added,
          gives: toReceiver,
        },
      ]),
    ],
  };
}
