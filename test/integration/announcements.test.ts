import { expect } from "chai";
import { parseEther, zeroAddress } from "viem";
import { sendTransaction, waitForTransactionReceipt } from "viem/actions";

import type { Quote } from "../../packages/protocol/src/complete.ts";
import { getQuote, getStatus } from "../support/complete.ts";
import { createServiceClient } from "../../packages/sdk/src/index.ts";
import { parseData } from "../../packages/protocol/src/index.ts";
import { type TransactionData, TransactionDataSchema } from "../../packages/protocol/src/quote/step.ts";
import { userWallet } from "./support/parties.ts";
import { post } from "./support/serviceCalls.ts";
import { useNetwork } from "../support/useNetwork.ts";

const HASH = `0x${"1".repeat(64)}`;

describe("announcements of transactions", () => {
  const network = useNetwork();
  let crossChain: string;

  before(async () => {
    crossChain = (await quoteTo(network.chains[1].id)).steps[0]?.requestId ?? "";
  });

  const quoteTo = (destinationChainId: number, destinationCurrency: string = zeroAddress): Promise<Quote> =>
    getQuote(createServiceClient({ baseUrl: network.url }), {
      user: network.accounts.user.address,
      originChainId: network.chains[0].id,
      destinationChainId,
      originCurrency: zeroAddress,
      destinationCurrency,
      tradeType: "EXACT_INPUT",
      amount: parseEther("0.01").toString(),
    });
  const statusOf = async (requestId: string) =>
    (await getStatus(createServiceClient({ baseUrl: network.url }), { requestId })).status;
  const send = async (data: TransactionData): Promise<string> => {
    const wallet = userWallet(network, network.chains[0]);
    const hash = await sendTransaction(wallet, {
      to: data.to as `0x${string}`,
      data: data.data as `0x${string}`,
      value: BigInt(data.value ?? 0),
    });
    await waitForTransactionReceipt(wallet, { hash });
    return hash;
  };

  for (const [name, write] of [
    ["as an object", (tx: object) => tx],
    ["as JSON text, as the published SDK does", (tx: object) => JSON.stringify(tx)],
  ] as const) {
    it(`end a same-chain request ${name}`, async () => {
      const quote = await quoteTo(network.chains[0].id, network.chains[0].contracts.wrappedNative);
      const step = quote.steps.at(-1);
      const data = parseData(TransactionDataSchema, step?.items[0]?.data, "the step");
      const requestId = step?.requestId ?? "";
      const body = { requestId, chainId: network.chains[0].id.toString(), referrer: "relay.link" };
      // The announcement of an unsent transaction records nothing.
      expect(await post(network, "/transactions/single", { ...body, tx: write(data) })).to.deep.equal({
        status: 200,
        body: { message: "Success" },
      });
      const txHash = await send(data);
      expect(
        (await post(network, "/transactions/single", { ...body, tx: write({ ...data, txHash }) })).status,
      ).to.equal(200);
      expect(await statusOf(requestId)).to.equal("success");
    });
  }

  it("are accepted and change nothing for unknown requests", async () => {
    const chainId = network.chains[0].id;
    for (const [path, body] of [
      ["/transactions/index", { chainId, txHash: HASH }],
      ["/transactions/index", { chainId: String(chainId), txHash: HASH, requestId: crossChain }],
      ["/transactions/single", { chainId, requestId: crossChain, tx: { txHash: HASH } }],
      ["/transactions/single", { chainId, requestId: crossChain, tx: "{}" }],
      ["/transactions/single", { chainId, requestId: crossChain, tx: { txHash: null } }],
    ] as const) {
      expect([path, await post(network, path, body)]).to.deep.equal([
        path,
        { status: 200, body: { message: "Success" } },
      ]);
    }
    expect(await statusOf(crossChain)).to.equal("waiting");
  });

  it("are rejected with the name of the invalid field", async () => {
    const [{ id: chainId }, other] = network.chains;
    const index = { chainId, txHash: HASH };
    const single = { chainId, requestId: crossChain, tx: {} };
    for (const [path, body, status, field] of [
      ["index", { ...index, chainId: 5 }, 400, "chainId"],
      ["index", { ...index, chainId: -1 }, 400, "chainId"],
      ["index", { ...index, chainId: 1.5 }, 400, "chainId"],
      ["index", { ...index, chainId: "9".repeat(400) }, 400, "chainId"],
      ["index", { ...index, chainId: "0x7a69" }, 400, "chainId"],
      ["index", { ...index, chainId: undefined }, 400, "chainId"],
      ["index", { ...index, txHash: "0x12" }, 400, "txHash"],
      ["index", { ...index, txHash: `0x${"g".repeat(64)}` }, 400, "txHash"],
      ["index", { ...index, txHash: 5 }, 400, "txHash"],
      ["index", { ...index, txHash: undefined }, 400, "txHash"],
      ["index", { ...index, requestId: HASH }, 404, undefined],
      ["index", { ...index, requestId: "' or 1=1 --" }, 404, undefined],
      ["index", { ...index, requestId: 5 }, 400, "requestId"],
      ["index", { chainId: other.id, txHash: HASH, requestId: crossChain }, 400, "chainId"],
      ["single", { ...single, chainId: 5 }, 400, "chainId"],
      ["single", { ...single, chainId: other.id }, 400, "chainId"],
      ["single", { ...single, requestId: HASH }, 404, undefined],
      ["single", { ...single, requestId: undefined }, 400, "requestId"],
      ["single", { ...single, tx: undefined }, 400, "tx"],
      ["single", { ...single, tx: "" }, 400, "tx"],
      ["single", { ...single, tx: "{" }, 400, "tx"],
      ["single", { ...single, tx: "5" }, 400, "tx"],
      ["single", { ...single, tx: "[]" }, 400, "tx"],
      ["single", { ...single, tx: "null" }, 400, "tx"],
      ["single", { ...single, tx: 5 }, 400, "tx"],
      ["single", { ...single, tx: [] }, 400, "tx"],
      ["single", { ...single, tx: { txHash: "0x12" } }, 400, "tx.txHash"],
      ["single", { ...single, tx: { txHash: 5 } }, 400, "tx.txHash"],
    ] as const) {
      const answer = await post(network, `/transactions/${path}`, body);
      expect([path, body, answer.status]).to.deep.equal([path, body, status]);
      if (field !== undefined) expect(answer.body).to.have.property("field", field);
    }
  });
});
