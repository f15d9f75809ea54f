import { concat, type Hex, pad } from "viem";

import type { ChainConfig } from "../../../../packages/oracle/src/chainFiles.ts";
import type { Oracle } from "../../../../packages/oracle/src/startOracle.ts";
import * as bitcoin from "../support/bitcoinShapes.ts";
import { SOLVER_CHAIN, startFamilyOracle } from "../support/familyOracle.ts";
import { HyperliquidExchange } from "../support/hyperliquidShapes.ts";
import { respondExchange, LighterExchange } from "../support/lighterShapes.ts";
import { jsonRpc, type RecordedServer, startRecordedServer } from "../support/recordedServer.ts";
import * as solana from "../support/solanaShapes.ts";
import { idOf } from "../support/vectors.ts";
import { addressOf, EvmWorld, FIRST_LOG, movement, nativeDeposit, NOW, TIME } from "../vectors/world.ts";
import { HUB, HUB_CHAIN_ID, openHubWorlds } from "../vectors/hubCases.ts";
import { vmCodecOf, type VmType } from "../../../../packages/protocol/src/vms/index.ts";

interface Output {
  readonly to: string;
  readonly amount: bigint;
}

/** Chain with deposits for orders and their payments. */
export interface PaymentWorld {
  readonly vmType: VmType;
  readonly chainId: string;
  readonly currency: string;
  readonly recipients: readonly [string, string];
  readonly oracle: Oracle;
  /** Whether a transaction can name only one order and pay only one recipient. */
  readonly isSingle: boolean;
  deposit(orderId: Hex, amount: bigint): { readonly transactionId: string; readonly onchainId: Hex };
  /** @returns the transaction, and the orders that it names by the VM family's rules */
  pay(named: readonly Hex[], outputs: readonly Output[], isFinal: boolean): { id: string; named: readonly Hex[] };
  close(): Promise<void>;
}

type Parts = Omit<PaymentWorld, "close" | "oracle">;

async function open(
  parts: Parts,
  server: RecordedServer,
  chain: Partial<ChainConfig>,
  hub?: RecordedServer,
): Promise<PaymentWorld> {
  const oracle = await startFamilyOracle({
    chain: { id: parts.chainId, vmType: parts.vmType, httpRpcUrl: server.url, ...chain },
    ...(hub === undefined ? {} : { hubUrl: hub.url, genericMappingAddress: HUB.mapping }),
    hub: { evmChainId: HUB_CHAIN_ID, oracleAddress: HUB.oracle },
    now: () => NOW * 1000,
  });
  return {
    ...parts,
    oracle,
    async close() {
      await oracle.close();
      server.close();
      hub?.close();
    },
  };
}

const serverOf = (answer: (method: string, params: readonly unknown[]) => unknown) =>
  startRecordedServer(jsonRpc(answer));

const unique = (ids: readonly Hex[]): readonly Hex[] => [...new Set(ids)];

/** Starts an EVM chain, or a Tron chain with its own format for ids and addresses. */
async function evmWorld(vmType: "ethereum-vm" | "tron-vm"): Promise<PaymentWorld> {
  const world = new EvmWorld(vmType);
  const isTron = vmType === "tron-vm";
  const chainId = isTron ? "tron" : "evm";
  const spell = (address: Hex): string =>
    isTron ? vmCodecOf(vmType).decodeAddress(concat(["0x41", address])) : address;
  const [depository, token, solver] = [addressOf("depository"), addressOf("token"), addressOf("solver")];
  const recipients = [addressOf("bob"), addressOf("carol")] as const;
  const byName = new Map(recipients.map((address) => [spell(address), address]));
  const idOfHash = (hash: Hex): string => (isTron ? hash.slice(2) : hash);
  const parts: Parts = {
    ...{ vmType, chainId, isSingle: false, currency: spell(token) },
    recipients: [spell(recipients[0]), spell(recipients[1])],
    deposit(orderId, amount) {
      const hash = world.happen({ logs: [nativeDeposit(depository, solver, amount, orderId)] });
      const transactionId = idOfHash(hash);
      return { transactionId, onchainId: idOf(chainId, transactionId, FIRST_LOG) };
    },
    pay(named, outputs, isFinal) {
      const logs = outputs.map(({ to, amount }) => movement(token, solver, byName.get(to)!, amount));
      const hash = world.happen({ logs, input: concat(["0x12345678", ...named]), isReverted: !isFinal });
      // An order counts only if its id is at the end of the input.
      return { id: idOfHash(hash), named: named.slice(-1) };
    },
  };
  const server = await serverOf((method, params) => world.answer(method, params));
  return open(parts, server, { depository: spell(depository) });
}

