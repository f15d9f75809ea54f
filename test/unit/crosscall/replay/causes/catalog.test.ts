import { expect } from "chai";
import { type Hex, toFunctionSelector } from "viem";

import {
  CAUSE_KINDS,
  type CatalogEntry,
  type CauseKind,
  describeEntry,
  findEntries,
  findListedError,
  isCertainIn,
  listCatalog,
} from "../../../../../packages/crosscall/src/replay/causes/catalog.ts";
import { classifyRevert } from "../../../../../packages/protocol/src/reverts/index.ts";
import type { FailReason } from "../../../../../packages/protocol/src/request/failReasons.ts";
import { encodeText, sampleRevert } from "./sampleRevert.ts";

const SOMEWHERE = { contract: "0x00000000000000000000000000000000000000C0", selectors: [] } as const;

const textOf = ({ key }: CatalogEntry): string | undefined =>
  key.startsWith('"') ? key.slice(1, -1).replaceAll("*", "7") : undefined;

const find = (data: Hex, text?: string, selectors: readonly Hex[] = []) =>
  findEntries(data, text, { ...SOMEWHERE, selectors });

/** Reasons that the service may return for each kind, besides the reasons that only state a failure. */
const REASONS: Partial<Record<CauseKind, readonly FailReason[]>> = {
  allowance: ["TRANSFER_AMOUNT_EXCEEDS_ALLOWANCE"],
  amount: ["ZERO_SELL_AMOUNT", "INCORRECT_PAYMENT"],
  balance: ["TRANSFER_AMOUNT_EXCEEDS_BALANCE", "INSUFFICIENT_NATIVE_TOKENS_SUPPLIED"],
  deadline: ["SIGNATURE_EXPIRED"],
  gas: ["ACCOUNT_ABSTRACTION_GAS_LIMIT"],
  limit: ["MINT_QUANTITY_EXCEEDS_MAX_PER_WALLET", "MINT_QUANTITY_EXCEEDS_MAX_SUPPLY", "ERC_1155_TOO_MANY_REQUESTED"],
  liquidity: ["INSUFFICIENT_POOL_LIQUIDITY"],
  nonce: ["INVALID_NONCE", "ACCOUNT_ABSTRACTION_INVALID_NONCE"],
  order: [
    "ORDER_ALREADY_FILLED",
    "ORDER_IS_CANCELLED",
    "ORDER_EXPIRED",
    "SEAPORT_INEXACT_FRACTION",
    "SEAPORT_INVALID_FULFILLER",
  ],
  paused: ["CONTRACT_PAUSED", "MINT_NOT_ACTIVE"],
  payment: ["INSUFFICIENT_NATIVE_TOKENS_SUPPLIED", "INCORRECT_PAYMENT"],
  recipient: ["DESTINATION_TOKEN_TRANSFER_REJECTED"],
  sender: ["INVALID_SENDER"],
  signature: ["INVALID_SIGNATURE", "INVALID_SIGNER", "ACCOUNT_ABSTRACTION_SIGNATURE_ERROR"],
  slippage: ["SLIPPAGE", "TOO_LITTLE_RECEIVED"],
  transfer: ["TRANSFER_FAILED", "TRANSFER_FROM_FAILED"],
};

/** Reasons that do not say what went wrong. */
const GENERAL: ReadonlySet<FailReason> = new Set(["EXECUTION_REVERTED", "MISSING_REVERT_DATA", "FLUID_DEX_ERROR"]);

