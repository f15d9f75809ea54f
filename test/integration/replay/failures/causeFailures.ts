import { type Address, concat, getAddress, type Hex, maxUint160, maxUint48, numberToHex, pad, size } from "viem";

import { PERMIT2_ADDRESS } from "../../../../packages/protocol/src/chains/index.ts";
import { selectorOf } from "../../../../packages/protocol/src/reverts/classifyRevert.ts";
import {
  errorData,
  errorText,
  GAS_EATER,
} from "../../../../packages/crosscall/src/localnet/scenarios/families/failScenario.ts";
import { approve, callOf, MINT, rawCall, TRANSFER, USER } from "../support/fillFork.ts";
import type { ExpectedFailure, FailureCase } from "./failureCase.ts";

const PERMIT2_APPROVE = "function approve(address token, address spender, uint160 amount, uint48 expiration)";
const PERMIT2_TRANSFER = "function transferFrom(address from, address to, uint160 amount, address token)";
const SUPPLY = "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)";

const SWAP =
  "function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)";

/** Code that returns 1000 if the second argument is zero, and goes on if not. */
const RETURNS_WITHOUT_MINIMUM: Hex = "0x6024356011576103e860005260206000f35b";

const BORROW =
  "function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)";
/** Aave v2's pool on Ethereum. */
const AAVE_V2: Address = "0x7d2768dE32b0b80b7a3454c06BdAc94A69DDc7A9";
/** Code that reverts without data in `transfer`, and returns 5 from other functions. */
const REJECTING_CODE: Hex = "0x60003560e01c63a9059cbb14601957600560005260206000f35b60006000fd";

/** Returns code that reverts with the data in one function, and returns 5 from others. */
const rejectingCode = (selector: Hex, data: Hex): Hex =>
  revertingCode(data, concat(["0x60003560e01c63", selector, "0x14601957600560005260206000f35b"]));

/** Code that returns 5 from `balanceOf`, and reverts without data in other functions. */
const COUNTING_CODE: Hex = "0x60003560e01c6370a082311460145760006000fd5b600560005260206000f3";

const PLACE: Address = getAddress("0x00000000000000000000000000000000000005c1");
const ACCOUNT: Address = getAddress("0x00000000000000000000000000000000000005c2");
/** Uniswap's SwapRouter02 on most chains. */
const SWAP_ROUTER: Address = "0x68b3465833fb72A70ecDF485E0e4C7bD8665Fc45";
const OWN_ERROR = errorData("error OwnFailure()");

/**
 * Returns code that reverts with the data, whichever function is called.
 *
 * @param before code that runs first
 */
export function revertingCode(data: Hex, before: Hex = "0x"): Hex {
  const offset = numberToHex(size(before) + 12, { size: 1 });
  return concat([before, "0x61", numberToHex(size(data), { size: 2 }), "0x8060", offset, "0x6000396000fd", data]);
}

/** Returns code that calls {@link GAS_EATER} with 30,000 gas, which is too little, ignores the result, and goes on. */
export function catcherCode(rest: Hex): Hex {
  return concat(["0x6305f5e100600052", "0x60006000602060006000", "0x73", GAS_EATER.address, "0x617530f150", rest]);
}

/** Returns code that calls the address with its own input, and reverts with its data. */
function forwardingCode(to: Address): Hex {
  return concat(["0x366000600037600060003660006000", "0x73", to, "0x5af1503d600060003e3d6000fd"]);
}

/** Returns code that calls the address and reverts with its data. */
export function passingCode(to: Address): Hex {
  return concat(["0x6000600060006000600073", to, "0x5af1503d600060003e3d6000fd"]);
}

/** Returns code that transfers 5 of a token to the zero address, and ignores the result. */
function ignoringCode(token: Address): Hex {
  return concat(["0x63a9059cbb600052600560405260006000", "0x6044601c600073", token, "0x5af150"]);
}

/** Calls the user, and reverts with its own error. */
const CATCHER_CODE = catcherCode(
  concat([
    "0x60006000600060006000",
    "0x73",
    USER,
    "0x5af150",
    "0x7f",
    pad(OWN_ERROR, { dir: "right", size: 32 }),
    "0x60005260046000fd",
  ]),
);

