import { expect } from "chai";
import { type Abi, type AbiParameter, encodeErrorResult, type Hex, parseAbiItem } from "viem";

import type { FailReason } from "../../../../packages/protocol/src/request/failReasons.ts";
import { classifyRevert, selectorOf } from "../../../../packages/protocol/src/reverts/classifyRevert.ts";
import {
  KNOWN_ERRORS,
  KNOWN_TEXTS,
  TEXT_ERRORS,
  WRAPPING_ERRORS,
} from "../../../../packages/protocol/src/reverts/knownErrors.ts";
import { FAIL_REASONS } from "../../../../packages/protocol/src/schema/values.ts";

type AbiError = Extract<Abi[number], { readonly type: "error" }>;

const ACCOUNT = "0x00000000000000000000000000000000000000A1";
const WORD: Hex = `0x${"11".repeat(32)}`;

const sampleOf = ({ type }: AbiParameter, text: string, inner: Hex): unknown => {
  switch (type) {
    case "address":
      return ACCOUNT;
    case "bytes32":
      return WORD;
    case "bytes4":
      return "0x12345678";
    case "bytes":
      return inner;
    case "string":
      return text;
    case "uint8":
      return 27;
    default:
      return 7n;
  }
};

const encode = (words: string, { text = "", inner = "0x" }: { text?: string; inner?: Hex } = {}): Hex => {
  const abi = parseAbiItem(`error ${words}`) as AbiError;
  return encodeErrorResult({ abi: [abi], args: abi.inputs.map((input) => sampleOf(input, text, inner)) } as never);
};

const textRevert = (text: string): Hex => encode("Error(string message)", { text });
const reasonOf = (data: Hex): FailReason => classifyRevert({ data }).failReason;

