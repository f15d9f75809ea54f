import { concat, type Hex, zeroHash } from "viem";

import type { Order } from "../../../../packages/protocol/src/index.ts";
import { familyOrder, solver } from "../support/familyOracle.ts";
import * as bitcoin from "../support/bitcoinShapes.ts";
import * as solana from "../support/solanaShapes.ts";
import * as tron from "../support/tronShapes.ts";
import { BOB, DOLLAR, HyperliquidExchange } from "../support/hyperliquidShapes.ts";
import { idOf } from "../support/vectors.ts";
import { orderIdOf, type VmTypes } from "./derive.ts";
import { type Case, depositCase, FILLS, REFUNDS } from "./evmCases.ts";
import type { Exchange } from "./file.ts";
import type { HubWorlds } from "./hubCases.ts";
import { hashOf, rpcService, TIME } from "./world.ts";

/** Responds to requests to a service. `call` omits the service's base path. */
export type Service = (call: string) => Omit<Exchange, "call">;

/** Chain in a VM family other than EVM. */
export interface Family {
  readonly cases: Case[];
  readonly service: Service;
}

const AMOUNTS = [1n, 999n, 12_345_678n, 9_007_199_254_740_991n, 2n ** 63n] as const;
const ID: Hex = `0x${"c1".repeat(32)}`;

interface Settlement {
  readonly vms: VmTypes;
  readonly chainId: string;
  readonly currency: string;
  readonly recipient: string;
  readonly index: number | string;
  /** Adds a deposit or a payment to the chain, and returns the transaction's id. */
  readonly deposit: (id: Hex, amount: bigint) => string;
  readonly pay: (orderId: Hex, amount: bigint) => string;
  /** Adds a payment that names two orders. */
  readonly payTwo?: (orderIds: readonly [Hex, Hex], amount: bigint) => string;
  /** Returns additional fields for each fill and refund. */
  readonly change?: (payment: string) => object;
}

/** Returns orders that are paid, filled and refunded on one chain, either exactly or with one unit too little. */
export async function settlementCases(settlement: Settlement): Promise<Case[]> {
  const { vms, chainId, currency, recipient, index, deposit, pay, payTwo, change = () => ({}) } = settlement;
  const cases: Case[] = [];
  for (const [salt, amount] of [1_000n, 123_456_789n, 5n * 10n ** 12n].entries()) {
    for (const lack of [0n, 1n]) {
      const order: Order = familyOrder({
        chainId,
        currency,
        recipient,
        amount: `${amount}`,
        salt: salt * 2 + Number(lack),
      });
      const orderId = orderIdOf(vms, order) as Hex;
      const transactionId = deposit(orderId, amount + BigInt(salt) - lack);
      // Each payment counts only once, so the refund needs its own payment.
      const [payment, back] = [0, 1].map(() => pay(orderId, amount + BigInt(salt) - lack)) as [string, string];
      const body = {
        order,
        orderSignature: await solver.signMessage({ message: { raw: orderId } }),
        inputs: [{ transactionId, onchainId: idOf(chainId, transactionId, index), inputIndex: 0 }],
      };
      const name = `${chainId}: order over ${amount}, ${lack} missing`;
      const refunds = [{ transactionId: back, inputIndex: 0, refundIndex: 0 }];
      cases.push(
        depositCase(`${name}: deposit`, chainId, transactionId),
        { name, route: FILLS, request: { ...body, fill: { transactionId: payment }, ...change(payment) } },
        { name, route: REFUNDS, request: { ...body, refunds, ...change(back) } },
        {
          name: `${name}: deposit as a payment`,
          route: FILLS,
          request: { ...body, fill: { transactionId }, ...change(transactionId) },
        },
        ...(payTwo === undefined
          ? []
          : [
              {
                name: `${name}: payment of two orders`,
                route: FILLS,
                request: { ...body, fill: { transactionId: payTwo([orderId, ID], amount + BigInt(salt)) } },
              },
            ]),
        { name: `${name}: force`, route: FILLS, request: { ...body, fill: { transactionId: payment }, force: true } },
      );
    }
  }
  return cases;
}

