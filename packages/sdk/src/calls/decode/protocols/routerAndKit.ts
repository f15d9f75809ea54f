import type { ProtocolFamily } from "../knownFunction.ts";

const perToken = { "amounts.*": "tokens.*" };
const structs = ["struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }"];
const native = { amount: "@native" };

/** Functions with v3's trailing metadata (spec 4, section 3). */
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

const PERMIT = "address token; address owner; uint256 value;";
const SIGNATURE = "uint256 deadline; uint8 v; bytes32 r; bytes32 s;";
const AUTHORIZATION =
  "struct Authorization { address from; uint256 value; uint256 validAfter; uint256 validBefore; uint8 v; bytes32 r; bytes32 s; }";
// The proxies continue if the permits are already used, and require that their owner is the caller.
const own = { signed: { by: "@caller", isOptional: true } } as const;
// The signatures name the caller: the router, through which anyone can submit them.
const unbound = { signed: { by: "@unknown" } };
const RUNS = "Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata";

/** Functions of the service's approval proxies: those of versions 3.0 and 3.2, and the permits of 3.2. */
export const approvalProxy: ProtocolFamily = {
  name: "approval proxy",
  structs: [
    ...structs,
    `struct Permit { ${PERMIT} ${SIGNATURE} }`,
    AUTHORIZATION,
    "struct Permitted { address token; uint256 amount; }",
    "struct Batch { Permitted[] permitted; uint256 nonce; uint256 deadline; }",
  ],
  functions: [
    {
      signature: `function transferAndMulticall(address[] tokens, uint256[] amounts, ${RUNS}) payable`,
      amounts: perToken,
    },
    {
      signature: `function permit2TransferAndMulticall(address user, Batch permit, ${RUNS}, bytes permitSignature) payable`,
      signed: { by: "user", bytes: "permitSignature" },
    },
    { signature: `function permitTransferAndMulticall(Permit[] permits, ${RUNS}) payable`, ...own },
    {
      signature: `function permit3009TransferAndMulticall(Authorization[] permits, address[] tokens, ${RUNS}, bytes[] multicallSignatures) payable`,
      ...unbound,
    },
  ],
};

/** Permits of approval proxy 3.0: EIP-2612 with a nonce, and EIP-3009 without signed calls. */
export const approvalProxy30: ProtocolFamily = {
  name: "approval proxy",
  structs: [...structs, `struct Permit { ${PERMIT} uint256 nonce; ${SIGNATURE} }`, AUTHORIZATION],
  functions: [
    { signature: `function permitTransferAndMulticall(Permit[] permits, ${RUNS}) payable`, ...own },
    {
      signature: `function permit3009TransferAndMulticall(Authorization[] permits, address[] tokens, ${RUNS}) payable`,
      ...unbound,
    },
  ],
};

/** crosscall's typed proxies, whose tokens are immutables, not arguments. */
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
    { signature: "function pull(address token, address owner)" },
  ],
};
