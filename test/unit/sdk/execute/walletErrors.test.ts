import { expect } from "chai";
import {
  BaseError,
  HttpRequestError,
  InternalRpcError,
  InvalidInputRpcError,
  MethodNotFoundRpcError,
  TimeoutError,
  TransactionExecutionError,
  UnknownRpcError,
  UserRejectedRequestError,
} from "viem";

import {
  askUser,
  isDefinitelyUnsent,
  isUnsupportedMethod,
  isUserRejection,
} from "../../../../packages/sdk/src/execute/walletErrors.ts";
import { TimedOutError } from "../../../../packages/protocol/src/core/errors.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";

const HASH = `0x${"ab".repeat(32)}`;
const coded = (code: unknown, message = "no"): Error => Object.assign(new Error(message), { code });
const having = (fields: object, message = "no"): Error => Object.assign(new Error(message), fields);
const bare = (fields: object): object => Object.assign(Object.create(null) as object, fields);
const cyclic = (error: Error): Error => Object.assign(error, { cause: error });
const throwing = Object.defineProperty(new Error("User rejected the request."), "cause", {
  get: () => {
    throw new Error("no cause");
  },
});
const ofViem = (cause: Error): Error => new TransactionExecutionError(new UnknownRpcError(cause), { account: null });

const REJECTIONS: Record<string, unknown> = {
  "EIP-1193": coded(4_001),
  "EIP-1193, as text": coded("4001"),
  "an object": { code: 4_001, message: "User rejected the request." },
  "an object without a prototype": bare({ code: 4_001 }),
  "ethers 6": having({ code: "ACTION_REJECTED", reason: "rejected", shortMessage: "user rejected action" }),
  "ethers 6, in its info field": having({ code: "UNKNOWN_ERROR", info: { error: { code: 4_001, message: "denied" } } }),
  "ethers 5": coded("ACTION_REJECTED", "user rejected transaction (action=sendTransaction)"),
  WalletConnect: coded(5_000, "User rejected."),
  "WalletConnect, chains": coded(5_001, "User disapproved requested chains"),
  "WalletConnect, methods": coded(5_002, "User rejected methods."),
  "WalletConnect, without a code": new Error("User disapproved requested methods"),
  viem: new UserRejectedRequestError(new Error("no")),
  "viem, inside another": new BaseError("failed", { cause: new UserRejectedRequestError(new Error("no")) }),
  "viem, of a string": ofViem("User rejected the transaction" as unknown as Error),
  "viem, -32603": ofViem(new InternalRpcError(new Error("MetaMask Tx Signature: User denied transaction signature."))),
  MetaMask: coded(-32_603, "MetaMask Tx Signature: User denied transaction signature."),
  "MetaMask, a message": new Error("MetaMask Message Signature: User denied message signature."),
  "MetaMask Mobile": {
    code: -32_603,
    message: "Internal JSON-RPC error.",
    data: { originalError: { code: 4_001 } },
  },
  ethjs: new Error(`[ethjs-query] while formatting outputs from RPC '{"value":{"code":4001,"message":"no"}}'`),
  "Coinbase Wallet": coded(4_001, "User denied account authorization"),
  "Coinbase Wallet, its popup": new Error("User closed modal"),
  Rainbow: new Error("User rejected the request."),
  Rabby: { message: "User rejected the request.", code: -32_000 },
  Phantom: { code: -32_003, message: "User rejected the request." },
  "Trust Wallet": "cancelled",
  Safe: new Error("Transaction was rejected"),
  Frame: new Error("User declined transaction"),
  Argent: new Error("User abort"),
  OKX: { error: { message: "user reject the request" } },
  Ledger: having({ name: "TransportStatusError", statusCode: 0x6985, statusText: "CONDITIONS_OF_USE_NOT_SATISFIED" }),
  "Ledger in MetaMask": new Error("Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)"),
  "Ledger, 0x5501": new Error("Ledger device: UNKNOWN_ERROR (0x5501)"),
  "Ledger's device kit": { _tag: "RefusedByUserDAError", originalError: { errorCode: "6985" } },
  Trezor: { success: false, payload: {}, error: "Cancelled", code: "Failure_ActionCancelled" },
  "Trezor in MetaMask": new Error("Action cancelled by user"),
  "Trezor, its popup": new Error("Popup closed"),
  Keystone: new Error("KeystoneError#Tx_canceled. Signing canceled, please retry"),
  GridPlus: new Error("Request declined by user"),
  "a string": "User rejected the transaction",
  "a string of JSON": '{"code":4001,"message":"no"}',
  "an array": [new Error("provider 1"), { code: 4_001 }],
  "an aggregate": new AggregateError([new Error("other"), coded(4_001)], "all failed"),
  "a cyclic cause": cyclic(coded(4_001)),
  "a cause that throws": throwing,
  "one word": "cancel",
  "camel case": new Error("userRejectedRequest"),
  "what the user did not do": new Error("User did not approve the transaction"),
  "what was denied": new Error("Denied transaction signature"),
  "closed by the user": new Error("Window closed by user"),
  "a passkey": having({ name: "NotAllowedError" }, "The operation either timed out or was not allowed."),
  Fireblocks: new Error("Final Status: CANCELLED (CANCELLED_BY_USER)"),
  "the second person": new Error("You rejected the request"),
  "the kit's own": having({ code: "USER_REJECTED", stepId: "deposit" }),
  "words of the owner": new Error("Transaction rejected by the owner"),
};

