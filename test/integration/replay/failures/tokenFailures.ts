import { maxUint256, zeroAddress, zeroHash } from "viem";

import { selectorOf } from "../../../../packages/protocol/src/reverts/classifyRevert.ts";
import { CONTRACT_SOURCES } from "../../../../packages/crosscall/src/localnet/devchain/published.ts";
import { approve, callOf, execute, MINT, rawCall, TRANSFER, USER } from "../support/fillFork.ts";
import { type FailureCase, SILENT_TOKEN_CODE } from "./failureCase.ts";

const TRANSFER_FROM = "function transferFrom(address from, address to, uint256 amount)";
const DEPOSIT = "function deposit(uint256 assets, address receiver)";
const PERMIT =
  "function permit(address owner, address spender, uint256, uint256 deadline, uint8 v, bytes32 r, bytes32 s)";
const STRAY = "0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";

const OLD_TOKEN = "0x00000000000000000000000000000000000005A1";

/** Failures of tokens: with an error, with a panic, with a return value, or without revert data. */
export const TOKEN_FAILURES: readonly FailureCase[] = [
  {
    name: "a transfer of more than was delivered",
    cause: "balance",
    make: ({ contracts: { dollar }, router }) => ({
      calls: [callOf(dollar, TRANSFER, USER, 1_000n)],
      expected: {
        failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
        txIndex: 0,
        error: `ERC20InsufficientBalance(sender: ${router}, balance: 990, needed: 1000)`,
        path: [0],
        condition: { kind: "balance", account: router, needed: 1_000n, had: 990n, currency: dollar },
      },
    }),
  },
  {
    name: "a deposit without an approval",
    cause: "allowance",
    make: ({ contracts: { dollar, vault } }) => ({
      calls: [callOf(vault, DEPOSIT, 990n, USER)],
      expected: {
        failReason: "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE",
        txIndex: 0,
        error: `ERC20InsufficientAllowance(spender: ${vault}, allowance: 0, needed: 990)`,
        path: [0, 1],
        condition: { kind: "allowance", spender: vault, needed: 990n, had: 0n, currency: dollar },
      },
    }),
  },
  {
    name: "a deposit of a fixed amount after less arrived",
    cause: "balance",
    make: ({ contracts: { dollar, vault }, router }) => ({
      calls: [approve(dollar, vault), callOf(vault, DEPOSIT, 1_000n, USER)],
      expected: {
        failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
        txIndex: 1,
        error: `ERC20InsufficientBalance(sender: ${router}, balance: 990, needed: 1000)`,
        path: [1, 1],
        condition: { kind: "balance", account: router, needed: 1_000n, had: 990n, currency: dollar },
      },
    }),
  },
  {
    name: "an approval that changes a nonzero allowance, with the token's error",
    cause: "allowance",
    make: async ({ contracts: { tether, vault }, send, router }) => {
      await send(approve(tether, vault, 5n), router);
      return {
        calls: [approve(tether, vault, 990n)],
        terms: { currency: tether },
        expected: {
          failReason: "EXECUTION_REVERTED",
          txIndex: 0,
          error: "ApprovalNotZero(current: 5, wanted: 990)",
          path: [0],
          condition: { kind: "nonZeroAllowance", needed: 0n, had: 5n, currency: tether },
        },
      };
    },
  },
  {
    name: "an approval that changes a nonzero allowance, without revert data",
    cause: "allowance",
    make: async ({ fork, contracts: { vault } }) => {
      await fork.request("hardhat_setCode", [OLD_TOKEN, SILENT_TOKEN_CODE]);
      return {
        calls: [approve(OLD_TOKEN, vault, 990n)],
        expected: {
          failReason: "MISSING_REVERT_DATA",
          txIndex: 0,
          error: "no revert data",
          path: [0],
          condition: { kind: "nonZeroAllowance", needed: 0n, had: 5n, currency: OLD_TOKEN },
        },
      };
    },
  },
  {
    name: "an approval that a token rejects because of its amount, not because of the nonzero allowance",
    cause: "limit",
    make: async ({ contracts: { vault }, deploy, router, send }) => {
      const sticky = await deploy("mocks/StickyToken");
      await send(approve(sticky, vault, 5n), router);
      return {
        calls: [approve(sticky, vault, 2n ** 96n)],
        expected: {
          failReason: "EXECUTION_REVERTED",
          txIndex: 0,
          error: `error ${selectorOf("ApprovalTooLarge(uint256 value)")}`,
          path: [0],
        },
      };
    },
  },
  {
    name: "an allowance that is too low, in an old token",
    cause: "allowance",
    make: async ({ contracts: { tether }, router, send }) => {
      await send(callOf(tether, MINT, USER, 7n));
      await send(approve(tether, router, 6n), USER);
      return {
        calls: [callOf(tether, TRANSFER_FROM, USER, router, 7n)],
        expected: {
          failReason: "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE",
          txIndex: 0,
          error: `AllowanceTooLow(spender: ${router}, allowance: 6, needed: 7)`,
          path: [0],
          condition: { kind: "allowance", spender: router, needed: 7n, had: 6n, currency: tether },
        },
      };
    },
  },
  {
    name: "a balance that is too low in the middle of a fill, reported only by a panic",
    cause: "balance",
    make: async ({ deploy, router, send }) => {
      const strict = await deploy("mocks/StrictToken");
      await send(callOf(strict, MINT, router, 990n));
      return {
        calls: [callOf(strict, TRANSFER, USER, 600n), callOf(strict, TRANSFER, USER, 391n)],
        expected: {
          failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
          txIndex: 1,
          error: "Panic(0x11): arithmetic overflow",
          path: [1],
          condition: { kind: "balance", account: router, needed: 391n, had: 390n, currency: strict },
        },
      };
    },
  },
  {
    name: "a balance that an earlier call spent",
    cause: "balance",
    make: async ({ deploy, router, send }) => {
      const strict = await deploy("mocks/StrictToken");
      await send(callOf(strict, MINT, router, 990n));
      return {
        calls: [callOf(strict, TRANSFER, USER, 990n), callOf(strict, TRANSFER, USER, 1n)],
        expected: {
          failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
          txIndex: 1,
          error: "Panic(0x11): arithmetic overflow",
          path: [1],
          condition: { kind: "balance", account: router, needed: 1n, had: 0n, currency: strict },
        },
      };
    },
  },
  {
    name: "an allowance that is too low in the middle of a call, reported only by a panic",
    cause: "allowance",
    make: async ({ deploy, router, send }) => {
      const strict = await deploy("mocks/StrictToken");
      await send(callOf(strict, MINT, USER, 990n));
      await send(approve(strict, router, 500n), USER);
      const take = (amount: bigint) => callOf(strict, TRANSFER_FROM, USER, router, amount);
      const nested = callOf(
        router,
        "function multicall((address,bool,uint256,bytes)[] calls, address refundTo, address nftRecipient, bytes metadata)",
        [take(300n), take(201n)].map(({ to, data }) => [to, false, 0n, data]),
        USER,
        USER,
        "0x",
      );
      return {
        calls: [nested],
        expected: {
          failReason: "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE",
          txIndex: 0,
          error: "Panic(0x11): arithmetic overflow",
          path: [0, 1],
          condition: { kind: "allowance", spender: router, needed: 201n, had: 200n, currency: strict },
        },
      };
    },
  },
  {
    name: "a balance of wrapped native currency that is too low, without revert data",
    cause: "balance",
    make: ({ contracts: { wrappedNative }, router }) => ({
      calls: [rawCall(wrappedNative, "0xd0e30db0", 8n), callOf(wrappedNative, TRANSFER, USER, 9n)],
      expected: {
        failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
        txIndex: 1,
        error: "no revert data",
        path: [1],
        condition: { kind: "balance", account: router, needed: 9n, had: 8n, currency: wrappedNative },
      },
    }),
  },
  {
    name: "an unwrap of more than the balance",
    cause: "balance",
    make: ({ contracts: { wrappedNative }, router }) => ({
      calls: [callOf(wrappedNative, "function withdraw(uint256 amount)", 1n)],
      expected: {
        failReason: "TRANSFER_AMOUNT_EXCEEDS_BALANCE",
        txIndex: 0,
        error: "no revert data",
        path: [0],
        condition: { kind: "balance", account: router, needed: 1n, had: 0n, currency: wrappedNative },
      },
    }),
  },
  {
    name: "a token that returns false to a vault proxy",
    cause: "transfer",
    make: async ({ deploy, router, send }) => {
      const token = await deploy("mocks/FalseToken");
      const vault = await deploy("localnet/LocalVault", token, "False Vault", "vFALSE");
      const proxy = await deploy("proxies/Erc4626Proxy", vault, zeroAddress);
      await send(callOf(token, MINT, router, 990n));
      await send(callOf(token, "function refuse(bytes4 selector)", "0x23b872dd"));
      return {
        calls: [approve(token, proxy), execute(proxy)],
        expected: {
          failReason: "TRANSFER_FAILED",
          txIndex: 1,
          error: `SafeERC20FailedOperation(token: ${token})`,
          path: [1],
        },
      };
    },
  },
  {
    name: "a recipient on the token's blocklist",
    cause: "recipient",
    make: async ({ deploy, router, send }) => {
      const token = await deploy("mocks/BlocklistToken");
      await send(callOf(token, MINT, router, 990n));
      await send(callOf(token, "function blockAccount(address account)", USER));
      return {
        calls: [callOf(token, TRANSFER, USER, 990n)],
        expected: {
          failReason: "DESTINATION_TOKEN_TRANSFER_REJECTED",
          txIndex: 0,
          error: `Blocked(account: ${USER})`,
          path: [0],
        },
      };
    },
  },
  {
    name: "a paused token",
    cause: "paused",
    make: async ({ deploy, router, send }) => {
      const token = await deploy("mocks/PausableToken");
      await send(callOf(token, MINT, router, 990n));
      await send(callOf(token, "function pause()"));
      return {
        calls: [callOf(token, TRANSFER, USER, 990n)],
        expected: { failReason: "CONTRACT_PAUSED", txIndex: 0, error: "EnforcedPause()", path: [0] },
      };
    },
  },
  {
    name: "a paused token in the router's cleanup, which hides the reason",
    cause: "paused",
    make: async ({ deploy, router, send }) => {
      const token = await deploy("mocks/PausableToken");
      await send(callOf(token, MINT, router, 990n));
      await send(callOf(token, "function pause()"));
      return {
        calls: [
          callOf(
            router,
            "function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts, bytes metadata)",
            [token],
            [USER],
            [0n],
            "0x",
          ),
        ],
        expected: { failReason: "CONTRACT_PAUSED", txIndex: 0, error: "EnforcedPause()", path: [0, 1] },
      };
    },
  },
  {
    name: "an NFT that reaches the router without an NFT recipient",
    cause: "recipient",
    make: async ({ deploy, router }) => {
      const nft = await deploy("mocks/PlainErc721");
      return {
        calls: [callOf(nft, "function safeMint(address to, uint256 tokenId, bytes data)", router, 7n, "0x")],
        terms: { nftRecipient: zeroAddress },
        expected: {
          failReason: "DESTINATION_TOKEN_TRANSFER_REJECTED",
          txIndex: 0,
          error: "NoRecipientSet()",
          path: [0, 0],
        },
      };
    },
  },
  {
    name: "a permit after its deadline",
    cause: "deadline",
    make: ({ contracts: { dollar }, router, fork }) => ({
      calls: [callOf(dollar, PERMIT, USER, router, 1n, 5n, 27, STRAY, zeroHash)],
      expected: {
        failReason: "SIGNATURE_EXPIRED",
        txIndex: 0,
        error: "ERC2612ExpiredSignature(deadline: 5)",
        path: [0],
        condition: { kind: "deadline", needed: fork.environment.timestamp, had: 5n },
      },
    }),
  },
  {
    name: "a permit with an invalid signature",
    cause: "signature",
    make: ({ contracts: { dollar }, router }) => ({
      calls: [callOf(dollar, PERMIT, USER, router, 1n, maxUint256, 0, zeroHash, zeroHash)],
      expected: { failReason: "INVALID_SIGNATURE", txIndex: 0, error: "ECDSAInvalidSignature()", path: [0] },
    }),
  },
  {
    // Routers from 3.1 on can approve any token.
    name: "an approval through a 3.0 router for a token that returns no data",
    cause: "transfer",
    make: async ({ contracts: { tether, vault }, deploy }) => {
      const router = await deploy(CONTRACT_SOURCES["router 3.0"]);
      return {
        terms: { router },
        calls: [
          callOf(
            router,
            "function cleanupErc20sViaCall(address[] tokens, address[] tos, bytes[] datas, uint256[] amounts)",
            [tether],
            [vault],
            ["0x"],
            [5n],
          ),
        ],
        expected: { failReason: "MISSING_REVERT_DATA", txIndex: 0, error: "no revert data", path: [0] },
      };
    },
  },
];
