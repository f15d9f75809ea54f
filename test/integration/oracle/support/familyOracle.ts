import { expect } from "chai";
import { type Address, type Hex, hashStruct } from "viem";

import type { DepositsAttestation } from "../../../../packages/protocol/src/attestation/messages/deposits.ts";
import type { FillAttestation } from "../../../../packages/protocol/src/attestation/messages/solver.ts";
import type { Order } from "../../../../packages/protocol/src/order/order.ts";
import { ORDER_TYPES } from "../../../../packages/protocol/src/order/orderId.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { ChainConfig, HubConfig } from "../../../../packages/oracle/src/chainFiles.ts";
import { createOracleLog } from "../../../../packages/oracle/src/log.ts";
import { type Oracle, startOracle } from "../../../../packages/oracle/src/startOracle.ts";
import { ask, ORACLE_CONTRACT, ORACLE_KEY } from "../../support/oracleNetwork.ts";

/** The chain of the solver's own address. */
export const SOLVER_CHAIN = "base";
export const { solver } = localAccounts;
const DEADLINE = 2_000_000_000;

const DEPOSITS = "/attestations/depository-deposits/v1";
const FILLS = "/attestations/solver-fills/v1";
const REFUNDS = "/attestations/solver-refunds/v1";

/** The response to a request that fails for an undisclosed reason. */
export const INTERNAL_ERROR = {
  status: 500,
  body: { statusCode: 500, error: "Internal Server Error", message: "Something went wrong" },
};

/** Options of an oracle over recorded response shapes. */
export interface FamilyOracleOptions {
  readonly chain: Omit<ChainConfig, "additionalData"> & Partial<Pick<ChainConfig, "additionalData">>;
  /** When omitted, a URL without a server. */
  readonly hubUrl?: string;
  readonly genericMappingAddress?: Address;
  /** Further fields of the hub file. */
  readonly hub?: Partial<HubConfig>;
  /** Milliseconds; the real time when omitted. */
  readonly now?: () => number;
}

/** Starts an oracle that attests one chain, with the solver's chain configured. */
export function startFamilyOracle({
  chain,
  hubUrl = "http://127.0.0.1:1",
  genericMappingAddress,
  hub = {},
  now,
}: FamilyOracleOptions): Promise<Oracle> {
  return startOracle(
    {
      settings: {
        environment: "test",
        signing: { module: "raw-private-key", privateKey: ORACLE_KEY },
        apiKeys: undefined,
        peers: [],
        peerTimeoutMs: 2_000,
        signers: undefined,
        signersThreshold: 0,
        port: 0,
        workers: 1,
        rateLimit: { max: 100_000, windowMs: 1_000 },
        version: undefined,
      },
      chains: [
        { ...chain, additionalData: chain.additionalData ?? {} },
        { id: SOLVER_CHAIN, vmType: "ethereum-vm", httpRpcUrl: "http://127.0.0.1:1", additionalData: {} },
      ],
      hub: {
        id: "relay",
        evmChainId: 31_337,
        httpRpcUrl: hubUrl,
        oracleAddress: ORACLE_CONTRACT,
        oracleVersion: "2",
        ...(genericMappingAddress === undefined ? {} : { genericMappingAddress }),
        ...hub,
      },
    },
    { log: createOracleLog("silent"), ...(now === undefined ? {} : { clock: { now } }) },
  );
}

/** An order whose deposit, fill and refund are all on one chain. */
export interface FamilyOrder {
  readonly chainId: string;
  readonly currency: string;
  readonly recipient: string;
  /** Of the deposit, the fill and the refund. */
  readonly amount: string;
  readonly deadline?: number;
  readonly salt?: number;
}

/** Creates an order with one input, one payment and one fee. */
export function familyOrder({
  chainId,
  currency,
  recipient,
  amount,
  deadline = DEADLINE,
  salt = 1,
}: FamilyOrder): Order {
  return {
    version: "v1",
    solverChainId: SOLVER_CHAIN,
    solver: solver.address,
    salt: `0x${salt.toString(16).padStart(64, "0")}`,
    inputs: [
      {
        payment: { chainId, currency, amount, weight: "1" },
        refunds: [{ chainId, recipient, currency, minimumAmount: amount, deadline, extraData: "0x" }],
      },
    ],
    output: {
      chainId,
      payments: [{ recipient, currency, minimumAmount: amount, expectedAmount: amount }],
      calls: [],
      deadline,
      extraData: "0x",
    },
    fees: [{ recipientChainId: chainId, recipient, currencyChainId: chainId, currency, amount: "3" }],
  };
}

/** The id of such an order: EIP-712 over addresses as the family encodes them. */
export function familyOrderId(order: Order, encode: (address: string) => Hex): Hex {
  const encodeEach = <Part extends { readonly currency: string; readonly recipient?: string }>(part: Part) => ({
    ...part,
    currency: encode(part.currency),
    ...(part.recipient === undefined ? {} : { recipient: encode(part.recipient) }),
  });
  const { inputs, output, fees } = order;
  return hashStruct({
    types: ORDER_TYPES,
    primaryType: "Order",
    data: {
      ...order,
      inputs: inputs.map((input) => ({ payment: encodeEach(input.payment), refunds: input.refunds.map(encodeEach) })),
      output: { ...output, payments: output.payments.map(encodeEach) },
      fees: fees.map(encodeEach),
    } as never,
  });
}

/** The deposit that paid an order. */
export interface PaidBy {
  readonly transactionId: string;
  readonly onchainId: string;
}

/** Calls the routes of an oracle for a chain. */
export function familyRoutes(oracle: () => Oracle, chainId: string) {
  const sign = (orderId: Hex) => solver.signMessage({ message: { raw: orderId } });
  const deposits = async (transactionId: string, to: Oracle = oracle()) => {
    const { status, body } = await ask<DepositsAttestation>(to, DEPOSITS, { chainId, transactionId });
    return { status, body };
  };
  const fill = async (order: Order, orderId: Hex, paidBy: PaidBy, transactionId: string, change: object = {}) => {
    const { status, body } = await ask<FillAttestation>(oracle(), FILLS, {
      order,
      orderSignature: await sign(orderId),
      inputs: [{ ...paidBy, inputIndex: 0 }],
      fill: { transactionId },
      ...change,
    });
    return { status, body };
  };
  const refund = async (order: Order, orderId: Hex, paidBy: PaidBy, transactionId: string, change: object = {}) => {
    const { status, body } = await ask<FillAttestation>(oracle(), REFUNDS, {
      order,
      orderSignature: await sign(orderId),
      inputs: [{ ...paidBy, inputIndex: 0 }],
      refunds: [{ transactionId, inputIndex: 0, refundIndex: 0 }],
      ...change,
    });
    return { status, body };
  };
  return { deposits, fill, refund };
}

/** Expects a rejection with a message. */
export async function expectRefused(
  answer: Promise<{ readonly status: number; readonly body: unknown }>,
  message: string,
): Promise<void> {
  expect(await answer).to.deep.equal({ status: 400, body: { message } });
}

/** The failure counts of RPC endpoints from the metrics. */
export async function rpcFailures(oracle: Oracle): Promise<string[]> {
  const text = await (await fetch(`${oracle.url}/metrics`)).text();
  return text.split("\n").filter((line) => line.startsWith("oracle_rpc_failures_total{"));
}
