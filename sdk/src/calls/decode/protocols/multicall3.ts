import type { ProtocolFamily } from "../knownFunction.ts";

/** Makes any call for anyone. */
export const multicall3: ProtocolFamily = {
  name: "Multicall3",
  structs: [
    "struct Call3 { address target; bool allowFailure; bytes callData; }",
    "struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }",
  ],
  functions: [
    { signature: "function aggregate3(Call3[] calls) payable" },
    { signature: "function aggregate3Value(Call3Value[] calls) payable" },
  ],
};
