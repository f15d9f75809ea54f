import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { expect } from "chai";

import { TRON_VM } from "../../../../packages/oracle/src/vms/tron/tronVm.ts";
import { AmbiguousPaymentError } from "../../../../packages/oracle/src/attestationRefusedError.ts";
import type { VmChain } from "../../../../packages/oracle/src/vms/vmChain.ts";
import { onchainId } from "../../../../packages/sdk/src/attestation.ts";

// USDT address, in the chain's format and in the contracts' format.
const TOKEN = { text: "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", evm: "a614f803b6fd780986a42c78ec9c7f77e6ded13c" };
// In messages, the zero address means the native currency. In these tests, it is also the depository.
const DEPOSITORY = { text: "TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7", evm: "74472e7d35395a6b5add427eecb7f4b62ad2b071" };
const HASH = "ab".repeat(32);
const BLOCK = `0x${"cd".repeat(32)}`;
const ORDER_ID = `0x${"c1".repeat(32)}` as const;
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const word = (hex: string): string => `0x${hex.padStart(64, "0")}`;

/** A node's responses, with 20-byte addresses and 0x-prefixed hashes. */
const ANSWERS: Record<string, unknown> = {
  eth_getTransactionReceipt: {
    transactionHash: `0x${HASH}`,
    blockHash: BLOCK,
    blockNumber: "0x64",
    status: "0x1",
    to: `0x${TOKEN.evm}`,
    logs: [
      {
        address: `0x${TOKEN.evm}`,
        data: word("f4240"),
        logIndex: "0x3",
        topics: [TRANSFER, word(TOKEN.evm), word(DEPOSITORY.evm)],
      },
    ],
  },
  eth_getTransactionByHash: {
    hash: `0x${HASH}`,
    to: `0x${TOKEN.evm}`,
    value: "0x0",
    input: `0xa9059cbb${word(DEPOSITORY.evm).slice(2)}${word("f4240").slice(2)}${ORDER_ID.slice(2)}`,
  },
  eth_getBlockByNumber: { hash: word("77"), number: "0x78", timestamp: "0x6553f200" },
  eth_call: word("1"),
};

describe("the Tron chain", () => {
  let server: Server;
  let chain: VmChain;
  const calls: { method: string; params: unknown[] }[] = [];

  before(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const parsed = JSON.parse(Buffer.concat(chunks).toString()) as {
          id: number;
          method: string;
          params: unknown[];
        };
        const batch = [parsed].flat();
        calls.push(...batch);
        const answers = batch.map(({ id, method, params }) => {
          const result = ANSWERS[method];
          const isAt = method === "eth_getBlockByNumber" && params[0] !== "latest";
          const block = { hash: BLOCK, number: params[0], timestamp: "0x6553f100" };
          return { jsonrpc: "2.0", id, result: isAt ? block : result };
        });
        response.end(JSON.stringify(Array.isArray(parsed) ? answers : answers[0]));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const rpcUrls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`];
    chain = TRON_VM.open(
      { id: "tron", rpcUrls, depository: DEPOSITORY.text, additionalData: { finalizationBlocks: 19 } },
      {
        clock: { now: () => 0 },
        observer: { called: () => undefined, failed: () => undefined },
        hub: { mappingEntry: () => Promise.resolve(undefined) },
      },
    );
  });
  after(() => {
    chain.close();
    server.closeAllConnections();
    server.close();
  });

  it("reports deposits with its own address format and transaction ids", async () => {
    const { deposits } = await chain.readDeposits({ transactionId: HASH, mode: "slow", hints: undefined });
    expect(deposits).to.deep.equal([
      {
        onchainId: onchainId("tron", HASH, 3),
        depository: DEPOSITORY.text,
        depositId: ORDER_ID,
        depositor: TOKEN.text,
        currency: TOKEN.text,
        amount: 1_000_000n,
        place: `${BLOCK}:0x${HASH}:3`,
        timestamp: 0x6553f100,
      },
    ]);
    expect(calls.map(({ method, params }) => [method, params[0]])).to.deep.include([
      "eth_getTransactionReceipt",
      `0x${HASH}`,
    ]);
  });

  it("does not count a deposit as a payment for an order", async () => {
    const request = { transactionId: HASH, orderId: ORDER_ID, deadline: 2_000_000_000, extraData: "0x" as const };
    const settlement = await chain.readSettlement({ ...request, hints: undefined });
    const paidTo = (recipient: string) => settlement.paidTo({ recipient, currency: TOKEN.text });
    expect(await paidTo(TOKEN.text)).to.deep.equal({
      place: `${BLOCK}:0x${HASH}:0x${TOKEN.evm}:0x${TOKEN.evm}`,
      amount: 0n,
    });
    expect(() => paidTo(DEPOSITORY.text)).to.throw(AmbiguousPaymentError);
  });

  it("reads withdrawals at the latest block, because nodes support no other block", async () => {
    calls.length = 0;
    const payout = () => ({ currency: "", recipient: "", amount: 1n });
    const withdrawal = { payload: "0x" as const, withdrawalId: word("1"), expiration: 1n, payout };
    const hints = { transactionId: undefined, hints: undefined };
    expect(await chain.readWithdrawalStatus(withdrawal, hints)).to.equal(1);
    const call = calls.find(({ method }) => method === "eth_call");
    expect(call?.params).to.deep.equal([
      { to: `0x${DEPOSITORY.evm}`, data: `0xd52bfcc8${word("1").slice(2)}` },
      "latest",
    ]);
  });
});