/** Fails with the data after a token returned false from a transfer for which the balance is too small. */
function ignoringFill(
  data: Hex,
  { isShort = false, ...expected }: Pick<ExpectedFailure, "failReason" | "error"> & { readonly isShort?: boolean },
): FailureCase["make"] {
  return async ({ deploy, fork, send }) => {
    const token = await deploy("mocks/FalseToken");
    await send(callOf(token, "function refuse(bytes4 selector)", "0xa9059cbb"));
    await fork.request("hardhat_setCode", [PLACE, revertingCode(data, ignoringCode(token))]);
    const condition = { kind: "balance", account: PLACE, needed: 5n, had: 0n, currency: token } as const;
    return {
      calls: [rawCall(PLACE, "0x12345678")],
      expected: { ...expected, txIndex: 0, path: [0], ...(isShort ? { condition } : {}) },
    };
  };
}

/** Failures whose error alone says little: missing allowances of Permit2, missing rights, and silent failures. */
export const CAUSE_FAILURES: readonly FailureCase[] = [
  {
    name: "a Permit2 allowance that was never given",
    cause: "allowance",
    says: /^the spender never received an allowance in Permit2: call Permit2\.approve$/u,
    advises: /^Use the delivered tokens instead\. Do not approve the router: anyone can spend its allowances\.$/u,
    make: ({ contracts: { dollar } }) => ({
      calls: [callOf(PERMIT2_ADDRESS, PERMIT2_TRANSFER, USER, PERMIT2_ADDRESS, 5n, dollar)],
      expected: {
        failReason: "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE",
        txIndex: 0,
        error: "AllowanceExpired(deadline: 0)",
        path: [0],
      },
    }),
  },
  {
    name: "a Permit2 allowance that a contract never received from the router",
    cause: "allowance",
    says: /^the spender never received an allowance in Permit2: call Permit2\.approve$/u,
    advises: /^Call Permit2\.approve\(0x\w{40}, 0x0+5c1, amount, expiration\) from 0x\w{40}, before/iu,
    make: async ({ contracts: { dollar }, fork, router }) => {
      await fork.request("hardhat_setCode", [PLACE, forwardingCode(PERMIT2_ADDRESS)]);
      const { data } = callOf(PERMIT2_ADDRESS, PERMIT2_TRANSFER, router, PLACE, 5n, dollar);
      return {
        calls: [rawCall(PLACE, data)],
        expected: {
          failReason: "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE",
          txIndex: 0,
          error: "AllowanceExpired(deadline: 0)",
          path: [0, 0],
        },
      };
    },
  },
  {
    name: "a Permit2 allowance that has expired",
    cause: "deadline",
    make: async ({ contracts: { dollar }, router, send, fork }) => {
      await send(callOf(PERMIT2_ADDRESS, PERMIT2_APPROVE, dollar, router, maxUint160, 5), USER);
      return {
        calls: [callOf(PERMIT2_ADDRESS, PERMIT2_TRANSFER, USER, PERMIT2_ADDRESS, 5n, dollar)],
        expected: {
          failReason: "SIGNATURE_EXPIRED",
          txIndex: 0,
          error: "AllowanceExpired(deadline: 5)",
          path: [0],
          condition: { kind: "deadline", needed: fork.environment.timestamp, had: 5n },
        },
      };
    },
  },
  {
    name: "a Permit2 allowance that is too small",
    cause: "allowance",
    says: /^the spender's allowance in Permit2 is 4, which is less than the call spends$/u,
    make: async ({ contracts: { dollar }, router, send }) => {
      await send(callOf(PERMIT2_ADDRESS, PERMIT2_APPROVE, dollar, router, 4n, Number(maxUint48)), USER);
      return {
        calls: [callOf(PERMIT2_ADDRESS, PERMIT2_TRANSFER, USER, PERMIT2_ADDRESS, 5n, dollar)],
        expected: {
          failReason: "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE",
          txIndex: 0,
          error: "InsufficientAllowance(amount: 4)",
          path: [0],
        },
      };
    },
  },
  {
    name: "a token that is not approved to Permit2",
    cause: "allowance",
    make: async ({ contracts: { dollar }, router, send }) => {
      await send(callOf(dollar, MINT, USER, 5n));
      await send(callOf(PERMIT2_ADDRESS, PERMIT2_APPROVE, dollar, router, 5n, Number(maxUint48)), USER);
      return {
        calls: [callOf(PERMIT2_ADDRESS, PERMIT2_TRANSFER, USER, PERMIT2_ADDRESS, 5n, dollar)],
        expected: {
          failReason: "TRANSFER_FROM_FAILED",
          txIndex: 0,
          error: `ERC20InsufficientAllowance(spender: ${PERMIT2_ADDRESS}, allowance: 0, needed: 5)`,
          path: [0, 0],
          condition: { kind: "allowance", spender: PERMIT2_ADDRESS, needed: 5n, had: 0n, currency: dollar },
        },
      };
    },
  },
  {
    name: "a function for the owner of an OpenZeppelin 5 contract",
    cause: "access",
    says: /, and 0x\w+ is not the owner: the caller is the router, not the user$/u,
    make: async ({ deploy, router }) => {
      const policy = await deploy("receiver/policies/UserAllowList", USER);
      return {
        calls: [callOf(policy, "function renounceOwnership()")],
        expected: {
          failReason: "EXECUTION_REVERTED",
          txIndex: 0,
          error: `OwnableUnauthorizedAccount(account: ${router})`,
          path: [0],
        },
      };
    },
  },
  {
    name: "a function for the owner of an OpenZeppelin 4 contract",
    cause: "access",
    advises: /^Call a function that acts for an account instead\. Do not give the router the right/u,
    says: /^only the contract's owner can call this function: the caller is the router, not the user$/u,
    make: async ({ fork }) => {
      await fork.request("hardhat_setCode", [PLACE, revertingCode(errorText("Ownable: caller is not the owner"))]);
      return {
        calls: [callOf(PLACE, "function pause()")],
        expected: {
          failReason: "EXECUTION_REVERTED",
          txIndex: 0,
          error: "Ownable: caller is not the owner",
          path: [0],
        },
      };
    },
  },
  {
    name: "a missing role, without the account in the error",
    cause: "access",
    says: /: the caller is the router, not the user$/u,
    make: async ({ fork }) => {
      await fork.request("hardhat_setCode", [PLACE, revertingCode(errorData("error Unauthorized()"))]);
      return {
        calls: [callOf(PLACE, "function pause()")],
        expected: { failReason: "EXECUTION_REVERTED", txIndex: 0, error: "Unauthorized()", path: [0] },
      };
    },
  },
  {
    name: "a supply above Aave's cap",
    cause: "limit",
    says: /^the supply cap of the reserve is exceeded \(SUPPLY_CAP_EXCEEDED\)$/u,
    make: async ({ fork, contracts: { dollar } }) => {
      await fork.request("hardhat_setCode", [PLACE, revertingCode(errorText("51"))]);
      return {
        calls: [callOf(PLACE, SUPPLY, dollar, 990n, USER, 0)],
        expected: { failReason: "EXECUTION_REVERTED", txIndex: 0, error: "51", path: [0] },
      };
    },
  },
  {
    name: "a number of another contract that is also one of Aave's",
    cause: "unknown",
    says: /^if the contract is from Aave v3, /u,
    make: async ({ fork }) => {
      await fork.request("hardhat_setCode", [PLACE, revertingCode(errorText("51"))]);
      return {
        calls: [callOf(PLACE, "function withdraw(address asset, uint256 amount, address to)", PLACE, 5n, USER)],
        expected: { failReason: "EXECUTION_REVERTED", txIndex: 0, error: "51", path: [0] },
      };
    },
  },
  {
    name: "a loan above the collateral, in Aave v2",
    cause: "health",
    says: /^the account's collateral does not cover the new debt \(VL_COLLATERAL_CANNOT_COVER_NEW_BORROW\)$/u,
    make: async ({ fork }) => {
      await fork.request("hardhat_setCode", [AAVE_V2, revertingCode(errorText("11"))]);
      return {
        calls: [callOf(AAVE_V2, BORROW, PLACE, 5n, 2n, 0, USER)],
        expected: { failReason: "EXECUTION_REVERTED", txIndex: 0, error: "11", path: [0] },
      };
    },
  },
  {
    name: "a token that rejects a transfer without a reason",
    cause: "transfer",
    says: /^0x\w+ rejects the transfer from 0x\w+ to 0x\w+ without a reason, although the balance is sufficient$/u,
    advises: /blocks the sender or the recipient/u,
    make: async ({ fork }) => {
      await fork.request("hardhat_setCode", [PLACE, REJECTING_CODE]);
      return {
        calls: [callOf(PLACE, TRANSFER, USER, 5n)],
        expected: { failReason: "MISSING_REVERT_DATA", txIndex: 0, error: "no revert data", path: [0] },
      };
    },
  },
  {
    name: "a paused token, whose balance is also too small",
    cause: "paused",
    says: /^the contract is paused$/u,
    make: async ({ fork }) => {
      const code = rejectingCode("0xa9059cbb", errorText("Pausable: paused"));
      await fork.request("hardhat_setCode", [PLACE, code]);
      return {
        calls: [callOf(PLACE, TRANSFER, USER, 6n)],
        expected: { failReason: "CONTRACT_PAUSED", txIndex: 0, error: "Pausable: paused", path: [0] },
      };
    },
  },
  {
    name: "a contract that is paused after a failed transfer that it may have ignored",
    cause: "balance",
    says: /^the holder has less .*; after that, its caller fails for its own reason: the contract is paused$/u,
    make: async ({ fork }) => {
      const short = revertingCode(errorText("ERC20: transfer amount exceeds balance"));
      await fork.request("hardhat_setCode", [ACCOUNT, short]);
      await fork.request("hardhat_setCode", [
        PLACE,
        revertingCode(errorText("Pausable: paused"), ignoringCode(ACCOUNT)),
      ]);
      return {
        calls: [rawCall(PLACE, "0x12345678")],
        expected: {
          failReason: "CONTRACT_PAUSED",
          txIndex: 0,
          error: "ERC20: transfer amount exceeds balance",
          path: [0, 0],
        },
      };
    },
  },
  {
    name: "a vault that rejects a withdrawal for its own reason, and has fewer shares than the amount",
    cause: "unknown",
    says: /^0x\w+ raised this error in withdraw, 1 call deep, called by the router$/u,
    make: async ({ fork }) => {
      await fork.request("hardhat_setCode", [PLACE, rejectingCode("0x2e1a7d4d", errorText("too early"))]);
      return {
        calls: [callOf(PLACE, "function withdraw(uint256 amount)", 6n)],
        expected: { failReason: "EXECUTION_REVERTED", txIndex: 0, error: "too early", path: [0] },
      };
    },
  },
  {
    name: "a vault without native currency that rejects a withdrawal without a reason",
    cause: "unknown",
    says: /^0x\w+ reverted without data in withdraw, 1 call deep, called by the router$/u,
    make: async ({ fork }) => {
      await fork.request("hardhat_setCode", [PLACE, rejectingCode("0x2e1a7d4d", "0x")]);
      return {
        calls: [callOf(PLACE, "function withdraw(uint256 amount)", 6n)],
        expected: { failReason: "MISSING_REVERT_DATA", txIndex: 0, error: "no revert data", path: [0] },
      };
    },
  },
  {
    name: "an error of Uniswap v4 with the form of OpenZeppelin's, and the numbers in another order",
    cause: "balance",
    says: /^the router has 3 and needs 500$/u,
    make: async ({ fork }) => {
      const data = errorData("error InsufficientBalance(uint256 amount, uint256 availableBalance)", 500n, 3n);
      await fork.request("hardhat_setCode", [PLACE, revertingCode(data)]);
      return {
        calls: [callOf(PLACE, "function execute(bytes commands, bytes[] inputs)", "0x", [])],
        expected: {
          failReason: "INSUFFICIENT_NATIVE_TOKENS_SUPPLIED",
          txIndex: 0,
          error: "InsufficientBalance(balance: 500, needed: 3)",
          path: [0],
        },
      };
    },
  },
  {
    name: "an NFT that rejects a transfer without a reason",
    cause: "unknown",
    says: /^0x\w+ reverted without data in transferFrom, 1 call deep, called by the router$/u,
    make: async ({ fork, router }) => {
      await fork.request("hardhat_setCode", [PLACE, COUNTING_CODE]);
      return {
        calls: [callOf(PLACE, "function transferFrom(address from, address to, uint256 id)", router, USER, 1n)],
        expected: { failReason: "MISSING_REVERT_DATA", txIndex: 0, error: "no revert data", path: [0] },
      };
    },
  },
  {
    name: "a transfer of a contract that is no token",
    cause: "unknown",
    says: /^0x\w+ reverted without data in transfer, 1 call deep, called by the router$/u,
    make: async ({ fork }) => {
      await fork.request("hardhat_setCode", [PLACE, "0x60006000fd"]);
      return {
        calls: [callOf(PLACE, TRANSFER, USER, 5n)],
        expected: { failReason: "MISSING_REVERT_DATA", txIndex: 0, error: "no revert data", path: [0] },
      };
    },
  },
  {
    name: "an account that reverts without data in its validation",
    cause: "inner",
    says: /^the account reverted while it validated the operation$/u,
    advises: /^Check the failed call in the trace\.$/u,
    make: async ({ fork }) => {
      const signature = "error FailedOpWithRevert(uint256 opIndex, string reason, bytes inner)";
      await fork.request("hardhat_setCode", [PLACE, revertingCode(errorData(signature, 0n, "AA23 reverted", "0x"))]);
      return {
        calls: [rawCall(PLACE, "0x12345678")],
        expected: {
          failReason: "MISSING_REVERT_DATA",
          txIndex: 0,
          error: 'FailedOpWithRevert(opIndex: 0, reason: "AA23 reverted", inner: 0x)',
          path: [0],
        },
      };
    },
  },
  {
    name: "a fork of Uniswap v2 with its own prefix",
    cause: "slippage",
    says: /^the swap's output is below its minimum$/u,
    make: async ({ fork }) => {
      const text = "CamelotRouter: INSUFFICIENT_OUTPUT_AMOUNT";
      await fork.request("hardhat_setCode", [PLACE, revertingCode(errorText(text))]);
      return {
        calls: [rawCall(PLACE, "0x12345678")],
        expected: { failReason: "TOO_LITTLE_RECEIVED", txIndex: 0, error: text, path: [0] },
      };
    },
  },
  {
    name: "a token that returns false in the router's sweep",
    cause: "transfer",
    says: /^0x\w+ returned false from transfer instead of a reason, and 0x\w+ treats this as a failure$/u,
    make: async ({ deploy, router, send }) => {
      const token = await deploy("mocks/FalseToken");
      await send(callOf(token, MINT, router, 990n));
      await send(callOf(token, "function refuse(bytes4 selector)", "0xa9059cbb"));
      const sweep = "function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts, bytes metadata)";
      return {
        calls: [callOf(router, sweep, [token], [USER], [0n], "0x")],
        expected: { failReason: "TRANSFER_FAILED", txIndex: 0, error: "TransferFailed()", path: [0] },
      };
    },
  },
  {
    name: "a listed reason of a contract that ignores a token's false",
    cause: "paused",
    says: /^the contract is paused$/u,
    advises: /^Check whether the contract is paused/u,
    make: ignoringFill(errorText("Pausable: paused"), {
      failReason: "CONTRACT_PAUSED",
      error: "Pausable: paused",
    }),
  },
  {
    name: "an unknown reason of a contract that may ignore a token's false",
    cause: "unknown",
    says: /^if 0x\w+ fails because the token returned false, balance of 0x\w+: needed 5, had 0$/u,
    advises: /^Spend the live balance with a destination proxy or a cleanup, not a fixed amount\.$/u,
    make: ignoringFill(OWN_ERROR, {
      failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
      error: `error ${selectorOf("OwnFailure()")}`,
      isShort: true,
    }),
  },
  {
    name: "the failed transfer of a token that returned false",
    cause: "balance",
    says: /^balance of 0x\w+: needed 5, had 0$/u,
    make: ignoringFill(errorText("TRANSFER_FAILED"), {
      failReason: "TRANSFER_FAILED",
      error: "TRANSFER_FAILED",
      isShort: true,
    }),
  },
  {
    name: "an error of an unknown contract with the name of one of Permit2",
    cause: "unknown",
    says: /^if the contract is from Permit2, the spender's allowance in Permit2 is 5, which is less than the call spends$/u,
    make: async ({ fork }) => {
      const data = errorData("error InsufficientAllowance(uint256 amount)", 5n);
      await fork.request("hardhat_setCode", [PLACE, revertingCode(data)]);
      return {
        calls: [rawCall(PLACE, "0x12345678")],
        expected: {
          failReason: "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE",
          txIndex: 0,
          error: "InsufficientAllowance(amount: 5)",
          path: [0],
        },
      };
    },
  },
  {
    name: "an error of a contract that a listed one calls",
    cause: "unknown",
    says: /^if the contract is from Uniswap routers, /u,
    make: async ({ fork }) => {
      await fork.request("hardhat_setCode", [PLACE, revertingCode(errorText("TD"))]);
      await fork.request("hardhat_setCode", [SWAP_ROUTER, passingCode(PLACE)]);
      return {
        calls: [callOf(SWAP_ROUTER, "function refundETH()")],
        expected: { failReason: "EXECUTION_REVERTED", txIndex: 0, error: "TD", path: [0, 0] },
      };
    },
  },
  {
    name: "a deadline that an unknown contract does not have",
    cause: "unknown",
    says: /^if the contract is from Uniswap v3, the swap's deadline has passed$/u,
    make: async ({ fork }) => {
      await fork.request("hardhat_setCode", [PLACE, revertingCode(errorText("Transaction too old"))]);
      await fork.request("hardhat_setCode", [SWAP_ROUTER, passingCode(PLACE)]);
      return {
        calls: [callOf(SWAP_ROUTER, "function multicall(uint256 deadline, bytes[] data)", 5n, [])],
        expected: { failReason: "SIGNATURE_EXPIRED", txIndex: 0, error: "Transaction too old", path: [0, 0] },
      };
    },
  },
  {
    name: "a swap that rejects any minimum, without the numbers of its output",
    cause: "slippage",
    says: /^the swap's output is below its minimum$/u,
    make: async ({ fork }) => {
      const data = errorText("UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT");
      await fork.request("hardhat_setCode", [PLACE, revertingCode(data, RETURNS_WITHOUT_MINIMUM)]);
      return {
        calls: [callOf(PLACE, SWAP, 990n, 5n, [], USER, maxUint48)],
        expected: {
          failReason: "TOO_LITTLE_RECEIVED",
          txIndex: 0,
          error: "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT",
          path: [0],
        },
      };
    },
  },
  {
    name: "native currency for an account that delegates to a contract",
    cause: "recipient",
    says: /, an account that delegates to 0x\w+ \(EIP-7702\), whose code does not accept it$/u,
    make: async ({ deploy, fork, contracts: { dollar } }) => {
      const refuser = await deploy("mocks/NativeRefuser");
      await fork.request("hardhat_setCode", [ACCOUNT, concat(["0xef0100", refuser])]);
      return {
        terms: { currency: "0x0000000000000000000000000000000000000000" },
        calls: [callOf(dollar, "function balanceOf(address account)", USER), rawCall(ACCOUNT, "0x", 5n)],
        expected: { failReason: "EXECUTION_REVERTED", txIndex: 1, error: "Refused(amount: 5)", path: [1] },
      };
    },
  },
  {
    name: "an NFT for an account that delegates to a contract",
    cause: "recipient",
    says: /; 0x\w+ is an account that delegates to 0x\w+ \(EIP-7702\), so that its code must accept the token; inside, /u,
    make: async ({ deploy, fork }) => {
      const nft = await deploy("mocks/PlainErc721");
      const target = await deploy("mocks/Target");
      await fork.request("hardhat_setCode", [ACCOUNT, concat(["0xef0100", target])]);
      return {
        calls: [callOf(nft, "function safeMint(address to, uint256 tokenId, bytes data)", ACCOUNT, 7n, "0x")],
        expected: {
          failReason: "DESTINATION_TOKEN_TRANSFER_REJECTED",
          txIndex: 0,
          error: "no revert data",
          path: [0, 0],
        },
      };
    },
  },
  {
    name: "a call that ran out of gas before its caller failed with another error",
    cause: "unknown",
    says: /^0x\w+ raised the unknown error 0x\w{8} in 0x12345678, 1 call deep, called by the router; before that, a call to 0x\w+ ran out of its 30000 gas, and its caller continued$/u,
    make: async ({ fork }) => {
      await fork.request("hardhat_setCode", [PLACE, CATCHER_CODE]);
      return {
        calls: [rawCall(PLACE, "0x12345678")],
        expected: {
          failReason: "EXECUTION_REVERTED",
          txIndex: 0,
          error: `error ${selectorOf("OwnFailure()")}`,
          path: [0],
        },
      };
    },
  },
  {
    name: "an unknown error that names its caller",
    cause: "unknown",
    says: /^0x\w+ raised the unknown error 0x\w{8} in approve, 1 call deep, called by the router; the error names this caller$/u,
    make: async ({ fork, router, contracts: { vault } }) => {
      const data = errorData("error OnlyKeeper(uint256 id, address caller)", 5n, router);
      await fork.request("hardhat_setCode", [PLACE, revertingCode(data)]);
      return {
        calls: [approve(PLACE, vault)],
        expected: { failReason: "EXECUTION_REVERTED", txIndex: 0, error: `error ${data.slice(0, 10)}`, path: [0] },
      };
    },
  },
];
