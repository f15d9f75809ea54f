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
import { creditedOf, expectExecution, idOf, mintOf, tokenOf } from "./vectors.ts";

/** Chain of the solver's address. */
export const SOLVER_CHAIN = "base";
export const { solver } = localAccounts;
const DEADLINE = 2_000_000_000;
/** Time of the transactions in all VM families, in Unix seconds. */
export const TIME = 1_790_000_000;

const DEPOSITS = "/attestations/depository-deposits/v1";
const FILLS = "/attestations/solver-fills/v1";
const REFUNDS = "/attestations/solver-refunds/v1";

/** Response to a request that fails for an undisclosed reason. */
export const INTERNAL_ERROR = {
  status: 500,
  body: { statusCode: 500, error: "Internal Server Error", message: "Something went wrong" },
};

/** Options of an oracle that reads recorded responses. */
export interface FamilyOracleOptions {
  readonly chain: Omit<ChainConfig, "additionalData"> & Partial<Pick<ChainConfig, "additionalData">>;
  /** URL of the hub. Defaults to a URL without a server. */
  readonly hubUrl?: string;
  readonly genericMappingAddress?: Address;
  /** Additional fields of the hub file. */
  readonly hub?: Partial<HubConfig>;
  /** Returns the time in milliseconds. Defaults to the real time. */
  readonly now?: () => number;
}

/** Starts an oracle that attests one chain, and configures the solver's chain. */
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

/** Order with its deposit, fill and refund all on one chain. */
export interface FamilyOrder {
  readonly chainId: string;
  readonly currency: string;
  readonly recipient: string;
  /** Amount of the deposit, the fill and the refund. */
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

/** Returns the order's id, the EIP-712 hash with addresses in the family's encoding. */
function familyOrderId(order: Order, encode: (address: string) => Hex): Hex {
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

/** Response without its headers. */
interface Response<Body> {
  readonly status: number;
  readonly body: Body;
}

export interface ExpectedDeposit {
  readonly index: number;
  /** Order id, or zero if there is no order. */
  readonly id: Hex;
  readonly depositor: string;
  readonly amount: bigint;
  readonly currency?: string;
  readonly depository?: string;
  readonly timestamp?: number;
}

export interface FamilySuiteOptions {
  /** Overrides for the order's fields. The amount defaults to 40. */
  readonly order: Pick<FamilyOrder, "chainId" | "currency" | "recipient">;
  readonly depository: string;
  /** Encodes an address as bytes in messages. */
  readonly encode: (address: string) => Hex;
  /** Position in its transaction of each deposit that `deposit` makes. */
  readonly index: number;
  /** Deposits 60 units for an order on the chain, and returns the transaction id. */
  readonly deposit: (orderId: Hex, order: Order) => string;
  readonly oracle: () => Oracle;
  /** Changes each order before its id is computed. */
  readonly change?: (order: Order) => Order;
}

/** Returns helpers that send requests about one chain and check the responses. */
export function familySuite(options: FamilySuiteOptions) {
  const { encode, index, oracle, deposit, depository, change = (order) => order } = options;
  const { chainId, currency } = options.order;
  let salt = 0;
  const send = async <Body>(path: string, body: object, to: Oracle): Promise<Response<Body>> => {
    const { status, body: response } = await ask<Body>(to, path, body);
    return { status, body: response };
  };
  const deposits = (transactionId: string, to: Oracle = oracle()) =>
    send<DepositsAttestation>(DEPOSITS, { chainId, transactionId }, to);
  return {
    deposits,
    /** Checks the entire response against the published derivations. */
    expectDeposits: async (transactionId: string, expected: readonly ExpectedDeposit[], to?: Oracle): Promise<void> => {
      const { status, body } = await deposits(transactionId, to);
      const all = expected.map((one) => ({ currency, depository, timestamp: TIME, ...one }));
      expect({ status, messages: body.messages }).to.deep.equal({
        status: 200,
        messages: all.map(({ index: at, id: depositId, amount, timestamp, ...result }) => ({
          data: { chainId, transactionId },
          result: { ...result, onchainId: idOf(chainId, transactionId, at), depositId, amount: `${amount}` },
          extraData: { timestamp: `${timestamp}` },
        })),
      });
      const actions = all.map(({ id, depositor, timestamp, amount, ...one }) =>
        mintOf(creditedOf(chainId, encode(depositor), timestamp, id), tokenOf(chainId, encode(one.currency)), amount),
      );
      await expectExecution(body.execution, idOf(chainId, transactionId), actions);
    },
    expectNoDeposits: async (transactionIds: readonly string[], to?: Oracle): Promise<void> => {
      for (const transactionId of transactionIds) {
        expect(await deposits(transactionId, to)).to.deep.equal({ status: 200, body: { messages: [] } });
      }
    },
    /** Order with a deposit, and the requests that settle it. */
    place: async (fields: Partial<FamilyOrder> = {}, edit: (order: Order) => Order = (order) => order) => {
      salt += 1;
      const order = edit(change(familyOrder({ ...options.order, amount: "40", salt, ...fields })));
      const orderId = familyOrderId(order, encode);
      const orderSignature = await solver.signMessage({ message: { raw: orderId } });
      const transactionId = deposit(orderId, order);
      const inputs = [{ transactionId, onchainId: idOf(chainId, transactionId, index), inputIndex: 0 }];
      const body = { order, orderSignature, inputs };
      const fill = (id: string, more: object = {}, to: Oracle = oracle()) =>
        send<FillAttestation>(FILLS, { ...body, fill: { transactionId: id }, ...more }, to);
      const refund = (id: string, to: Oracle = oracle()) =>
        send<FillAttestation>(
          REFUNDS,
          { ...body, refunds: [{ transactionId: id, inputIndex: 0, refundIndex: 0 }] },
          to,
        );
      /** Checks the error message for each fill. `{tx}` stands for the fill's transaction. */
      const expectUnfilled = async (cases: readonly (readonly [id: string, message: string])[]): Promise<void> => {
        for (const [id, message] of cases) await expectRejection(fill(id), message.replaceAll("{tx}", id));
      };
      return { order, orderId, fill, refund, expectUnfilled };
    },
  };
}

/** Returns the error message for a fill that pays less than the required 40. */
export function tooLittle(paid: bigint | number, minimum: bigint | number = 40): string {
  return `Insufficient fill amount for order output payment 0 (paidAmount=${paid}, minimumAmount=${minimum})`;
}

/** Expects a rejection with a message. */
export async function expectRejection(
  response: Promise<{ readonly status: number; readonly body: unknown }>,
  message: string,
): Promise<void> {
  expect(await response).to.deep.equal({ status: 400, body: { message } });
}

/** Returns the failure counts of RPC endpoints from the metrics. */
export async function rpcFailures(oracle: Oracle): Promise<string[]> {
  const text = await (await fetch(`${oracle.url}/metrics`)).text();
  return text.split("\n").filter((line) => line.startsWith("oracle_rpc_failures_total{"));
}