/** Revert text from a real contract for each text pattern. */
const TEXTS: readonly (readonly [string, FailReason])[] = [
  ["STF", "TRANSFER_FROM_FAILED"],
  ["TF", "TRANSFER_FAILED"],
  ["STE", "TRANSFER_FAILED"],
  ["SPL", "SLIPPAGE"],
  ["AS", "ZERO_SELL_AMOUNT"],
  ["IIA", "INCORRECT_PAYMENT"],
  ["AA25 invalid account nonce", "ACCOUNT_ABSTRACTION_INVALID_NONCE"],
  ["AA24 signature error", "ACCOUNT_ABSTRACTION_SIGNATURE_ERROR"],
  ["AA34 signature error", "ACCOUNT_ABSTRACTION_SIGNATURE_ERROR"],
  ["AA22 expired or not due", "SIGNATURE_EXPIRED"],
  ["AA95 out of gas", "ACCOUNT_ABSTRACTION_GAS_LIMIT"],
  ["AA40 over verificationGasLimit", "ACCOUNT_ABSTRACTION_GAS_LIMIT"],
  ["Too little received", "TOO_LITTLE_RECEIVED"],
  ["UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT", "TOO_LITTLE_RECEIVED"],
  ["Too much requested", "SLIPPAGE"],
  ["Price slippage check", "SLIPPAGE"],
  ["UniswapV2Library: INSUFFICIENT_LIQUIDITY", "INSUFFICIENT_POOL_LIQUIDITY"],
  ["ERC20: transfer amount exceeds allowance", "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE"],
  ["ERC20: insufficient allowance", "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE"],
  ["Dai/insufficient-allowance", "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE"],
  ["ERC721: caller is not token owner or approved", "TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE"],
  ["Address: insufficient balance for call", "INSUFFICIENT_NATIVE_TOKENS_SUPPLIED"],
  ["ERC20: transfer amount exceeds balance", "TRANSFER_AMOUNT_EXCEEDS_BALANCE"],
  ["Dai/insufficient-balance", "TRANSFER_AMOUNT_EXCEEDS_BALANCE"],
  ["ERC721: transfer to non ERC721Receiver implementer", "DESTINATION_TOKEN_TRANSFER_REJECTED"],
  ["ERC1155: transfer to non-ERC1155Receiver implementer", "DESTINATION_TOKEN_TRANSFER_REJECTED"],
  ["ERC1155: ERC1155Receiver rejected tokens", "DESTINATION_TOKEN_TRANSFER_REJECTED"],
  ["Blacklistable: account is blacklisted", "DESTINATION_TOKEN_TRANSFER_REJECTED"],
  ["TransferHelper: TRANSFER_FROM_FAILED", "TRANSFER_FROM_FAILED"],
  ["TransferHelper::transferFrom: transferFrom failed", "TRANSFER_FROM_FAILED"],
  ["TransferHelper: TRANSFER_FAILED", "TRANSFER_FAILED"],
  ["SafeERC20: low-level call failed", "TRANSFER_FAILED"],
  ["Token is soulbound", "TOKEN_NOT_TRANSFERABLE"],
  ["Pausable: paused", "CONTRACT_PAUSED"],
  ["ERC20Permit: expired deadline", "SIGNATURE_EXPIRED"],
  ["UniswapV2Router: EXPIRED", "SIGNATURE_EXPIRED"],
  ["Transaction too old", "SIGNATURE_EXPIRED"],
  ["invalid nonce", "INVALID_NONCE"],
  ["FiatTokenV2: authorization is used or canceled", "INVALID_NONCE"],
  ["invalid signer", "INVALID_SIGNER"],
  ["ERC20Permit: invalid signature", "INVALID_SIGNATURE"],
  ["ECDSA: invalid signature 's' value", "INVALID_SIGNATURE"],
  ["Mint is not active", "MINT_NOT_ACTIVE"],
  ["Sale has not started", "MINT_NOT_ACTIVE"],
  ["Exceeds max per wallet", "MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET"],
  ["Purchase would exceed max supply", "MINT_QUANTITY_EXCEEDS_MAX_SUPPLY"],
  ["Sold out", "MINT_QUANTITY_EXCEEDS_MAX_SUPPLY"],
  ["Incorrect payment", "INCORRECT_PAYMENT"],
  ["Not enough ETH sent", "INSUFFICIENT_NATIVE_TOKENS_SUPPLIED"],
  ["Gas price too high", "INVALID_GAS_PRICE"],
  ["Order already filled", "ORDER_ALREADY_FILLED"],
  ["ERC1155: insufficient balance for transfer", "TRANSFER_AMOUNT_EXCEEDS_BALANCE"],
  ["Pausable: not paused", "EXECUTION_REVERTED"],
  ["Market is unpaused", "EXECUTION_REVERTED"],
  ["Auction not yet expired", "EXECUTION_REVERTED"],
  ["Deadline not reached", "EXECUTION_REVERTED"],
  ["Wrong price feed", "EXECUTION_REVERTED"],
  ["Blacklistable: caller is not the blacklister", "EXECUTION_REVERTED"],
  ["ERC721: approve caller is not token owner or approved for all", "EXECUTION_REVERTED"],
  ["UniswapV2: INSUFFICIENT_LIQUIDITY_MINTED", "EXECUTION_REVERTED"],
  ["UniswapV2Library: INSUFFICIENT_OUTPUT_AMOUNT", "EXECUTION_REVERTED"],
  ["something else", "EXECUTION_REVERTED"],
];