export async function solanaFamily(vms: VmTypes): Promise<Family> {
  const chainId = "solana";
  const [alice, bob] = [solana.keyOf("alice"), solana.keyOf("bob")];
  const chain = new solana.SolanaChain("vector ");
  const happen = chain.add.bind(chain);
  const deposit = (name: string, transaction: solana.TestTransaction) =>
    depositCase(`solana: ${name}`, chainId, happen(name, transaction));
  const cases = AMOUNTS.flatMap((amount) => [
    deposit(`native ${amount}`, { instructions: [solana.depositOf("deposit_native", alice, amount, ID)] }),
    deposit(`token without an id ${amount}`, {
      instructions: [solana.depositOf("deposit_token", bob, amount, zeroHash)],
    }),
    deposit(`several ${amount}`, {
      instructions: [
        { program: solana.COMPUTE_BUDGET, accounts: [], data: Uint8Array.of(2, 0, 0, 0, 0) },
        solana.depositOf("deposit_native", alice, amount, ID),
        solana.depositOf("deposit_token", bob, amount + 1n, zeroHash),
      ],
      inner: [
        [solana.nativeTransferOf(alice, solana.VAULT, amount)],
        [solana.depositOf("deposit_token", alice, 9n, ID)],
      ],
    }),
    deposit(`direct ${amount}`, { instructions: [solana.nativeTransferOf(alice, solana.VAULT, amount)] }),
  ]);
  const named = solana.depositOf("deposit_token", alice, 9n, ID);
  cases.push(
    deposit("direct token", {
      instructions: [solana.tokenTransferOf({}, { owner: alice, to: solana.VAULT_USDC, amount: 40n })],
      tokens: [{ account: solana.VAULT_USDC, owner: solana.VAULT, before: "5", after: "45" }],
    }),
    deposit("lookup table", { instructions: [named], loaded: [solana.VAULT, solana.USDC] }),
    deposit("failed", { instructions: [named], error: { InstructionError: [0, "Custom"] } }),
    deposit("no deposit", { instructions: [solana.nativeTransferOf(alice, bob, 4n)] }),
    depositCase("solana: missing", chainId, solana.signatureOf("missing")),
    depositCase("solana: malformed id", chainId, "0OIl"),
  );
  let count = 0;
  const settle = await settlementCases({
    vms,
    chainId,
    currency: solana.SYSTEM,
    recipient: bob,
    index: 0,
    deposit: (id, amount) =>
      happen(`deposit ${(count += 1)}`, { instructions: [solana.depositOf("deposit_native", alice, amount, id)] }),
    pay: (orderId, amount) =>
      happen(`payment ${(count += 1)}`, {
        instructions: [solana.nativeTransferOf(alice, bob, amount), solana.memoOf(orderId)],
        lamports: { [bob]: [10, 10 + Number(amount)] },
      }),
    payTwo: (orderIds, amount) =>
      happen(`payment ${(count += 1)}`, {
        instructions: [solana.nativeTransferOf(alice, bob, amount), solana.memoOf(orderIds.join(" "))],
        lamports: { [bob]: [10, 10 + Number(amount)] },
      }),
  });
  return {
    cases: [...cases, ...settle],
    service: rpcService((method, params) => chain.answerRpc(method, params)),
  };
}

const BITCOIN_NATIVE = "bc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqmql8k8";
export const BITCOIN_DEPOSITORY = bitcoin.witnessParty("depository").address;

/** Starts a server that returns the chain's data as a node or an explorer does. */
export async function bitcoinFamily(vms: VmTypes, chainId: "bitcoin" | "bitcoin-explorer"): Promise<Family> {
  const parties = ["alice", "bob", "carol"] as const;
  const depository = bitcoin.witnessParty("depository");
  const [alice, bob, carol] = [
    bitcoin.legacyParty(parties[0], "key"),
    bitcoin.taprootParty(parties[1]),
    bitcoin.witnessParty(parties[2]),
  ];
  const chain = new bitcoin.BitcoinChain(`${chainId} `);
  const pay = chain.pay.bind(chain);
  const deposit = (
    name: string,
    ...rest: readonly [bitcoin.Party, readonly bitcoin.TestOutput[], bitcoin.TestTransaction["block"]?]
  ) => depositCase(`${chainId}: ${name}`, chainId, pay(name, ...rest));
  const cases = [alice, bob, carol].flatMap((sender, index) => [
    ...[1n, 546n, 2_100_000_000_000n].flatMap((amount) => [
      deposit(`${amount} of sender ${index}`, sender, [[depository, amount], ID]),
      deposit(`${amount} of sender ${index} without an id`, sender, [
        [depository, amount],
        [carol, 7n],
      ]),
    ]),
    deposit(`two outputs of sender ${index}`, sender, [[depository, 1n], [carol, 7n], ID, [depository, 99n]]),
  ]);
  cases.push(
    deposit("note that is not an id", alice, [[depository, 5n], "hello"]),
    deposit("two ids", alice, [ID, [depository, 5n], hashOf("second id")]),
    deposit("to others", alice, [[carol, 5n], ID]),
    deposit("one confirmation", alice, [[depository, 5n], ID], { height: bitcoin.TIP, time: TIME }),
    depositCase(`${chainId}: pending`, chainId, pay("pending", alice, [[depository, 5n], ID], null)),
    depositCase(`${chainId}: missing`, chainId, bitcoin.txidOf("missing")),
    depositCase(`${chainId}: malformed id`, chainId, "12zz"),
  );
  let count = 0;
  const settle = await settlementCases({
    vms,
    chainId,
    currency: BITCOIN_NATIVE,
    recipient: bob.address,
    index: 1,
    deposit: (id, amount) => pay(`deposit ${(count += 1)}`, alice, [[depository, amount], id]),
    pay: (orderId, amount) => pay(`payment ${(count += 1)}`, carol, [[bob, amount], orderId]),
    payTwo: (orderIds, amount) => pay(`payment ${(count += 1)}`, carol, [[bob, amount], ...orderIds]),
  });
  const byNode = rpcService((method, params) => chain.answerRpc(method, params));
  const byExplorer: Service = (call) => {
    const { body: answer, ...rest } = chain.respondExplorer(call.replace(/ GET$/u, ""));
    return { ...rest, answer };
  };
  return { cases: [...cases, ...settle], service: chainId === "bitcoin" ? byNode : byExplorer };
}

