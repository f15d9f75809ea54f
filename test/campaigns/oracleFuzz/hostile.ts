import type { ServerResponse } from "node:http";
import { encodeFunctionData, type Hex, zeroAddress, zeroHash } from "viem";

import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { Oracle } from "../../../packages/oracle/src/startOracle.ts";
import { type Chance, tamper } from "../../integration/support/lyingRpc.ts";
import { BROKEN_BODIES, NASTY_PATHS } from "../../integration/support/nastyValues.ts";
import { CHAIN, type OracleNetwork } from "../../integration/support/oracleNetwork.ts";
import { depositFor, simpleOrder } from "../../integration/support/orders.ts";
import { serve, type TestServer } from "../../support/httpServer.ts";
import { encodeEvmWithdrawal } from "../../../packages/protocol/src/attestation/index.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Name of the chain with a hostile endpoint. */
export const LIAR = "liar";

const repeat = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

const nested = (depth: number): unknown => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);

/** Values that no field accepts, and boundary values of the accepted ranges. */
const VALUES: readonly (() => unknown)[] = [
  ...[null, true, false, 0, -0, -1, 1.5, 1e21, 2 ** 53, -(2 ** 63), 2 ** 32, [], {}, [[]], [null], [{}]].map(
    (value) => () => value,
  ),
  ...["", " ", "\0", "\ud800", "\u202e", "__proto__", "constructor", "toString", "NaN", "-1", "1.5", "1e5", "0b1"].map(
    (value) => () => value,
  ),
  ...["0", "00", "0x", "0x0", "0X1F", "0x1", `0x${"g".repeat(64)}`, `0x${"0".repeat(40)}`].map((value) => () => value),
  ...[1, 40, 64, 65, 130, 132].map((length) => () => `0x${"f".repeat(length)}`),
  ...[1, 32, 44, 64, 78, 79, 512, 513, 5_000, 300_000].map((length) => () => "9".repeat(length)),
  () => `0x${"ab".repeat(60_000)}`,
  () => "1".repeat(512),
  () => "z".repeat(512),
  () => "😀".repeat(2_000),
  () => repeat(256, "1"),
  () => repeat(257, {}),
  () => repeat(20_000, 1),
  () => nested(15),
  () => nested(1_000),
  () => ({ ["__proto__"]: 1, constructor: { prototype: { polluted: true } } }),
  () => LIAR,
  () => LIAR,
  () => LIAR,
];

const CONTENT_TYPES = ["text/plain", "application/json; charset=utf-16", "multipart/form-data", "a/b;;", ""];

/** Creates one request for a run, from random numbers that `chance` returns. */
export function hostileRequest(bodies: Readonly<Record<string, object>>, chance: Chance): HostileRequest {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(chance() * values.length)] as Value;
  const json = { "content-type": "application/json" };
  if (chance() < 0.03) {
    const path = pick(["/lives/v1?withReport=1", "/chains/v1", "/metrics", "/documentation/json", "/lives/v1?%", "/x"]);
    return { method: "GET", path, headers: {}, body: "" };
  }
  const [route, valid] = pick(Object.entries(bodies));
  const path = chance() < 0.02 ? `/attestations/${pick(NASTY_PATHS)}` : `/attestations/${route}`;
  const headers: Record<string, string> = chance() < 0.03 ? { "content-type": pick(CONTENT_TYPES) } : { ...json };
  if (chance() < 0.02) for (const index of repeat(100, 0).keys()) headers[`x-${index}`] = "y".repeat(50);
  if (chance() < 0.05) headers["x-api-key"] = pick(["k", "key", "x".repeat(3_000)]);
  if (chance() < 0.05) return { method: "POST", path, headers, body: pick(BROKEN_BODIES) };
  let body: unknown = chance() < 0.15 ? { ...valid, requestPeerSignatures: true } : valid;
  for (const _ of repeat(Math.floor(chance() * 4), 0)) body = mutate(body, chance);
  const text = JSON.stringify(body);
  return { method: "POST", path, headers, body: chance() < 0.03 ? text.slice(0, chance() * text.length) : text };
}

