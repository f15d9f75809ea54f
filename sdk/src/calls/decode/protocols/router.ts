import type { ProtocolFamily } from "../knownFunction.ts";

const perToken = { "amounts.*": "tokens.*" };
const structs = ["struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }"];
const native = { amount: "@native" };

/** With v3's trailing metadata (spec 4, section 3). */
export const routerV3: ProtocolFamily = {
  name: "router v3",
  structs,
  functions: [
    {
      signature:
        "function multicall(Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata) payable",
    },
    {
      signature: "function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts, bytes metadata)",
      amounts: perToken,
    },
    { signature: "function cleanupNative(uint256 amount, address recipient, bytes metadata)", amounts: native },
  ],
};

export const routerViaCalls: ProtocolFamily = {
  name: "router",
  functions: [
    {
      signature: "function cleanupErc20sViaCall(address[] tokens, address[] tos, bytes[] datas, uint256[] amounts)",
      amounts: perToken,
    },
    { signature: "function cleanupNativeViaCall(uint256 amount, address to, bytes data)", amounts: native },
  ],
};

export const routerV2: ProtocolFamily = {
  name: "router v2",
  structs,
  functions: [
    { signature: "function multicall(Call3Value[] calls, address refundTo, address nftRecipient) payable" },
    {
      signature: "function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts)",
      amounts: perToken,
    },
    { signature: "function cleanupNative(uint256 amount, address recipient)", amounts: native },
  ],
};
