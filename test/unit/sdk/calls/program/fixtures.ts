import { type Address, getAddress, type Hex, parseAbi } from "viem";

import { decodeProgram } from "../../../../../packages/sdk/src/calls/program/decodeProgram.ts";
import type { DecodedStep } from "../../../../../packages/sdk/src/calls/program/decodedProgram.ts";
import { encodeProgram } from "../../../../../packages/sdk/src/calls/program/encodeProgram.ts";
import type { ExecutorContracts, Program, ProgramStep } from "../../../../../packages/sdk/src/calls/program/program.ts";

export const account = (byte: string): Address => getAddress(`0x${byte.repeat(20)}`);

export const DOLLAR = account("d1");
export const EURO = account("e1");
export const VAULT = account("5a");
export const USER = account("0a");
export const SPENDER = account("5b");

export const CONTRACTS: ExecutorContracts = {
  executor: account("c1"),
  livePuller: account("c2"),
  router: account("c3"),
};

// Calls written from the protocols' documentation. The expected offsets are counted by hand.
export const protocolAbi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct Multi { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }",
  "struct Line { string name; uint256[] amounts; }",
  "function deposit(uint256 assets, address receiver) returns (uint256)",
  "function exactInputSingle(Single params) payable returns (uint256)",
  "function exactInput(Multi params) payable returns (uint256)",
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
  "function supply(bytes32 args)",
  "function add_liquidity(uint256[2] amounts, uint256 minimum) returns (uint256)",
  "function fill(uint256[] amounts, uint256 total)",
  "function fillLines(Line[] lines)",
  "function narrow(uint160 first, uint128 second, uint248 third, uint136 fourth)",
  "function signed(int256 first, int168 second, int136 third)",
  "function small(uint96 amount)",
  "function smallSigned(int128 amount)",
  "function forward(bytes data)",
  "function note(string text, bool flag)",
  "function depositAll()",
  "function transfer(address to, uint256 amount)",
  "function either(uint256 amount)",
  "function either(uint128 amount)",
]);

/** First eight bytes of the sentinel as hex: keccak256("crosscall.live.amount"). */
export const SENTINEL = "e106d1412eb99ad9";

/** Returns a word as hex, without 0x. */
export const word = (value: Hex | bigint | number): string =>
  (typeof value === "string" ? value.slice(2) : value.toString(16)).toLowerCase().padStart(64, "0");

/** Placeholder word for a live amount. */
export const LIVE_WORD = SENTINEL.padStart(64, "0");

/** Returns a program with these steps that declares native currency, dollars and euros. */
export function programOf(steps: readonly ProgramStep[], change: Partial<Program> = {}): Program {
  return {
    recipient: USER,
    tokens: [{ token: "native", minimumIn: 0n }, { token: DOLLAR }, { token: EURO, minimumIn: 0n }],
    steps,
    ...change,
  };
}

/** Returns a step that calls a protocol function. */
export function call(functionName: string, args: readonly unknown[], change: Partial<ProgramStep> = {}): ProgramStep {
  return { target: VAULT, abi: protocolAbi, functionName, args, ...change };
}

/** Returns the steps as the executor decodes them. */
export function stepsOf(...steps: ProgramStep[]): readonly DecodedStep[] {
  return decodeProgram(encodeProgram(programOf(steps), CONTRACTS)).steps;
}