describe("the catalog of causes", () => {
  const entries = listCatalog();

  it("has more than 400 entries, each with a public source", () => {
    expect(entries.length).to.be.greaterThan(400);
    for (const { key, repository, files, project } of entries) {
      expect(repository, key).to.match(/^@?[\w-]+\/[\w.-]+( \([\w.]+\))?$/u);
      expect(files, key).to.match(/^[\w./-]+/u);
      expect(project, key).to.match(/^[A-Z0-9]|^(?:solmate|thirdweb)$/u);
    }
  });

  it("has a kind, a cause with only the error's arguments, and instructions in complete sentences", () => {
    for (const { key, kind, cause, toDo = "Wait." } of entries) {
      expect(CAUSE_KINDS, key).to.include(kind);
      expect(cause, key).to.match(/[^.]$/u);
      expect(toDo, key).to.match(/^[A-Z].*\.$/u);
      const names = key.startsWith('"')
        ? [...key.matchAll(/\*/gu)].map((_, position) => String(position))
        : [...key.matchAll(/\w+ (\w+)/gu)].map(([, name]) => name);
      for (const [, name] of cause.matchAll(/\{(\w+)\}/gu)) expect(names, key).to.include(name);
    }
  });

  it("lists an error once per project and repository", () => {
    const keys = entries.map(({ key, project, repository }) => `${project} ${repository} ${key}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).to.deep.equal([]);
  });

  it("finds each entry by the selector of its signature, or by its text", () => {
    for (const entry of entries) {
      const data = sampleRevert(entry);
      const text = textOf(entry);
      if (text === undefined) {
        expect(data.slice(0, 10), entry.key).to.equal(
          toFunctionSelector(`function ${entry.key.replaceAll(/=\d+/gu, "")}`),
        );
        expect(findListedError(data)?.name, entry.key).to.equal(entry.key.slice(0, entry.key.indexOf("(")));
      }
      const found = find(data, text);
      expect(
        found.map((each) => each.entry),
        entry.key,
      ).to.include(entry);
      for (const each of found) expect(describeEntry(each), entry.key).not.to.match(/[{}?]/u);
    }
  });

  it("knows these selectors, as published", () => {
    const published = {
      OwnableUnauthorizedAccount: "0x118cdaa7",
      AccessControlUnauthorizedAccount: "0xe2517d3f",
      AllowanceExpired: "0xd81b2f2e",
      ERC20InsufficientAllowance: "0xfb8f41b2",
      SafeERC20FailedOperation: "0x5274afe7",
      V3TooLittleReceived: "0x39d35496",
      TransferFromFailed: "0x7939f424",
      Panic: "0x4e487b71",
    } as const;
    for (const [name, selector] of Object.entries(published)) expect(findListedError(selector)?.name).to.equal(name);
  });

  it("agrees with the failReason of the same error", () => {
    for (const entry of entries) {
      const { failReason } = classifyRevert({ data: sampleRevert(entry) });
      if (GENERAL.has(failReason)) continue;
      expect(REASONS[entry.kind] ?? [], `${entry.key} of ${entry.project}: ${failReason}`).to.include(failReason);
    }
  });

  it("distinguishes a Permit2 allowance that was never given from one that expired", () => {
    const [never] = find(sampleRevert({ key: "AllowanceExpired(uint256 deadline=0)" }));
    const [expired] = find(sampleRevert({ key: "AllowanceExpired(uint256 deadline)" }));
    expect([never?.entry.kind, expired?.entry.kind]).to.deep.equal(["allowance", "deadline"]);
    expect(expired && describeEntry(expired)).to.equal("the spender's allowance in Permit2 expired at 7");
  });

  it("returns all meanings of an error, or the one of the contract that raised it", () => {
    const data = sampleRevert({ key: "InvalidAmount(uint256 maxAmount)" });
    expect(find(data).map(({ entry }) => entry.project)).to.deep.equal(["Permit2", "Kit"]);
    const contract = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
    expect(findEntries(data, undefined, { contract, selectors: [] }).map(({ entry }) => entry.project)).to.deep.equal([
      "Permit2",
    ]);
  });

  it("is certain of an exchange's liquidity only in functions of exchanges", () => {
    const place = (signature: string) => ({ ...SOMEWHERE, selectors: [toFunctionSelector(signature)] });
    const text = "Comptroller: INSUFFICIENT_LIQUIDITY";
    const isCertainOf = (signature: string) =>
      find(encodeText(text), text).map(({ entry }) => isCertainIn(entry, place(signature)));
    expect(isCertainOf("borrow(uint256)")).to.deep.equal([false]);
    expect(isCertainOf("swap(uint256,uint256,address,bytes)")).to.deep.equal([true]);
  });

  it("reads the parts of a text with arguments", () => {
    const text = "AccessControl: account 0xabc is missing role 0xdef";
    const [found] = find(encodeText(text), text);
    expect(found && describeEntry(found)).to.equal(
      "only accounts with role 0xdef can call this function, and 0xabc does not have the role",
    );
  });

  it("finds nothing for other data, truncated data and other texts", () => {
    expect(find("0xdeadbeef")).to.deep.equal([]);
    expect(find(toFunctionSelector("function ERC20InsufficientBalance(address,uint256,uint256)"))).to.deep.equal([]);
    expect(find(encodeText("not listed"), "not listed")).to.deep.equal([]);
  });
});
