import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY } from "@crosscall/protocol/chains";
import type { DecodedItem } from "../trace/abiIndex.ts";
import type { CURRENCY_CONDITIONS, FailedCondition, PLAIN_CONDITIONS } from "../verdict.ts";

/** Condition that an error states. A proxy's error omits the token, which is read from the proxy. */
export type ErrorCondition =
  | FailedCondition
  | { readonly kind: "proxyInput"; readonly needed: bigint; readonly had: bigint }
  | { readonly kind: "proxyOutput"; readonly needed: bigint; readonly had: bigint };

export interface ErrorSurroundings {
  readonly contract: Address;
  /** Wei. */
  readonly value: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

type Read = (name: string) => bigint;
type Name = (name: string) => Address;
type ReadCondition = (read: Read, name: Name, around: ErrorSurroundings) => ErrorCondition | undefined;

const plain =
  (
    kind: (typeof PLAIN_CONDITIONS)[number] | "proxyInput" | "proxyOutput",
    needed: string,
    had: string,
  ): ReadCondition =>
  (read) => ({ kind, needed: read(needed), had: read(had) });

const ofCurrency =
  (kind: (typeof CURRENCY_CONDITIONS)[number], needed: string, had: string, currency?: Address): ReadCondition =>
  (read) => ({ kind, needed: read(needed), had: read(had), currency });

const ofToken =
  (kind: (typeof CURRENCY_CONDITIONS)[number], needed: string, had: string): ReadCondition =>
  (read, name) => ({ kind, needed: read(needed), had: read(had), currency: name("token") });

/** Reads a balance condition. The reverting contract is the token. */
const balanceOf =
  (account: string): ReadCondition =>
  (read, name, { contract }) => ({
    kind: "balance",
    account: name(account),
    needed: read("needed"),
    had: read("balance"),
    currency: contract,
  });

const allowanceOfSpender: ReadCondition = (read, name, { contract }) => ({
  kind: "allowance",
  spender: name("spender"),
  needed: read("needed"),
  had: read("allowance"),
  currency: contract,
});

const supply =
  (needed: string, had: string): ReadCondition =>
  (read) => ({ kind: "supply", tokenId: undefined, needed: read(needed), had: read(had) });

const until =
  (end: string): ReadCondition =>
  (read, _name, { timestamp }) => ({ kind: "deadline", needed: timestamp, had: read(end) });

/** Reads a condition that requires a time between two others. */
const between =
  (now: string | undefined, start: string, end: string): ReadCondition =>
  (read, _name, { timestamp }) => {
    const time = now === undefined ? timestamp : read(now);
    return time < read(start)
      ? { kind: "startTime", needed: read(start), had: time }
      : { kind: "endTime", needed: time, had: read(end) };
  };

const NATIVE = EVM_NATIVE_CURRENCY;

/** By error signature. */
const CONDITIONS: Readonly<Record<string, ReadCondition>> = {
  "ERC20InsufficientBalance(address,uint256,uint256)": balanceOf("sender"),
  "BalanceTooLow(address,uint256,uint256)": balanceOf("holder"),
  "ERC20InsufficientAllowance(address,uint256,uint256)": allowanceOfSpender,
  "AllowanceTooLow(address,uint256,uint256)": allowanceOfSpender,
  "ERC1155InsufficientBalance(address,uint256,uint256,uint256)": (read, name) => ({
    kind: "nftBalance",
    account: name("sender"),
    tokenId: read("tokenId"),
    needed: read("needed"),
    had: read("balance"),
  }),
  "ApprovalNotZero(uint256,uint256)": (read, _name, { contract }) => ({
    kind: "nonZeroAllowance",
    needed: 0n,
    had: read("current"),
    currency: contract,
  }),
  "InsufficientInput(uint256,uint256)": plain("proxyInput", "minimumIn", "amountIn"),
  "InsufficientInput(address,uint256,uint256)": ofToken("input", "minimumIn", "amount"),
  "InsufficientOutput(uint256,uint256)": plain("proxyOutput", "minimumOut", "amountOut"),
  "InsufficientOutput(address,uint256,uint256)": ofToken("output", "minimumOut", "amount"),
  "TooMuchSlippage(address,uint256,uint256)": ofToken("swapOutput", "expected", "actual"),
  "V4TooLittleReceived(uint256,uint256)": ofCurrency("swapOutput", "minAmountOutReceived", "amountReceived"),
  "V4TooMuchRequested(uint256,uint256)": ofCurrency("swapInput", "amountRequested", "maxAmountInRequested"),
  "ReturnAmountIsNotEnough(uint256,uint256)": ofCurrency("swapOutput", "minReturn", "result"),
  "DeadlinePassed(uint256,uint256)": plain("deadline", "timestamp", "deadline"),
  "AuthorizationExpired(uint256,uint256)": plain("deadline", "timestamp", "validBefore"),
  "PaymentExpired(uint256,uint256)": plain("deadline", "timestamp", "validUntil"),
  "ERC2612ExpiredSignature(uint256)": until("deadline"),
  "SignatureExpired(uint256)": until("signatureDeadline"),
  // Permit2 reports an allowance that was never given as one that expired at 0.
  "AllowanceExpired(uint256)": (read, name, around) =>
    read("deadline") === 0n ? undefined : until("deadline")(read, name, around),
  "InvalidTime(uint256,uint256)": between(undefined, "startTime", "endTime"),
  "NotActive(uint256,uint256,uint256)": between("currentTimestamp", "startTimestamp", "endTimestamp"),
  "DropClaimNotStarted(uint256,uint256)": plain("startTime", "expected", "actual"),
  "IncorrectPayment(uint256,uint256)": ofCurrency("payment", "want", "got", NATIVE),
  "Purchase_WrongPrice(uint256)": (read, _name, { value }) => ({
    kind: "payment",
    needed: read("correctPrice"),
    had: value,
    currency: NATIVE,
  }),
  "InsufficientBalance(uint256,uint256)": (read, _name, { contract }) => ({
    kind: "balance",
    account: contract,
    needed: read("needed"),
    had: read("balance"),
    currency: NATIVE,
  }),
  "MintQuantityExceedsMaxMintedPerWallet(uint256,uint256)": plain("walletLimit", "total", "allowed"),
  "DropClaimExceedLimit(uint256,uint256)": plain("walletLimit", "actual", "available"),
  "MintQuantityExceedsMaxSupply(uint256,uint256)": supply("total", "maxSupply"),
  "MintQuantityExceedsMaxTokenSupplyForStage(uint256,uint256)": supply("total", "maxTokenSupplyForStage"),
  "DropClaimExceedMaxSupply(uint256,uint256)": supply("actual", "available"),
  "CannotMintMoreTokens(uint256,uint256,uint256,uint256)": (read) => ({
    kind: "supply",
    tokenId: read("tokenId"),
    needed: read("totalMinted") + read("quantity"),
    had: read("maxSupply"),
  }),
  "InsufficientGas(uint256,uint256)": plain("programGas", "needed", "available"),
};

/** Returns the condition that an error states, or undefined if it states none. */
export function conditionOfError(
  { signature, args }: DecodedItem,
  around: ErrorSurroundings,
): ErrorCondition | undefined {
  const value = (name: string): unknown => args.find((argument) => argument.name === name)?.value;
  const condition = CONDITIONS[signature]?.(
    (name) => value(name) as bigint,
    (name) => value(name) as Address,
    around,
  );
  // Another contract's error of the same form can have its numbers in another order.
  const isMet = condition !== undefined && !EXACT.has(condition.kind) && condition.had > condition.needed;
  return isMet ? undefined : condition;
}

/** Conditions that a higher number does not meet. */
const EXACT: ReadonlySet<ErrorCondition["kind"]> = new Set(["nonZeroAllowance", "payment"]);