async function solanaWorld(): Promise<PaymentWorld> {
  const chainId = "solana";
  const chain = new solana.SolanaChain();
  const happen = (transaction: solana.TestTransaction): string =>
    chain.add(`payment ${chain.transactions.size}`, transaction);
  const alice = solana.keyOf("alice");
  const parts: Parts = {
    ...{ vmType: "solana-vm", chainId, isSingle: false, currency: solana.SYSTEM },
    recipients: [solana.keyOf("bob"), solana.keyOf("carol")],
    deposit(orderId, amount) {
      const transactionId = happen({ instructions: [solana.depositOf("deposit_native", alice, amount, orderId)] });
      return { transactionId, onchainId: idOf(chainId, transactionId, 0) };
    },
    pay(named, outputs, isFinal) {
      const lamports: Record<string, [number, number]> = {};
      for (const { to, amount } of outputs) lamports[to] = [10, (lamports[to]?.[1] ?? 10) + Number(amount)];
      const instructions = [
        ...outputs.map(({ to, amount }) => solana.nativeTransferOf(alice, to, amount)),
        ...named.map((id) => solana.memoOf(`order ${id}`)),
      ];
      const id = happen({ instructions, lamports, ...(isFinal ? {} : { error: "failed" }) });
      return { id, named: unique(named) };
    },
  };
  const server = await serverOf((method, params) => chain.answerRpc(method, params));
  return open(parts, server, { depository: solana.DEPOSITORY });
}

async function bitcoinWorld(): Promise<PaymentWorld> {
  const chainId = "bitcoin";
  const [depository, alice] = [bitcoin.witnessParty("depository"), bitcoin.legacyParty("alice", "key")];
  const [bob, carol] = [bitcoin.taprootParty("bob"), bitcoin.witnessParty("carol")];
  const chain = new bitcoin.BitcoinChain();
  const happen = (outputs: readonly bitcoin.TestOutput[], isFinal = true): string =>
    chain.pay(`payment ${chain.transactions.size}`, alice, outputs, {
      height: isFinal ? bitcoin.TIP - 3 : bitcoin.TIP,
      time: TIME,
    });
  const parts: Parts = {
    ...{ vmType: "bitcoin-vm", chainId, isSingle: false, currency: vmCodecOf("bitcoin-vm").nativeCurrency },
    recipients: [bob.address, carol.address],
    deposit(orderId, amount) {
      const transactionId = happen([orderId, [depository, amount]]);
      return { transactionId, onchainId: idOf(chainId, transactionId, 0) };
    },
    pay(named, outputs, isFinal) {
      const paid = outputs.map(({ to, amount }) => [to === bob.address ? bob : carol, amount] as const);
      return { id: happen([...paid, ...named], isFinal), named: unique(named) };
    },
  };
  const server = await serverOf((method, params) => chain.answerRpc(method, params));
  return open(parts, server, { depository: depository.address });
}

async function hyperliquidWorld(): Promise<PaymentWorld> {
  const chainId = "hyperliquid";
  const depository = `0x${"11".repeat(20)}`;
  const exchange = new HyperliquidExchange(openHubWorlds());
  const send = (destination: string, amount: bigint, id: Hex, error: string | null = null): Hex => {
    const { hash, nonce } = exchange.send({ destination, amount: `0.${`${amount}`.padStart(8, "0")}`, error });
    exchange.bind(nonce, id);
    return hash;
  };
  const parts: Parts = {
    ...{ vmType: "hyperliquid-vm", chainId, isSingle: true, currency: `0x${"0".repeat(32)}` },
    recipients: [`0x${"bb".repeat(20)}`, `0x${"cc".repeat(20)}`],
    deposit(orderId, amount) {
      const transactionId = send(depository, amount, orderId);
      return { transactionId, onchainId: idOf(chainId, transactionId, 0) };
    },
    pay([first], [output], isFinal) {
      return { id: send(output!.to, output!.amount, first!, isFinal ? null : "Insufficient balance"), named: [first!] };
    },
  };
  const server = await startRecordedServer(exchange.answer);
  const hub = await serverOf((method, params) => exchange.hub.hub.answer(method, params));
  return open(parts, server, { depository }, hub);
}

async function lighterWorld(): Promise<PaymentWorld> {
  const chainId = "lighter";
  const depository = 460_491;
  const exchange = new LighterExchange();
  const send = (to: number, amount: bigint, memo: Hex, status = 2): string =>
    exchange.send({ to, amount, memo, status });
  const parts: Parts = {
    ...{ vmType: "lighter-vm", chainId, isSingle: true, currency: "0", recipients: ["470001", "470002"] },
    deposit(orderId, amount) {
      const transactionId = send(depository, amount, orderId);
      return { transactionId, onchainId: idOf(chainId, transactionId, 0) };
    },
    pay([first], [output], isFinal) {
      return { id: send(Number(output!.to), output!.amount, first!, isFinal ? 2 : 0), named: [first!] };
    },
  };
  return open(parts, await startRecordedServer(respondExchange(exchange.transactions)), {
    depository: `${depository}`,
  });
}

/** Starts one chain for each VM family. */
export const WORLDS: Readonly<Record<string, () => Promise<PaymentWorld>>> = {
  EVM: () => evmWorld("ethereum-vm"),
  Tron: () => evmWorld("tron-vm"),
  Solana: solanaWorld,
  Bitcoin: bitcoinWorld,
  Hyperliquid: hyperliquidWorld,
  Lighter: lighterWorld,
};

/** Returns the encoder for addresses in order ids. */
export function encoderOf(vmType: VmType): (chainId: string, address: string) => Hex {
  return (chainId, address) =>
    chainId === SOLVER_CHAIN ? (address as Hex) : vmCodecOf(vmType).encodeAddress(address, "address");
}

/** Id that belongs to no order. */
export const FOREIGN: Hex = pad("0xab", { dir: "right", size: 32 }).replace(/0+$/u, (zeros) =>
  "c".repeat(zeros.length),
) as Hex;