const OTHERS: Record<string, unknown> = {
  "the node's": new Error("the node rejected the transaction"),
  "a general code": coded(-32_000),
  nothing: undefined,
  null: null,
  "a number": 4_001,
  "the word alone": "rejected",
  "EIP-1474, transaction rejected": coded(-32_003, "Transaction rejected"),
  "an upgrade that the user rejected": coded(5_750, "User rejected the upgrade of the account"),
  "a fetch that was aborted": having({ name: "AbortError", code: 20 }, "The user aborted a request."),
  "a replaced transaction": having({ code: "TRANSACTION_REPLACED", reason: "cancelled", hash: HASH }),
  "rejection text with a sent transaction": having({ data: { txHash: HASH } }, "User rejected the request."),
  "a contract's own text": coded(3, "execution reverted: canceled by owner"),
  "words in the request": new TransactionExecutionError(new UnknownRpcError(new Error("failed")), {
    account: null,
    docsPath: "/User rejected the request.",
  }),
  "a cycle": cyclic(new Error("no")),
};

const UNSUPPORTED: Record<string, unknown> = {
  "-32601": coded(-32_601),
  "-32004": coded(-32_004),
  "4200": coded(4_200),
  "5700": coded(5_700),
  "5710": coded(5_710),
  "5740": coded(5_740),
  "5750": coded(5_750, "User rejected the upgrade"),
  "5760": coded(5_760),
  viem: new MethodNotFoundRpcError(new Error("no"), { method: "wallet_sendCalls" }),
  geth: new Error("the method wallet_sendCalls does not exist/is not available"),
  hardhat: new Error("Method wallet_getCapabilities is not supported"),
  MetaMask: { code: -32_603, message: 'The method "wallet_sendCalls" does not exist / is not available.' },
  WalletConnect: new Error("Unsupported wc_ method"),
  "Trust Wallet": new Error("Unknown method(s) requested"),
  "a method in front": "wallet_sendCalls is not supported",
  "a missing handler": new Error("No handler for the method wallet_sendCalls"),
  "bundles, in words": new Error("Batch transactions are not supported"),
  "bundles, in other words": new Error("This wallet does not support sending several calls as a bundle"),
  "the upgrade": new Error("EIP-7702 not supported"),
  "the account": new Error("account upgraded to unsupported contract"),
  "WalletConnect's relay": new Error("Missing or invalid. request() method: wallet_sendCalls"),
  "not implemented": new Error("Not implemented"),
  ethers: coded("UNSUPPORTED_OPERATION", "unsupported operation"),
  nested: { code: -32_603, message: "Internal error", data: { cause: { message: "unsupported method" } } },
};

const UNSENT: Record<string, unknown> = {
  "insufficient funds": coded(-32_000, "insufficient funds for gas * price + value: balance 0, tx cost 1"),
  "insufficient funds, viem": ofViem(
    new InvalidInputRpcError(coded(-32_000, "insufficient funds for gas * price + value")),
  ),
  "insufficient funds, ethers": coded("INSUFFICIENT_FUNDS", "insufficient funds for intrinsic transaction cost"),
  "insufficient funds in the body": having({
    code: "SERVER_ERROR",
    body: '{"jsonrpc":"2.0","error":{"code":-32000,"message":"insufficient funds for transfer"}}',
  }),
  "insufficient funds, Nethermind": coded(-32_010, "InsufficientFunds, Account balance: 0, cumulative cost: 1"),
  "nonce too low, Nethermind": coded(-32_010, "OldNonce, Current nonce: 5, nonce of rejected tx: 4"),
  "fee too low, Nethermind": coded(-32_010, "FeeTooLow, MaxFeePerGas too low."),
  "invalid transaction, viem": ofViem(new InvalidInputRpcError(coded(-32_000, "invalid transaction: gas too high"))),
  "intrinsic gas": new Error("intrinsic gas too low"),
  "block gas limit": new Error("exceeds block gas limit"),
  "nonce too low": coded(-32_000, "nonce too low: next nonce 5, tx nonce 4"),
  "nonce too high": coded(-32_000, "Nonce too high. Expected nonce to be 1 but got 2."),
  underpriced: coded(-32_000, "replacement transaction underpriced"),
  "fee below the base fee": new Error("max fee per gas less than block base fee"),
  "fee cap of the node": new Error("tx fee (23.77 ether) exceeds the configured cap (1.00 ether)"),
  "invalid params": coded(-32_602),
  unauthorized: coded(4_100, "The requested method and/or account has not been authorized by the user."),
  "chain unknown": coded(4_902),
  "execution reverted": coded(3, "execution reverted: TRANSFER_FAILED"),
  unsupported: coded(-32_601),
  "a rejection": "User rejected the transaction",
};

