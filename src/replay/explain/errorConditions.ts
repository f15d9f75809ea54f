import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY } from "@crosscall/sdk/internal/chains/address";
import type { DecodedItem } from "../trace/abiIndex.ts";

/** Of what the numbers of a condition are: a token, or what the proxy that refused takes or gives. */
export type ConditionCurrency = Address | "input of the proxy" | "output of the proxy" | undefined;

/** A condition as an error tells it. */
export interface ToldCondition {
  readonly what: string;
  readonly needed: bigint;
  readonly had: bigint;
  readonly currency: ConditionCurrency;
}

/** What else is known of the call that failed. */
export interface ErrorSurroundings {
  /** The contract that raised the error. */
  readonly contract: Address;
  /** Wei that came with the call. */
  readonly value: bigint;
  /** Of the block, Unix seconds. */
  readonly timestamp: bigint;
}

type Read = (name: string) => bigint;
type Name = (name: string) => Address;
type Tell = (read: Read, name: Name, around: ErrorSurroundings) => ToldCondition;

const numbers =
  (what: string, needed: string, had: string, currency?: ConditionCurrency): Tell =>
  (read) => ({ what, needed: read(needed), had: read(had), currency });

/** What an account has of the token that refuses, or of what it may take. */
const held =
  (what: string, account: string, had: string): Tell =>
  (read, name, { contract }) => ({
    what: `${what} of ${name(account)}`,
    needed: read("needed"),
    had: read(had),
    currency: contract,
  });

const ofToken =
  (what: string, needed: string, had: string): Tell =>
  (read, name) => ({ what, needed: read(needed), had: read(had), currency: name("token") });

const until =
  (end: string): Tell =>
  (read, _name, { timestamp }) => ({ what: DEADLINE, needed: timestamp, had: read(end), currency: undefined });

/** Something that is open between two times only. */
const between =
  (now: string | undefined, start: string, end: string): Tell =>
  (read, _name, { timestamp }) => {
    const time = now === undefined ? timestamp : read(now);
    return time < read(start)
      ? { what: "start time", needed: read(start), had: time, currency: undefined }
      : { what: "end time", needed: time, had: read(end), currency: undefined };
  };

const ARRIVES = "amount that arrives";
const GAINS = "what the recipient gains";
const SWAPPED = "output of the swap";
const DEADLINE = "deadline";
const SUPPLY = "supply";
const PER_WALLET = "number for one wallet";
const PAYMENT = "payment";
const NATIVE = EVM_NATIVE_CURRENCY;

/** How errors tell what they needed and what they had, by their signatures. */
const CONDITIONS: Readonly<Record<string, Tell>> = {
  "ERC20InsufficientBalance(address,uint256,uint256)": held("balance", "sender", "balance"),
  "BalanceTooLow(address,uint256,uint256)": held("balance", "holder", "balance"),
  "ERC20InsufficientAllowance(address,uint256,uint256)": held("allowance", "spender", "allowance"),
  "AllowanceTooLow(address,uint256,uint256)": held("allowance", "spender", "allowance"),
  "ERC1155InsufficientBalance(address,uint256,uint256,uint256)": (read, name) => ({
    what: `balance of ${name("sender")} of id ${read("tokenId")}`,
    needed: read("needed"),
    had: read("balance"),
    currency: undefined,
  }),
  "ApprovalNotZero(uint256,uint256)": (read, _name, { contract }) => ({
    what: "allowance before a new one",
    needed: 0n,
    had: read("current"),
    currency: contract,
  }),
  "InsufficientInput(uint256,uint256)": numbers(ARRIVES, "minimumIn", "amountIn", "input of the proxy"),
  "InsufficientInput(address,uint256,uint256)": ofToken(ARRIVES, "minimumIn", "amount"),
  "InsufficientOutput(uint256,uint256)": numbers(GAINS, "minimumOut", "amountOut", "output of the proxy"),
  "InsufficientOutput(address,uint256,uint256)": ofToken(GAINS, "minimumOut", "amount"),
  "TooMuchSlippage(address,uint256,uint256)": ofToken(SWAPPED, "expected", "actual"),
  "V4TooLittleReceived(uint256,uint256)": numbers(SWAPPED, "minAmountOutReceived", "amountReceived"),
  "V4TooMuchRequested(uint256,uint256)": numbers("input of the swap", "amountRequested", "maxAmountInRequested"),
  "ReturnAmountIsNotEnough(uint256,uint256)": numbers(SWAPPED, "minReturn", "result"),
  "DeadlinePassed(uint256,uint256)": numbers(DEADLINE, "timestamp", "deadline"),
  "AuthorizationExpired(uint256,uint256)": numbers(DEADLINE, "timestamp", "validBefore"),
  "PaymentExpired(uint256,uint256)": numbers(DEADLINE, "timestamp", "validUntil"),
  "ERC2612ExpiredSignature(uint256)": until("deadline"),
  "SignatureExpired(uint256)": until("signatureDeadline"),
  "AllowanceExpired(uint256)": until("deadline"),
  "InvalidTime(uint256,uint256)": between(undefined, "startTime", "endTime"),
  "NotActive(uint256,uint256,uint256)": between("currentTimestamp", "startTimestamp", "endTimestamp"),
  "DropClaimNotStarted(uint256,uint256)": numbers("start time", "expected", "actual"),
  "IncorrectPayment(uint256,uint256)": numbers(PAYMENT, "want", "got", NATIVE),
  "Purchase_WrongPrice(uint256)": (read, _name, { value }) => ({
    what: PAYMENT,
    needed: read("correctPrice"),
    had: value,
    currency: NATIVE,
  }),
  "InsufficientBalance(uint256,uint256)": (read, _name, { contract }) => ({
    what: `balance of ${contract}`,
    needed: read("needed"),
    had: read("balance"),
    currency: NATIVE,
  }),
  "MintQuantityExceedsMaxMintedPerWallet(uint256,uint256)": numbers(PER_WALLET, "total", "allowed"),
  "DropClaimExceedLimit(uint256,uint256)": numbers(PER_WALLET, "actual", "available"),
  "MintQuantityExceedsMaxSupply(uint256,uint256)": numbers(SUPPLY, "total", "maxSupply"),
  "MintQuantityExceedsMaxTokenSupplyForStage(uint256,uint256)": numbers(SUPPLY, "total", "maxTokenSupplyForStage"),
  "DropClaimExceedMaxSupply(uint256,uint256)": numbers(SUPPLY, "actual", "available"),
  "CannotMintMoreTokens(uint256,uint256,uint256,uint256)": (read) => ({
    what: `${SUPPLY} of id ${read("tokenId")}`,
    needed: read("totalMinted") + read("quantity"),
    had: read("maxSupply"),
    currency: undefined,
  }),
  "InsufficientGas(uint256,uint256)": numbers("gas for the program", "needed", "available"),
};

/** What an error says was needed and what there was; undefined where it says nothing of the kind. */
export function conditionOfError(
  { signature, args }: DecodedItem,
  around: ErrorSurroundings,
): ToldCondition | undefined {
  const value = (name: string): unknown => args.find((argument) => argument.name === name)?.value;
  return CONDITIONS[signature]?.(
    (name) => value(name) as bigint,
    (name) => value(name) as Address,
    around,
  );
}
