import { expect } from "chai";
import { TypedDataEncoder } from "ethers";
import { type Address, encodeFunctionData, type Hex, recoverAddress, zeroAddress, zeroHash } from "viem";

import { decodeAction } from "../../../../packages/sdk/src/attestation.ts";
import type { SignedExecution } from "../../../../packages/protocol/src/attestation/messages/parts.ts";
import type { Attestation, AttestationRoute } from "../../../../packages/protocol/src/attestation/routes.ts";
import type { Order } from "../../../../packages/protocol/src/index.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import type { ChainContracts } from "../../../../packages/crosscall/src/localnet/devchain/contracts.ts";
import type { Oracle } from "../../../../packages/oracle/src/startOracle.ts";
import {
  ask,
  CHAIN,
  executionSigners,
  type OracleNetwork,
  startOracleNetwork,
  startTestOracle,
  type TestOracleOptions,
} from "../../support/oracleNetwork.ts";
import { type DepositedOrder, depositFor, simpleOrder } from "../../support/orders.ts";
import type { Action } from "../../../../packages/protocol/src/attestation/index.ts";
import { depositoryAbi } from "../../../../packages/protocol/src/abi/service.generated.ts";

export const DEPOSITS = "depository-deposits/v1";
const PEER_KEY: Hex = `0x${"6b".repeat(32)}`;
/** Response to a request that fails for an undisclosed reason. */
export const FAILED = { statusCode: 500, error: "Internal Server Error", message: "Something went wrong" };
const { user, stranger, solver } = localAccounts;
export const owner = user.address.toLowerCase() as Address;
export const recipient = stranger.address.toLowerCase() as Address;

/** Order that a test can change. */
export type Draft = { -readonly [Field in keyof Order]: Order[Field] };
type Target = Pick<Oracle, "url">;
type Signatures = readonly { readonly signature: string }[];

export interface OracleSuiteOptions {
  /** Prepares the chain before the oracles start, and returns their options. */
  readonly prepare?: (network: OracleNetwork) => Promise<TestOracleOptions> | TestOracleOptions;
  /** Whether the oracle requests signatures from a second oracle. */
  readonly hasPeer?: boolean;
}

/** Starts a chain and an oracle for all tests in a file, with helpers to send requests and check responses. */
export function oracleSuite({ prepare = () => ({}), hasPeer = false }: OracleSuiteOptions = {}) {
  let network: OracleNetwork;
  let options: TestOracleOptions;
  let oracle: Oracle;
  let peer: Oracle | undefined;
  let instant: Oracle | undefined;
  let salt = 0n;

  const start = (change: TestOracleOptions = {}): Promise<Oracle> => startTestOracle(network, change);

  before(async () => {
    network = await startOracleNetwork();
    options = await prepare(network);
    if (hasPeer) {
      const signing = { module: "raw-private-key", privateKey: PEER_KEY } as const;
      peer = await start({ ...options, settings: { ...options.settings, signing } });
    }
    const peers = peer === undefined ? [] : [{ baseUrl: peer.url, apiKey: undefined }];
    oracle = await start({ ...options, settings: { ...(hasPeer ? { peers } : {}), ...options.settings } });
  });
  after(async () => {
    await oracle.close();
    await peer?.close();
    await instant?.close();
    await network.close();
  });

  const attest = async <Route extends AttestationRoute>(route: Route, body: object, to: Target = oracle) => {
    const { status, body: response } = await ask<Attestation<Route>>(to, `/attestations/${route}`, body);
    return { status, body: response };
  };

  return {
    get network(): OracleNetwork {
      return network;
    },
    get oracle(): Oracle {
      return oracle;
    },
    get peer(): Oracle {
      return peer!;
    },
    get contracts(): ChainContracts {
      return network.contracts;
    },
    /** Starts another oracle on the chain, without the suite's options. */
    start,
    /** Sends a request to a route and returns the response. */
    attest,
    /** Sends a request to a route, which must succeed, and returns the attestation. */
    attested: async <Route extends AttestationRoute>(route: Route, body: object, to?: Target) => {
      const { status, body: response } = await attest(route, body, to);
      expect(status, JSON.stringify(response)).to.equal(200);
      return response;
    },
    expectRejected: async (route: AttestationRoute, body: object, message: string, to?: Target): Promise<void> => {
      expect(await attest(route, body, to)).to.deep.equal({ status: 400, body: { message } });
    },
    expectFailed: async (route: AttestationRoute, body: object, to?: Target): Promise<void> => {
      expect(await attest(route, body, to)).to.deep.equal({ status: 500, body: FAILED });
    },
    /** Deposits native currency for the user. */
    deposit: (value: bigint, id: Hex = zeroHash, depositor: Address = zeroAddress): Promise<Hex> =>
      network.send({
        to: network.contracts.depository,
        data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args: [depositor, id] }),
        value,
      }),
    /** Places an order with a deposit, and reads the deposit from an oracle that treats every block as final. */
    place: async (
      change: (order: Draft) => void = () => undefined,
      { currency, paidIn }: { readonly currency?: Address; readonly paidIn?: Address } = {},
    ): Promise<DepositedOrder> => {
      salt += 1n;
      const order = structuredClone<Draft>(simpleOrder(network, salt, currency));
      change(order);
      instant ??= await start();
      return depositFor(network, instant, order, paidIn);
    },
    /** Pays native currency for an order from the solver's account. */
    pay: (to: Address, value: bigint, orderId: Hex): Promise<Hex> =>
      network.send({ to, value, data: orderId, account: solver }),
  };
}