const UNCERTAIN: Record<string, unknown> = {
  "an unknown error": new Error("something went wrong"),
  "an internal error": coded(-32_603, "Internal JSON-RPC error."),
  "an unknown error with code -32000, viem": ofViem(new InvalidInputRpcError(coded(-32_000, "upstream error"))),
  "a deleted session": new Error("Missing or invalid. Record was recently deleted - session: ab"),
  "a node's time-out": coded(-32_000, "context deadline exceeded"),
  "a time-out": new TimeoutError({ body: {}, url: "http://node" }),
  "the kit's time-out": new TimedOutError({ what: "eth_sendTransaction", timeoutMs: 1, hint: "" }),
  "no response": new HttpRequestError({ url: "http://node", details: "insufficient funds" }),
  "ethers' time-out": coded("TIMEOUT", "timeout"),
  "ethers' network error": coded("NETWORK_ERROR", "insufficient funds"),
  disconnected: coded(4_900, "The Provider is disconnected from all chains."),
  "chain disconnected": coded(4_901),
  "a lost connection": coded(4_900, "Lost connection to the wallet"),
  "a session that ended": coded(4_900, "Session disconnected"),
  "already known": coded(-32_000, "already known"),
  "already known, Nethermind": coded(-32_010, "AlreadyKnown"),
  "known transaction": coded(-32_000, "known transaction: ab"),
  "hardhat, included and reverted": having({ code: -32_003, data: { txHash: HASH } }, "execution reverted"),
  "a pending prompt": coded(-32_002, "Request of type 'eth_sendTransaction' already pending"),
  "a rate limit": coded(-32_005, "limit exceeded"),
  expired: new Error("Request expired. Please try again."),
  nothing: undefined,
};

describe("a rejection by the user", () => {
  for (const [name, error] of Object.entries(REJECTIONS)) {
    it(`is recognized: ${name}`, async () => {
      expect(isUserRejection(error)).to.equal(true);
      expect([isUnsupportedMethod(error), isDefinitelyUnsent(error)]).to.deep.equal([false, true]);
      const failed = await rejected(askUser("deposit", () => Promise.reject(error as Error)));
      expect(factsOf(failed)).to.deep.equal({ code: "USER_REJECTED", stepId: "deposit" });
      expect(failed.cause).to.equal(error);
    });
  }

  for (const [name, error] of Object.entries({ ...OTHERS, ...UNSUPPORTED, ...UNCERTAIN })) {
    it(`is not detected in an unrelated error: ${name}`, async () => {
      expect(isUserRejection(error)).to.equal(false);
      expect(
        await askUser("deposit", () => Promise.reject(error as Error)).catch((thrown: unknown) => thrown),
      ).to.equal(error);
    });
  }
});

describe("an unsupported method", () => {
  for (const [name, error] of Object.entries(UNSUPPORTED)) {
    it(`is recognized: ${name}`, () => {
      expect([isUnsupportedMethod(error), isDefinitelyUnsent(error)]).to.deep.equal([true, true]);
    });
  }

  const supported = { "insufficient funds": UNSENT["insufficient funds"], ...UNCERTAIN };
  for (const [name, error] of Object.entries(supported)) {
    it(`is not detected in an unrelated error: ${name}`, () => expect(isUnsupportedMethod(error)).to.equal(false));
  }
});

describe("an error that proves that nothing was sent", () => {
  for (const [name, error] of Object.entries(UNSENT)) {
    it(`is recognized: ${name}`, () => expect(isDefinitelyUnsent(error)).to.equal(true));
  }

  for (const [name, error] of Object.entries(UNCERTAIN)) {
    it(`is not detected in an unrelated error: ${name}`, () => expect(isDefinitelyUnsent(error)).to.equal(false));
  }
});
