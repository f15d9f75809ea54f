import { expect } from "chai";
import { type Address, type Hex, maxUint256, pad, zeroAddress } from "viem";
import { getQuote, getRequest, getSignature, iterateRequests, listRequests } from "../support/complete.ts";
import { deployContract, waitForTransactionReceipt, writeContract } from "viem/actions";

import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { ROUTER_ADDRESS } from "../../packages/protocol/src/generations/routers.ts";
import { createServiceClient, type RequestQuery, verifySignature } from "../../packages/sdk/src/index.ts";
import { factsOf, rejected } from "../support/rejection.ts";
import { reader, userWallet } from "./support/parties.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { etherRequest, receiverRequest } from "./support/requests.ts";

const { abi, bytecode } = readArtifact("receiver/RequestReceiver");

describe("the client's listing and signatures on a local network", () => {
  const network = useNetwork();
  const ids: string[] = [];
  const client = (apiKey?: string) =>
    createServiceClient({ baseUrl: network.url, apiKey: apiKey ?? network.apiKey, limits: false });

  const quote = async (recipient: Address): Promise<string> => {
    const { steps } = await getQuote(client(), etherRequest(network, { recipient, destinationCurrency: zeroAddress }));
    return steps[0]?.requestId ?? "";
  };
  const idsOf = async (query: RequestQuery): Promise<string[]> => {
    const found: string[] = [];
    for await (const { id } of iterateRequests(client(), query)) found.push(id);
    return found;
  };

  before(async () => {
    for (let count = 0; count < 5; count += 1) ids.push(await quote(network.accounts.stranger.address));
    for (let count = 0; count < 3; count += 1) ids.push(await quote(network.accounts.user.address));
  });

  it("lists requests by user, status and page size", async () => {
    const { stranger, user } = network.accounts;
    const page = await listRequests(client(), { user: stranger.address.toLowerCase(), limit: 3 });
    expect(page.requests).to.have.length(3);
    expect(page.continuation).to.be.a("string");
    const rest = await listRequests(client(), {
      user: stranger.address,
      limit: 3,
      ...(page.continuation === undefined ? {} : { continuation: page.continuation }),
    });
    expect([...page.requests, ...rest.requests].map(({ id }) => id)).to.have.members(ids.slice(0, 5));
    expect(rest.continuation).to.equal(undefined);
    expect((await listRequests(client(), { user: user.address, status: "success" })).requests).to.deep.equal([]);
  });

  it("iterates over all requests once in each order", async () => {
    const down = await idsOf({ limit: 3 });
    expect(down.toSorted()).to.deep.equal(ids.toSorted());
    expect(await idsOf({ limit: 2, sortDirection: "asc" })).to.deep.equal(down.toReversed());
  });

  describe("with the filter", () => {
    const since = new Date(Date.UTC(2020, 0, 1));
    const none = pad("0x02");
    const [every, nothing] = [() => ids.length, () => 0];
    const filters: Record<string, [() => RequestQuery, found: () => number]> = {
      term: [() => ({ term: ids[0]! }), () => 1],
      orderId: [() => ({ orderId: none }), nothing],
      depositTxHash: [() => ({ depositTxHash: none }), nothing],
      fillTxHash: [() => ({ fillTxHash: none }), nothing],
      refundTxHash: [() => ({ refundTxHash: none }), nothing],
      originChainId: [() => ({ originChainId: network.chains[0].id }), every],
      destinationChainId: [() => ({ destinationChainId: network.chains[0].id }), nothing],
      chainId: [() => ({ chainId: network.chains[1].id }), every],
      depositAddress: [() => ({ depositAddress: ROUTER_ADDRESS }), nothing],
      recipient: [() => ({ recipient: network.accounts.stranger.address }), () => 5],
      failReason: [() => ({ failReason: "SLIPPAGE" }), nothing],
      refundFailReason: [() => ({ refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND" }), nothing],
      apiKey: [() => ({ apiKey: network.apiKey }), every],
      requestType: [() => ({ requestType: "Bridge" }), every],
      currencyInChainId: [() => ({ currencyInChainId: network.chains[0].id }), every],
      currencyOutChainId: [() => ({ currencyOutChainId: network.chains[0].id }), nothing],
      currencyInAddress: [() => ({ currencyInAddress: zeroAddress }), every],
      currencyOutAddress: [() => ({ currencyOutAddress: zeroAddress }), every],
      currencyInSymbol: [() => ({ currencyInSymbol: "eth" }), every],
      currencyOutSymbol: [() => ({ currencyOutSymbol: "USDC" }), nothing],
      startTimestamp: [() => ({ startTimestamp: since }), every],
      endTimestamp: [() => ({ endTimestamp: since }), nothing],
      startBlock: [() => ({ startBlock: 1 }), nothing],
      endBlock: [() => ({ endBlock: 1 }), nothing],
      amountUsdMin: [() => ({ amountUsdMin: "0.01" }), every],
      amountUsdMax: [() => ({ amountUsdMax: "0.01" }), nothing],
      appFeesAmountUsdMin: [() => ({ appFeesAmountUsdMin: "0.01" }), nothing],
      appFeesAmountUsdMax: [() => ({ appFeesAmountUsdMax: "0.01" }), every],
      fillTimeMin: [() => ({ fillTimeMin: 1 }), nothing],
      fillTimeMax: [() => ({ fillTimeMax: 1 }), nothing],
      features: [() => ({ features: ["app_fees", "fast_fill"] }), nothing],
      includeChildRequests: [() => ({ id: ids[0]!, includeChildRequests: true }), () => 1],
      includeAuthenticatedData: [() => ({ includeAuthenticatedData: true }), every],
      "sortBy amountUsd": [() => ({ sortBy: "amountUsd", limit: 3 }), every],
      "sortBy updatedAt": [() => ({ sortBy: "updatedAt", sortDirection: "asc", limit: 3 }), every],
      filters: [
        () => ({
          filters: [
            { recipient: network.accounts.stranger.address, "not:status": ["success", "failure"] },
            { id: ids[7]!, failReason: null },
          ],
        }),
        () => 6,
      ],
    };
    for (const [name, [query, found]] of Object.entries(filters)) {
      it(name, async () => expect(await idsOf(query())).to.have.length(found()));
    }

    it("includeTotal", async () => {
      const { requests, total } = await listRequests(client(), { includeTotal: true, limit: 2 });
      expect([requests.length, total]).to.deep.equal([2, ids.length]);
    });
  });

  it("returns one request, and reports a missing request", async () => {
    const requestId = ids[2]!;
    expect(await getRequest(client(), { requestId })).to.include({ id: requestId, status: "waiting" });
    expect(factsOf(await rejected(getRequest(client(), { requestId: pad("0x01") })))).to.deep.equal({
      code: "REQUEST_NOT_FOUND",
      requestId: pad("0x01"),
    });
  });

  it("is rejected with an unknown key, and the error does not contain the key", async () => {
    const error = await rejected(listRequests(client("not-a-key-of-this-service")));
    expect(factsOf(error)).to.include({ status: 401, errorCode: "UNAUTHORIZED", tries: 1 });
    expect(JSON.stringify(error) + String(error.stack)).not.to.include("not-a-key-of-this-service");
  });

  describe("a signature", () => {
    let receiver: Address;
    const deploy = async (solver: Address, chain = network.chains[0]): Promise<Address> => {
      const wallet = userWallet(network, chain);
      const args = [solver, chain.contracts.depository, zeroAddress, zeroAddress];
      const hash = await deployContract(wallet, { abi, bytecode, args });
      const { contractAddress } = await waitForTransactionReceipt(wallet, { hash });
      if (typeof contractAddress !== "string") throw new Error("the receiver was not deployed");
      return contractAddress;
    };
    const onChain = (address: Address, chain = network.chains[0]) => ({ address, client: reader(chain) });

    before(async () => {
      receiver = await deploy(network.solver);
    });

    it("is made by the solver wallet and accepted by the receiver", async () => {
      const result = await verifySignature(client(), { requestId: ids[0]!, receiver: onChain(receiver) });
      const expectedSigners = [network.solver];
      expect(result.isValid).to.equal(true);
      expect(result.offChain).to.deep.equal({
        check: "off-chain",
        isPassed: true,
        signer: network.solver,
        expectedSigners,
      });
      expect(result.onChain).to.deep.equal({
        check: "on-chain",
        isPassed: true,
        receiver,
        solver: network.solver,
        refusal: undefined,
        expectedSigners,
      });
    });

    it("is invalid for other data, off-chain and on-chain", async () => {
      const requestId = ids[0]!;
      const { requestData, signature } = await getSignature(client(), { requestId });
      const signed = { requestData: { ...requestData, originAmount: "1" }, signature };
      const result = await verifySignature(client(), { requestId, signed, receiver: onChain(receiver) });
      expect([result.isValid, result.offChain.isPassed, result.onChain?.isPassed]).to.deep.equal([false, false, false]);
      expect(result.onChain?.refusal).to.deep.equal({
        error: "WrongSigner",
        args: [result.offChain.signer, network.solver],
      });
    });

    it("is rejected by a receiver on another chain, although it is valid", async () => {
      const [origin, destination] = network.chains;
      const elsewhere = await deploy(network.solver, destination);
      const {
        isValid,
        offChain,
        onChain: check,
      } = await verifySignature(client(), {
        requestId: ids[0]!,
        receiver: onChain(elsewhere, destination),
      });
      expect([isValid, offChain.isPassed, check?.isPassed]).to.deep.equal([false, true, false]);
      expect(check?.refusal).to.deep.equal({ error: "WrongChain", args: [BigInt(destination.id), BigInt(origin.id)] });
    });

    it("is rejected by a receiver that trusts another wallet", async () => {
      const other = await deploy(network.accounts.stranger.address);
      const { isValid, onChain: check } = await verifySignature(client(), {
        requestId: ids[0]!,
        receiver: onChain(other),
      });
      expect([isValid, check?.solver, check?.refusal?.error]).to.deep.equal([
        false,
        network.accounts.stranger.address,
        "WrongSigner",
      ]);
    });

    it("is still valid after the payment, but not accepted again", async () => {
      const requestId = ids[7]!;
      const { requestData, signature } = await getSignature(client(), { requestId });
      const request = receiverRequest(requestData, requestId as Hex);
      const wallet = userWallet(network, network.chains[0]);
      const hash = await writeContract(wallet, {
        address: receiver,
        abi,
        functionName: "payNative",
        args: [request, { validUntil: maxUint256, orderId: pad("0x") }, signature],
        value: request.originAmount,
      });
      expect((await waitForTransactionReceipt(wallet, { hash })).status).to.equal("success");
      const {
        isValid,
        offChain,
        onChain: check,
      } = await verifySignature(client(), {
        requestId,
        receiver: onChain(receiver),
      });
      expect([isValid, offChain.isPassed]).to.deep.equal([false, true]);
      expect(check?.refusal).to.deep.equal({ error: "RequestAlreadyPaid", args: [requestId] });
    });

    it("cannot be checked on-chain at an address without a receiver", async () => {
      const addresses = [network.accounts.stranger.address, network.chains[0].contracts.dollar];
      for (const address of addresses) {
        const error = await rejected(verifySignature(client(), { requestId: ids[0]!, receiver: onChain(address) }));
        expect(error.code).to.equal("INVALID_STATE");
      }
    });
  });
});