/** Returns the actions of an execution, with lowercase addresses. */
export function actionsOf(execution: Pick<SignedExecution, "actions"> | undefined): readonly object[] {
  return (execution?.actions ?? []).map((action) => lower(decodeAction(action as Hex)));
}

function lower(action: Action): object {
  const fields = Object.entries(action) as [string, unknown][];
  return Object.fromEntries(
    fields.map(([name, value]) => [name, typeof value === "string" ? value.toLowerCase() : value]),
  );
}

/** Checks the key, actions and signers of an execution. */
export async function expectSigned(
  execution: SignedExecution | undefined,
  expected: { readonly key: string; readonly actions: readonly object[]; readonly signers: readonly string[] },
): Promise<void> {
  expect({
    key: execution?.idempotencyKey,
    actions: actionsOf(execution),
    signers: execution && (await executionSigners(execution)),
  }).to.deep.equal(expected);
}

/** Returns the lowercase signers of an EIP-712 message, recovered with another library. */
export async function typedSigners(
  domain: Parameters<typeof TypedDataEncoder.hash>[0],
  types: Parameters<typeof TypedDataEncoder.hash>[1],
  message: object,
  signatures: Signatures,
): Promise<string[]> {
  const hash = TypedDataEncoder.hash(domain, types, message) as Hex;
  const signers = signatures.map(({ signature }) => recoverAddress({ hash, signature: signature as Hex }));
  return (await Promise.all(signers)).map((signer) => signer.toLowerCase());
}

/** Returns the fields of an EIP-712 type, such as `string chainId, bytes currency`. */
export function fieldsOf(text: string): { type: string; name: string }[] {
  return text.split(", ").map((field) => {
    const [type = "", name = ""] = field.split(" ");
    return { type, name };
  });
}

/** EIP-712 type of the request to allocator v3. */
export const REQUEST_TYPES = {
  WithdrawRequest: fieldsOf(
    "string chainId, bytes depository, bytes currency, uint256 amount, string spenderChainId, bytes spender, " +
      "bytes receiver, bytes data, bytes32 nonce",
  ),
};
/** EIP-712 type of the request to allocator v2. */
export const SUBMIT_TYPES = {
  SubmitWithdrawRequest: fieldsOf(
    "uint256 chainId, string depository, string currency, uint256 amount, address spender, string receiver, " +
      "bytes data, bytes32 nonce",
  ),
};

/** Returns a reference to an order's deposit, in the format of requests. */
export function depositOf({ transactionId, onchainId }: DepositedOrder) {
  return { chainId: CHAIN, transactionId, onchainId };
}
