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

/** The kit's typed proxies. Their tokens are immutables, in no call. */
export const kitProxies: ProtocolFamily = {
  name: "destination proxy",
  functions: [
    {
      signature: "function execute(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline)",
      takes: { token: "@unknown", amount: "@balance" },
      minimumOut: "minimumOut",
    },
    {
      signature:
        "function executeNative(address recipient, uint256 minimumIn, uint256 minimumOut, uint256 deadline) payable",
      amounts: { minimumIn: "@native" },
      minimumOut: "minimumOut",
    },
    {
      signature: "function repay(address borrower, uint256 minimumIn, uint256 minimumRepaid, uint256 deadline)",
      takes: { token: "@unknown", amount: "@balance" },
      minimumOut: "minimumRepaid",
    },
    {
      signature:
        "function repayNative(address borrower, uint256 minimumIn, uint256 minimumRepaid, uint256 deadline) payable",
      amounts: { minimumIn: "@native" },
      minimumOut: "minimumRepaid",
    },
  ],
};

export const kitExecutor: ProtocolFamily = {
  name: "push executor",
  functions: [
    { signature: "function execute() payable", rest: "program" },
    {
      signature: "function pullAndExecute(address token) payable",
      rest: "program",
      takes: { token: "token", amount: "@balance", spender: "@puller" },
    },
  ],
};
