import { expect } from "chai";
import { type Address, type Hex, maxUint256, pad, zeroAddress } from "viem";
import { deployContract, readContract, waitForTransactionReceipt, writeContract } from "viem/actions";

import { getQuote, getSignature } from "../support/complete.ts";
import { readArtifact } from "../../packages/crosscall/src/artifacts.ts";
import { announceDeposit, createServiceClient, watchRequest } from "../../packages/sdk/src/index.ts";
import type { LocalnetChain } from "../../packages/crosscall/src/localnet/index.ts";
import { revertOf } from "./support/localHub.ts";
import { reader, userWallet } from "./support/parties.ts";
import { recordOf } from "./support/serviceCalls.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { etherRequest, receiverRequest } from "./support/requests.ts";

const { abi, bytecode } = readArtifact("receiver/RequestReceiver");

describe("the receiver on a local network", () => {
  const network = useNetwork();
  let origin: LocalnetChain;
  let receiver: Address;
  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });

  before(async () => {
    [origin] = network.chains;
    const wallet = userWallet(network, origin);
    const args = [network.solver, origin.contracts.depository, zeroAddress, zeroAddress];
    const hash = await deployContract(wallet, { abi, bytecode, args });
    const { contractAddress } = await waitForTransactionReceipt(wallet, { hash });
    if (typeof contractAddress !== "string") throw new Error("the receiver was not deployed");
    receiver = contractAddress;
  });

  /** Returns a quote's request in the contract's format, with its order and the service's signature. */
  async function signedRequest() {
    const quote = await getQuote(client(), etherRequest(network));
    const requestId = quote.steps[0]?.requestId as Hex;
    const { requestData, signature } = await getSignature(client(), { requestId });
    const request = receiverRequest(requestData, requestId);
    return { request, signature, orderId: quote.protocol?.v2.orderId };
  }

  function verify(request: Awaited<ReturnType<typeof signedRequest>>["request"], signature: string): Promise<unknown> {
    return readContract(reader(origin), { address: receiver, abi, functionName: "verify", args: [request, signature] });
  }

  it("accepts a deposit for an order that the service signed and then fills", async () => {
    const { request, signature, orderId } = await signedRequest();
    await verify(request, signature);
    const wallet = userWallet(network, origin);
    const hash = await writeContract(wallet, {
      address: receiver,
      abi,
      functionName: "payNative",
      args: [request, { validUntil: maxUint256, orderId }, signature],
      value: request.originAmount,
    });
    expect((await waitForTransactionReceipt(wallet, { hash })).status).to.equal("success");
    const { requestId } = request;
    await announceDeposit(client(), { chainId: origin.id, txHash: hash, requestId });
    const { outcome } = await watchRequest(client(), { requestId, pollIntervalMs: 25 });
    expect(outcome).to.equal("success");
    expect((await recordOf(network, requestId)).data.inTxs.map(({ txHash }) => txHash)).to.deep.equal([hash]);
    expect(await revertOf(verify(request, signature))).to.equal("RequestAlreadyPaid");
  });

  it("rejects a request that differs from the signed request", async () => {
    const { request, signature } = await signedRequest();
    const other = { ...request, destinationUser: pad("0x01") };
    expect(await revertOf(verify(other, signature))).to.equal("WrongSigner");
  });
});
