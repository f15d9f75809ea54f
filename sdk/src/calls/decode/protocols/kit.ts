import type { ProtocolFamily } from "../knownFunction.ts";

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