export async function tronFamily(vms: VmTypes): Promise<Family> {
  const chainId = "tron";
  const { alice, bob, depository, token } = tron;
  const chain = new tron.TronChain();
  const happen = chain.add.bind(chain);
  const deposit = (name: string, sent: tron.Sent) => depositCase(`tron: ${name}`, chainId, happen(sent));
  const cases = AMOUNTS.flatMap((amount) => [
    deposit(`native ${amount}`, { logs: [tron.nativeDeposit(alice, amount, ID)] }),
    deposit(`token ${amount}`, {
      logs: [tron.movement(alice, depository, amount), tron.tokenDeposit(bob, amount, ID)],
    }),
    deposit(`several ${amount}`, {
      logs: [
        tron.nativeDeposit(alice, amount, ID),
        tron.movement(bob, depository, amount),
        tron.nativeDeposit(bob, 3n, zeroHash),
      ],
    }),
    deposit(`bare ${amount}`, { logs: [tron.movement(alice, depository, amount)], to: token }),
    deposit(`event behind another transfer ${amount}`, {
      logs: [
        tron.movement(alice, depository, amount),
        tron.movement(bob, depository, amount + 1n),
        tron.tokenDeposit(bob, amount, ID),
      ],
    }),
  ]);
  cases.push(
    deposit("reverted", { logs: [tron.nativeDeposit(alice, 5n, ID)], isReverted: true }),
    deposit("not final", { logs: [tron.nativeDeposit(alice, 5n, ID)], block: tron.LATEST - 3 }),
    deposit("no deposit", { logs: [tron.movement(alice, bob, 5n)] }),
    depositCase("tron: missing", chainId, hashOf("missing").slice(2)),
    depositCase("tron: id with 0x", chainId, hashOf("tron 0")),
  );
  const settle = await settlementCases({
    vms,
    chainId,
    currency: tron.NATIVE,
    recipient: bob.text,
    index: 7,
    deposit: (id, amount) => happen({ logs: [tron.nativeDeposit(alice, amount, id)] }),
    pay: (orderId, amount) =>
      happen({ transfer: { type: "TransferContract", to: bob, amount: Number(amount) }, memo: orderId.slice(2) }),
  });
  const rpc = rpcService(chain.answerRpc);
  return {
    cases: [...cases, ...settle],
    service(call) {
      if (call.startsWith("/jsonrpc ")) return rpc(call.slice("/jsonrpc ".length));
      const { value } = JSON.parse(call.slice(call.indexOf("{"))) as { value: string };
      return { answer: chain.answerWallet(value) };
    },
  };
}

const EXCHANGE_DEPOSITORY = "0x1111111111111111111111111111111111111111";

export async function hyperliquidFamily(vms: VmTypes, hub: HubWorlds): Promise<Family> {
  const chainId = "hyperliquid";
  const bob = BOB;
  const exchange = new HyperliquidExchange(hub);
  const send = (destination: string, amount: string, token?: string, error: string | null = null) =>
    exchange.send({ destination, amount, token, market: "spot", error });
  const bind = exchange.bind.bind(exchange);
  const cases: Case[] = [];
  for (const amount of ["1", "100.0", "0.00000001", "10.04", "98765432109876543.21"]) {
    for (const [name, token] of [
      ["main market", undefined],
      ["spot market", `USDC:${DOLLAR}`],
    ] as const) {
      const transfer = send(EXCHANGE_DEPOSITORY, amount, token);
      bind(transfer.nonce, amount === "1" ? concat([ID, bob]) : ID);
      cases.push(depositCase(`hyperliquid: ${amount} on the ${name}`, chainId, transfer.hash));
    }
  }
  cases.push(
    depositCase("hyperliquid: without a mapping", chainId, send(EXCHANGE_DEPOSITORY, "3").hash),
    depositCase("hyperliquid: failed", chainId, send(EXCHANGE_DEPOSITORY, "3", undefined, "Insufficient balance").hash),
    depositCase("hyperliquid: to others", chainId, send(bob, "3").hash),
    depositCase("hyperliquid: missing", chainId, hashOf("missing")),
  );
  const text = (amount: bigint) => `${amount / 10n ** 8n}.${`${amount % 10n ** 8n}`.padStart(8, "0")}`;
  const settle = await settlementCases({
    vms,
    chainId,
    currency: `0x${"0".repeat(32)}`,
    recipient: bob,
    index: "0",
    deposit(id, amount) {
      const transfer = send(EXCHANGE_DEPOSITORY, text(amount));
      bind(transfer.nonce, id);
      return transfer.hash;
    },
    pay(orderId, amount) {
      const transfer = send(bob, text(amount));
      bind(transfer.nonce, orderId);
      return transfer.hash;
    },
  });
  return {
    cases: [...cases, ...settle],
    service: (call) => ({ answer: exchange.answerBody(call.slice(call.indexOf("{"))) }),
  };
}