describe("classifyRevert", () => {
  for (const [reason, errors] of Object.entries(KNOWN_ERRORS)) {
    for (const words of errors) {
      it(`maps ${words.slice(0, words.indexOf("("))} with ${words.split(",").length} arguments to ${reason}`, () => {
        const { failReason, description } = classifyRevert({ data: encode(words) });
        expect([failReason, description.slice(0, words.indexOf("(") + 1)]).to.deep.equal([
          reason,
          words.slice(0, words.indexOf("(") + 1),
        ]);
      });
    }
  }

  for (const [text, reason] of TEXTS) {
    it(`maps "${text}" to ${reason}`, () => {
      expect(classifyRevert({ data: textRevert(text) })).to.deep.equal({ failReason: reason, description: text });
    });
  }

  it("treats a Permit2 allowance that expired at 0 as missing", () => {
    const expiredAt = (deadline: bigint): Hex => {
      const abi = parseAbiItem("error AllowanceExpired(uint256 deadline)");
      return encodeErrorResult({ abi: [abi], args: [deadline] });
    };
    expect(reasonOf(expiredAt(0n))).to.equal("TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE");
    expect(reasonOf(expiredAt(1n))).to.equal("SIGNATURE_EXPIRED");
  });

  it("has a sample text for every pattern, and no pattern that hides another", () => {
    for (const [pattern, reason] of KNOWN_TEXTS) {
      const first = TEXTS.filter(([text]) => KNOWN_TEXTS.find(([one]) => one.test(text))?.[0] === pattern);
      expect(first.length, String(pattern)).to.be.greaterThan(0);
      for (const [, named] of first) expect(named).to.equal(reason);
    }
  });

  it("has one meaning per selector", () => {
    const all = [...Object.values(KNOWN_ERRORS).flat(), ...WRAPPING_ERRORS, ...TEXT_ERRORS].map(selectorOf);
    expect(new Set(all).size).to.equal(all.length);
    for (const reason of Object.keys(KNOWN_ERRORS)) expect(FAIL_REASONS).to.include(reason);
  });

  for (const words of WRAPPING_ERRORS) {
    it(`unwraps ${words.slice(0, words.indexOf("("))}`, () => {
      expect(reasonOf(encode(words, { inner: textRevert("Too little received") }))).to.equal("TOO_LITTLE_RECEIVED");
      const isTransfer = words.startsWith("NativeTransferFailed");
      expect(reasonOf(encode(words))).to.equal(isTransfer ? "TRANSFER_FAILED" : "MISSING_REVERT_DATA");
    });
  }

  it("reads the text in a FailedOp error", () => {
    const [failedOp = ""] = TEXT_ERRORS;
    expect(reasonOf(encode(failedOp, { text: "AA25 invalid account nonce" }))).to.equal(
      "ACCOUNT_ABSTRACTION_INVALID_NONCE",
    );
  });

  it("describes a panic, an unknown error, empty data and out of gas", () => {
    expect(classifyRevert({ data: encode("Panic(uint256 code)") })).to.deep.equal({
      failReason: "EXECUTION_REVERTED",
      description: "Panic(0x7): unknown code",
    });
    expect(classifyRevert({ data: `${selectorOf("Panic(uint256)")}${"11".padStart(64, "0")}` })).to.deep.equal({
      failReason: "EXECUTION_REVERTED",
      description: "Panic(0x11): arithmetic overflow",
    });
    expect(classifyRevert({ data: "0xdeadbeef" })).to.deep.equal({
      failReason: "EXECUTION_REVERTED",
      description: "error 0xdeadbeef",
    });
    expect(classifyRevert({ data: "0x" }).failReason).to.equal("MISSING_REVERT_DATA");
    expect(classifyRevert({}).failReason).to.equal("MISSING_REVERT_DATA");
    expect(classifyRevert({ isOutOfGas: true }).failReason).to.equal("SWAP_USES_TOO_MUCH_GAS");
  });

  it("treats truncated or endlessly nested data as unknown", () => {
    expect(reasonOf(selectorOf("ERC20InsufficientBalance(address,uint256,uint256)"))).to.equal("EXECUTION_REVERTED");
    const [wrapping = ""] = WRAPPING_ERRORS;
    let data = textRevert("STF");
    for (let depth = 0; depth < 8; depth += 1) data = encode(wrapping, { inner: data });
    expect(reasonOf(data)).to.equal("TRANSFER_FROM_FAILED");
    expect(reasonOf(encode(wrapping, { inner: data }))).to.equal("EXECUTION_REVERTED");
  });
});