/** Mutates one place in a body: replaces, removes, adds or duplicates a value. */
function mutate(value: unknown, chance: Chance): unknown {
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(chance() * values.length)] as Value;
  const isLeaf = typeof value !== "object" || value === null;
  if (isLeaf || chance() < 0.03) return pick(VALUES)();
  if (Array.isArray(value)) {
    const items = value as unknown[];
    if (items.length === 0 || chance() < 0.2) return [...items, pick(VALUES)()];
    if (chance() < 0.2) return repeat(pick([0, 2, 40, 256, 300]), items[0]);
    const at = Math.floor(chance() * items.length);
    return items.with(at, mutate(items[at], chance));
  }
  const fields = Object.entries(value) as [string, unknown][];
  if (fields.length === 0 || chance() < 0.05) {
    return { ...value, [pick(["a", "__proto__", "constructor", "toString"])]: pick(VALUES)() };
  }
  const [name, field] = pick(fields);
  if (chance() < 0.1) return Object.fromEntries(fields.filter(([other]) => other !== name));
  return { ...value, [name]: mutate(field, chance) };
}

/** Body that exceeds every response size limit. */
const HUGE = Buffer.alloc(9 * 1024 * 1024, " ");

/** Invalid response bodies, including some that break careless parsers. */
const TEXTS = [
  "",
  "null",
  "[]",
  "{}",
  "<html>",
  '{"__proto__":{"result":1}}',
  "[".repeat(50_000),
  `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
  `{"jsonrpc":"2.0","id":0,"result":${"9".repeat(100_000)}}`,
  `{"jsonrpc":"2.0","id":0,"result":"0x${"f".repeat(500_000)}"}`,
  `{"jsonrpc":"2.0","id":0,"result":[${"{},".repeat(50_000)}{}]}`,
  '{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"https://key@host/secret \\u0000"}}',
  '{"jsonrpc":"2.0","id":0,"error":{"code":3,"message":"execution reverted"}}',
];

/**
 * Starts a server that returns garbage or altered honest responses.
 *
 * @param truthOf returns the honest response to a request
 */
export function startHostileServer(
  chance: Chance,
  truthOf: (body: string, path: string) => Promise<string>,
): Promise<TestServer> {
  const respond = async (response: ServerResponse, body: string, path: string): Promise<void> => {
    const luck = chance();
    if (luck < 0.05) return void response.destroy();
    if (luck < 0.1) return void response.writeHead(307, { location: "/elsewhere" }).end("{}");
    if (luck < 0.15) return void response.writeHead(500 + Math.floor(chance() * 5)).end("secret: text");
    if (luck < 0.155) return void response.end(HUGE);
    if (luck < 0.4) return void response.end(TEXTS[Math.floor(chance() * TEXTS.length)]);
    const truth = await truthOf(body, path);
    response.end(luck < 0.9 ? JSON.stringify(tamper(JSON.parse(truth), chance)) : truth);
  };
  return serve((request, response, body) => {
    response.on("error", () => undefined);
    return respond(response, body, request.url ?? "");
  });
}

const { user, solver } = localAccounts;
const owner = user.address.toLowerCase();
const NONCE = `0x${"0e".repeat(32)}`;
const SIGNATURE: Hex = `0x${"1".repeat(128)}1b`;

/** Returns a well-formed body for each route. The bodies for deposits and fills refer to real payments. */
export async function validBodies(network: OracleNetwork, oracle: Oracle): Promise<Record<string, object>> {
  const { order, orderSignature, transactionId, onchainId, orderId } = await depositFor(
    network,
    oracle,
    simpleOrder(network, 1n),
  );
  const plain = await network.send({
    to: network.contracts.depository,
    data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [user.address, zeroHash] }),
    value: 5n,
  });
  const fill = await network.send({
    to: order.output.payments[0]!.recipient as Hex,
    value: 900n,
    data: orderId,
    account: solver,
  });
  const deposit = { chainId: CHAIN, transactionId: plain };
  const inputs = [{ transactionId, onchainId, inputIndex: 0 }];
  const settlement = { order, orderSignature, inputs };
  const owned = {
    ...{ chainId: CHAIN, currency: zeroAddress, amount: "40", ownerChainId: CHAIN, owner },
    ...{ recipient: owner, nonce: NONCE, ownerSignature: SIGNATURE },
    ...{ depositChainId: CHAIN, depositTransactionId: transactionId, depositOnchainId: onchainId },
    additionalData: { "hyperliquid-vm": { currencyHyperliquidSymbol: "X", currentTime: 1 } },
  };
  const recovering = { ...owned, recoverMode: true, order, orderSignature };
  const request = {
    ...{ chainId: CHAIN, currency: zeroAddress, amount: "40", spenderChainId: CHAIN, spender: owner },
    ...{ receiver: owner, nonce: NONCE },
  };
  const address = {
    ...{ chainId: CHAIN, currency: zeroAddress, withdrawer: owner, withdrawerChainId: CHAIN },
    ...{ recipient: owner, withdrawalNonce: NONCE },
  };
  const initiated = { settlementChainId: "relay", expectedAmount: "40", ...address };
  const calls = [{ to: user.address, data: "0x", value: 5n, allowFailure: false } as const];
  const withdrawal = encodeEvmWithdrawal({ calls, nonce: 7n, expiration: 1n });
  const executed = { chainId: CHAIN, transactionId, onchainId, order, orderSignature, nonce: NONCE };
  return {
    "depository-deposits/v1": deposit,
    "solver-fills/v1": { ...settlement, fill: { transactionId: fill } },
    "solver-refunds/v1": { ...settlement, refunds: [{ transactionId: fill, inputIndex: 0, refundIndex: 0 }] },
    "depository-withdrawals/v1": { chainId: CHAIN, withdrawal, withdrawalAddressRequest: address },
    "depository-withdrawals/v2": { ...owned, transactionId },
    "depository-withdrawals/v3": { ...request, transactionId },
    "withdrawal-initiation/v1": { ...initiated, signature: SIGNATURE },
    "withdrawal-initiation/v2": recovering,
    "withdrawal-initiated/v1": initiated,
    "withdrawal-initiated/v2": owned,
    "withdraw-requests/v1": { ...request, hashIndexes: [0] },
    "withdraw-request-authorization/v1": { ...request, ownerSignature: SIGNATURE },
    "withdraw-and-fill/v1": executed,
    "withdraw-and-refund/v1": executed,
    "transfer/v1": { ...owned, nonce: "9" },
    "recover/v1": { chainId: CHAIN, transactionId, onchainId, order, orderSignature },
    "deposit-address-triggers/v1": {
      input: { vmType: "ethereum-vm", chainId: CHAIN, currency: zeroAddress, amount: "70" },
      derivationFields: {
        ...{ inputVmType: "ethereum-vm", outputVmType: "ethereum-vm", outputChainId: CHAIN },
        ...{ outputCurrency: zeroAddress, outputRecipient: owner, solver: owner, pricingOracle: owner },
        ...{ depositor: owner, refundRecipient: owner, priceImpactBps: "30" },
      },
      ...{ orderId, nonce: "4", extraData: "0xabcd" },
      currencies: [{ chainId: CHAIN, currency: zeroAddress }],
      prices: [{ usdPrice: "100", usdPriceDecimals: 2, currencyDecimals: 6, expiration: "1790000000" }],
    },
    "signatures/no-fill-or-refund/v1": { solverChainId: CHAIN, solver: owner, orderId, signature: SIGNATURE },
    "signatures/nonce-mapping/v2": {
      ...{ walletChainId: CHAIN, wallet: owner, nonce: "7", id: orderId, depositor: owner },
      ...{ signatureChainId: CHAIN, signature: SIGNATURE },
    },
  };
}
