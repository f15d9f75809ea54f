import { createServer } from "node:http";

import { toEventSelector } from "viem";

// A mock EVM node in a separate process, limited only by HTTP. Every transaction is a native deposit, far below the
// latest block. Exits with its parent process.
const DEPOSITORY = "0x4cd00e387622c35bddb9b4c962c136462338bc31";
const SELECTOR = toEventSelector("event RelayNativeDeposit(address from, uint256 amount, bytes32 id)");
const DEPOSITS_PER_BLOCK = 100;

interface RpcCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly string[];
}

const digits = (value: number): string => value.toString(16).padStart(64, "0");
const word = (value: number): string => `0x${digits(value)}`;
const toQuantity = (value: number): string => `0x${value.toString(16)}`;
const FROM_AND_AMOUNT = `0x${DEPOSITORY.slice(2).padStart(64, "0")}${digits(5)}`;
const numberIn = (hash: string | undefined): number => Number.parseInt((hash ?? "").slice(-8), 16);

function resultOf({ method, params: [hash] }: RpcCall): unknown {
  const isLatest = hash === "latest";
  switch (method) {
    case "eth_getTransactionReceipt": {
      const block = Math.floor(numberIn(hash) / DEPOSITS_PER_BLOCK);
      const place = { blockHash: word(block), blockNumber: toQuantity(block), transactionHash: hash };
      const data = `${FROM_AND_AMOUNT}${digits(numberIn(hash) + 1)}`;
      const log = { address: DEPOSITORY, topics: [SELECTOR], data, logIndex: "0x0", transactionIndex: "0x0", ...place };
      return { ...place, status: "0x1", from: DEPOSITORY, to: DEPOSITORY, gasUsed: "0x1", logs: [log] };
    }
    case "eth_getBlockByNumber":
      return isLatest
        ? { hash: word(1), number: toQuantity(1_000_000_000), timestamp: toQuantity(1_800_000_000) }
        : { hash: word(Number(hash)), number: hash, timestamp: toQuantity(1_700_000_000) };
    default:
      return null;
  }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const parsed = JSON.parse(Buffer.concat(chunks).toString()) as RpcCall | RpcCall[];
    const answer = (call: RpcCall) => ({ jsonrpc: "2.0", id: call.id, result: resultOf(call) });
    response.end(JSON.stringify(Array.isArray(parsed) ? parsed.map(answer) : answer(parsed)));
  });
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.on("disconnect", () => process.exit());
