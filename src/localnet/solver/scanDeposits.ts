import { type Address, type GetLogsReturnType, type Hex, zeroAddress } from "viem";

import { depositoryAbi } from "../../abi/depository.generated.ts";
import { findRequestByOrderId, transition } from "../../store/requests.ts";
import { findScannedBlock, recordScannedBlock } from "../../store/scans.ts";
import { type Inclusion, insertTransaction } from "../../store/transactions.ts";
import type { ServiceChain, ServiceContext } from "../context.ts";

/** Blocks read in one call; many nodes refuse more than a thousand or so. */
const BLOCKS_PER_CALL = 1_000n;

const DEPOSIT_EVENTS = depositoryAbi.filter(
  (item) => item.type === "event" && (item.name === "RelayNativeDeposit" || item.name === "RelayErc20Deposit"),
);

/** A deposit, as the depository's event tells it. */
interface Deposit {
  readonly orderId: Hex;
  readonly from: Address;
  readonly currency: Address;
  readonly amount: bigint;
  readonly txHash: Hex;
  readonly inclusion: Inclusion;
}

/** Reads the deposits of a chain since the last scan, and hands those that belong to a request to the solver. */
export async function scanDeposits(context: ServiceContext, chain: ServiceChain): Promise<void> {
  const scanned = await findScannedBlock(context.store.db, chain.id);
  const latest = await chain.client.getBlockNumber();
  let fromBlock = BigInt(scanned) + 1n;
  while (fromBlock <= latest) {
    const lastOfCall = fromBlock + BLOCKS_PER_CALL - 1n;
    const toBlock = lastOfCall < latest ? lastOfCall : latest;
    const logs = await chain.client.getLogs({
      address: chain.contracts.depository,
      events: DEPOSIT_EVENTS,
      fromBlock,
      toBlock,
      strict: true,
    });
    const deposits = await Promise.all(logs.map((log) => readDeposit(chain, log)));
    await recordDeposits(context, chain, deposits, Number(toBlock));
    fromBlock = toBlock + 1n;
  }
}

type DepositLog = GetLogsReturnType<undefined, typeof DEPOSIT_EVENTS, true>[number];

async function readDeposit(chain: ServiceChain, log: DepositLog): Promise<Deposit> {
  const [receipt, block] = await Promise.all([
    chain.client.getTransactionReceipt({ hash: log.transactionHash }),
    chain.client.getBlock({ blockHash: log.blockHash }),
  ]);
  return {
    orderId: log.args.id,
    from: log.args.from,
    currency: log.eventName === "RelayErc20Deposit" ? log.args.token : zeroAddress,
    amount: log.args.amount,
    txHash: log.transactionHash,
    inclusion: {
      status: "success",
      block_number: Number(receipt.blockNumber),
      block_timestamp: Number(block.timestamp),
      fee: receipt.gasUsed * receipt.effectiveGasPrice,
      gas_used: Number(receipt.gasUsed),
    },
  };
}

/** Deposits, the jobs they cause and the scan position are written together: none is lost, none is taken twice. */
async function recordDeposits(
  context: ServiceContext,
  chain: ServiceChain,
  deposits: readonly Deposit[],
  scannedBlock: number,
): Promise<void> {
  const { store, log } = context;
  const at = new Date(context.clock.now());
  await store.db.transaction().execute(async (db) => {
    for (const deposit of deposits) {
      const request = await findRequestByOrderId(db, deposit.orderId);
      if (request === undefined) {
        log.warn({ chainId: chain.id, txHash: deposit.txHash, orderId: deposit.orderId }, "deposit of no known order");
        continue;
      }
      const isFirst = await insertTransaction(db, {
        request_id: request.id,
        purpose: "deposit",
        chain_id: chain.id,
        hash: deposit.txHash,
        sender: deposit.from,
        nonce: null,
        signed: null,
        amount: deposit.amount,
        currency: deposit.currency,
        created_at: at,
        ...deposit.inclusion,
      });
      if (!isFirst) {
        log.warn({ requestId: request.id, txHash: deposit.txHash }, "second deposit of an order");
        continue;
      }
      await transition(db, {
        requestId: request.id,
        from: ["waiting", "depositing"],
        to: "pending",
        at,
        // A deposit on another chain is in no block of the origin.
        set: chain.id === request.origin_chain_id ? { deposit_block: deposit.inclusion.block_number } : {},
      });
      await store.jobs.add({ requestId: request.id }, db);
    }
    await recordScannedBlock(db, chain.id, scannedBlock);
  });
}
