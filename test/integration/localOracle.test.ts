import { connect, type Socket } from "node:net";

import { expect } from "chai";
import { encodeFunctionData, type Hex, parseEther, zeroAddress, zeroHash } from "viem";
import { readContract, sendTransaction } from "viem/actions";

import { attestationVerifierAbi } from "../../packages/protocol/src/abi/attestationVerifier.generated.ts";
import { attest, getOracleLives, hashExecution, toVerifierCall } from "../../packages/sdk/src/attestation.ts";
import { createServiceClient, ServiceUnreachableError } from "../../packages/sdk/src/index.ts";
import { chainClient } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { openLazyServer } from "../../packages/crosscall/src/localnet/oracle/lazyServer.ts";
import type { QuoteRequest } from "../../packages/protocol/src/index.ts";
import { createLog } from "../../packages/crosscall/src/localnet/log.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { attestFill } from "./support/attestFill.ts";
import { failureOf } from "./support/failureOf.ts";
import { openLocalHub } from "./support/localHub.ts";
import { depositNative, orderIdOf, quoteEther, requestIdOf, watchToEnd } from "./support/requests.ts";
import { depositoryAbi } from "../../packages/protocol/src/abi/service.generated.ts";

const silent = createLog("silent");
const startNothing = () => Promise.reject(new Error("not requested"));

const CALL = { to: "0x00000000000000000000000000000000000a11ce", data: "0x", value: "5" };
const EXACT = { tradeType: "EXACT_OUTPUT", amount: "5000000" } as const;

interface FillCase extends Pick<QuoteRequest, "txs">, Partial<Pick<QuoteRequest, "amount" | "tradeType">> {
  readonly isWrapped?: boolean;
  readonly isToppedUp?: boolean;
}

describe("the oracles of a local network", () => {
  const network = useNetwork({ apiKeys: ["mine"], otherApiKeys: ["theirs"] });

  const clientOf = (apiKey?: string) =>
    createServiceClient({ baseUrl: network.oracle!.url, retry: false, ...(apiKey === undefined ? {} : { apiKey }) });

  it("both attest deposits, and the verifier contracts accept the attestations", async () => {
    const { chains, accounts, oracle } = network;
    for (const { id, rpcUrl, contracts } of chains) {
      const client = chainClient(id, rpcUrl, accounts.user);
      const transactionId = await sendTransaction(client, {
        to: contracts.depository,
        value: 5n,
        data: encodeFunctionData({
          abi: depositoryAbi,
          functionName: "depositNative",
          args: [accounts.user.address, zeroHash],
        }),
      });
      for (const apiKey of ["mine", "theirs"]) {
        const question = { chainId: `local-${id}`, transactionId, requestPeerSignatures: true };
        const { execution } = await attest(clientOf(apiKey), "depository-deposits/v1", question);
        const signed = execution!.signatures.map(({ oracleSigner }) => oracleSigner).sort();
        expect(signed).to.deep.equal(oracle!.signers);
        const { idempotencyKey, actions } = execution!;
        const digest = await readContract(client, {
          address: contracts.attestationVerifier,
          abi: attestationVerifierAbi,
          functionName: "verify",
          args: toVerifierCall(execution!),
        });
        const message = { idempotencyKey: idempotencyKey as Hex, actions: actions as Hex[] };
        expect(digest).to.equal(hashExecution(oracle!.hub, message));
      }
      const unknownUser = await failureOf(
        attest(clientOf(), "depository-deposits/v1", { chainId: `local-${id}`, transactionId }),
      );
      expect(unknownUser).to.include({ code: "SERVICE_ERROR", status: 401 });
    }
  });

  it("use the network's clock", async () => {
    const id: Hex = `0x${"5c".repeat(32)}`;
    const transactionId = await depositNative(network, { id, value: 5n });
    const chainId = `local-${network.chains[0].id}`;
    const peers = { chainId, transactionId, requestPeerSignatures: true };
    const { messages, execution } = await attest(clientOf("mine"), "depository-deposits/v1", peers);
    await openLocalHub(network).execute(execution);
    const { onchainId } = messages[0]!.result;
    const recover = () => attest(clientOf("mine"), "recover/v1", { chainId, transactionId, onchainId });
    expect(await failureOf(recover())).to.include({ code: "SERVICE_ERROR", status: 400 });
    try {
      network.clock.set(network.clock.now() + 8 * 24 * 3_600_000);
      expect((await recover()).execution.signatures).to.have.length(1);
      // Limits requests without a key, which end in 401, for no longer than the window after the clock is set back.
      const status = async (): Promise<number> => (await fetch(`${network.oracle!.url}/chains/v1`)).status;
      while ((await status()) !== 429);
      network.clock.reset();
      expect(await status()).to.equal(401);
    } finally {
      network.clock.reset();
    }
  });

  for (const [what, { isWrapped, isToppedUp, ...change }] of Object.entries<FillCase>({
    "with calls that receive native currency": { amount: parseEther("1").toString(), txs: [CALL] },
    "with calls that receive an exact amount of native currency": { ...EXACT, amount: "5", txs: [CALL] },
    "with calls that receive wrapped native currency": { ...EXACT, isWrapped: true, txs: [{ ...CALL, value: "0" }] },
    "with native currency for gas": { isToppedUp: true },
  })) {
    it(`attest a fill ${what}`, async () => {
      const [, { contracts }] = network.chains;
      const quote = await quoteEther(network, {
        includeProtocolData: true,
        destinationCurrency: isToppedUp ? contracts.dollar : isWrapped ? contracts.wrappedNative : zeroAddress,
        ...(isToppedUp && { topupGas: true }),
        ...change,
      });
      const deposit = await depositNative(network, {
        id: orderIdOf(quote),
        value: BigInt(quote.details.currencyIn.amount),
      });
      const { status, txHashes: [fill = ""] = [] } = await watchToEnd(network, requestIdOf(quote));
      expect(status).to.equal("success");
      expect((await attestFill(network, { quote, deposit, fill })).message.result.status).to.equal(1);
    });
  }

  it("reject a port that is in use", async () => {
    const port = Number(new URL(network.oracle!.url).port);
    expect(await failureOf(openLazyServer(port, startNothing, silent))).to.include({ code: "INVALID_STATE" });
  });

  it("can be started again after one of them failed to start", async () => {
    let tries = 0;
    const start = () => {
      tries += 1;
      if (tries === 1) return Promise.reject(new Error("not yet"));
      return Promise.resolve({ url: network.oracle!.url, close: () => Promise.resolve() });
    };
    const server = await openLazyServer(0, start, silent);
    const client = createServiceClient({ baseUrl: server.url, retry: false });
    expect(await failureOf(getOracleLives(client))).to.be.instanceOf(ServiceUnreachableError);
    expect(await getOracleLives(client)).to.deep.equal({ status: "ok" });
    await server.close();
    expect(tries).to.equal(2);
  });

  it("close despite open connections, and are not restarted by them", async () => {
    const unasked = await openLazyServer(0, startNothing, silent);
    const idle = await connectedTo(network.oracle!.peerUrl);
    const ended = new Promise<void>((resolve) => idle.once("close", () => resolve()));
    await Promise.all([unasked.close(), network.close()]);
    await ended;
    expect(await failureOf(getOracleLives(clientOf()))).to.be.instanceOf(ServiceUnreachableError);
  });
});

function connectedTo(url: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => resolve(socket));
    socket.on("error", () => undefined);
  });
}
