import { expect } from "chai";
import { BaseError, type Hex, zeroAddress } from "viem";

import { sendTransaction } from "../../../src/client/sendTransaction.ts";
import { factsOf, rejected } from "../core/refusal.ts";
import { CHAIN_ID, useChain } from "./chain.ts";

const TARGET = "0x1111111111111111111111111111111111111111";
const BROKEN = "0x2222222222222222222222222222222222222222";
const BREAKING = "0x3333333333333333333333333333333333333333";
const TRANSFER = { to: TARGET, data: "0xdeadbeef", value: 5n } as const;

describe("sendTransaction", () => {
  const chain = useChain();

  it("sends what it is told, tells the hash, and waits until it is included", async () => {
    const told: Hex[] = [];
    const sent = await sendTransaction(chain.wallet, { ...TRANSFER, onSent: (txHash) => told.push(txHash) });
    const { hash, to, input, value } = await chain.client.getTransaction({ hash: sent.txHash });
    expect([to, input, value]).to.deep.equal([TARGET, "0xdeadbeef", 5n]);
    const { gasUsed } = await chain.client.getTransactionReceipt({ hash });
    expect([sent, told]).to.deep.equal([{ chainId: CHAIN_ID, txHash: hash, gasUsed }, [hash]]);
  });

  it("tells of a transaction that the node refuses: there is no hash", async () => {
    await chain.breakContract(BROKEN);
    const told: Hex[] = [];
    const error = await rejected(
      sendTransaction(chain.wallet, { ...TRANSFER, to: BROKEN, onSent: (txHash) => told.push(txHash) }),
    );
    expect([factsOf(error), told]).to.deep.equal([
      { code: "TRANSACTION_FAILED", chainId: CHAIN_ID, txHash: undefined },
      [],
    ]);
  });

  it("tells of a wallet that is too poor", async () => {
    const error = await rejected(sendTransaction(chain.wallet, { ...TRANSFER, value: 10n ** 30n }));
    expect(factsOf(error)).to.deep.equal({ code: "TRANSACTION_FAILED", chainId: CHAIN_ID, txHash: undefined });
    expect(error.cause).to.be.instanceOf(BaseError);
  });

  it("tells the hash of a transaction that was included and reverted", async () => {
    await chain.setAutomine(false);
    const told: Hex[] = [];
    try {
      const error = await rejected(
        sendTransaction(chain.wallet, {
          ...TRANSFER,
          to: BREAKING,
          onSent: (txHash) => {
            told.push(txHash);
            void chain.breakContract(BREAKING).then(() => chain.mine());
          },
        }),
      );
      expect(factsOf(error)).to.deep.equal({ code: "TRANSACTION_FAILED", chainId: CHAIN_ID, txHash: told[0] });
      expect(told).to.have.length(1);
    } finally {
      await chain.setAutomine(true);
    }
  });

  it("tells the hash of a transaction that was sent when its inclusion cannot be seen", async () => {
    const told: Hex[] = [];
    const wallet = chain.walletWithout("eth_getTransactionReceipt");
    const error = await rejected(sendTransaction(wallet, { ...TRANSFER, onSent: (txHash) => told.push(txHash) }));
    expect(factsOf(error)).to.include({ chainId: CHAIN_ID, txHash: told[0] });
    expect(told).to.have.length(1);
  });

  it("lets an error of the listener through", async () => {
    const error = new RangeError("the listener's own");
    const outcome = await sendTransaction(chain.wallet, {
      ...TRANSFER,
      to: zeroAddress,
      onSent: () => {
        throw error;
      },
    }).catch((thrown: unknown) => thrown);
    expect(outcome).to.equal(error);
  });
});
