import { expect } from "chai";
import type { Hex } from "viem";

import { hubAlias, hubTokenId } from "../../../packages/sdk/src/attestation.ts";
import type {
  AuthorizationAttestation,
  WithdrawRequestAttestation,
} from "../../../packages/protocol/src/attestation/messages/withdrawRequests.ts";
import type {
  InitiatedV2Attestation,
  InitiationV2Attestation,
} from "../../../packages/protocol/src/attestation/messages/withdrawalsV2.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { ask, ORACLE_SIGNER } from "../support/oracleNetwork.ts";
import { signWithdrawal } from "../support/ownerDigest.ts";
import { expectRejection, SOLVER_CHAIN } from "./support/familyOracle.ts";
import { ALLOCATOR_SPENDER, ALLOCATOR_V3, AURORA_CHAIN_ID } from "./support/hubContracts.ts";
import {
  account,
  alias,
  AMOUNT,
  bodyV2,
  bodyV3,
  CHAIN,
  encode,
  HUB_CHAIN_ID,
  LighterNetwork,
  NONCE,
  ownerAddress,
  requestHash,
  requestV2,
  requestV3,
  signed,
  STATUS_V2,
  STATUS_V3,
  token,
} from "./support/lighterNetwork.ts";
import { REQUEST_TYPES, SUBMIT_TYPES, typedSigners } from "./support/oracleSuite.ts";
import { expectExecution, idOf, transferOf } from "./support/vectors.ts";

const INITIATION = "/attestations/withdrawal-initiation/v2";
const INITIATED = "/attestations/withdrawal-initiated/v2";
const HASHES = "/attestations/withdraw-requests/v1";
const AUTHORIZATION = "/attestations/withdraw-request-authorization/v1";

const { stranger } = localAccounts;
const OWNER_ACCOUNT = "1001";

describe("requests for withdrawals on Lighter", () => {
  let lighter: LighterNetwork;
  before(async () => {
    lighter = await LighterNetwork.start();
    await lighter.network.setHubBalance(alias, token, BigInt(AMOUNT));
    await lighter.network.setHubBalance(account, token, BigInt(AMOUNT));
    lighter.owners.set(OWNER_ACCOUNT, ownerAddress);
  });
  after(() => lighter.close());

  const send = async (path: string, body: object) => {
    const { status, body: response } = await ask<{ readonly message: string }>(lighter.oracle, path, body);
    return { status, body: response };
  };
  const withData = (change: object) => ({
    additionalData: { "lighter-vm": { ...bodyV2.additionalData["lighter-vm"], ...change } },
  });

  /** Checks that the request is rejected and that the error names the field. */
  const expectWord = async (path: string, body: object, word: string): Promise<void> => {
    const { status, body: response } = await send(path, body);
    expect([status, response.message.split(" ")[0]], path).to.deep.equal([400, word]);
  };

  it("transfer the owner's balance to the withdrawal's account", async () => {
    for (const body of [await signed(), await signed({ additionalData: undefined })]) {
      const { status, body: response } = await ask<InitiationV2Attestation>(lighter.oracle, INITIATION, body);
      expect([status, response.withdrawalAddress], JSON.stringify(response)).to.deep.equal([200, account]);
      await expectExecution(response.execution, idOf("relay", `${token}`, account), [
        transferOf(alias, account, token, BigInt(AMOUNT)),
      ]);
    }
    const more = await signed({ amount: `${AMOUNT + 1}` });
    await expectRejection(send(INITIATION, more), "Insufficient balance for requested withdrawal");
  });

  it("are written in the allocator's format once the account holds the amount", async () => {
    const { status, body } = await ask<InitiatedV2Attestation>(lighter.oracle, INITIATED, await signed());
    expect(status, JSON.stringify(body)).to.equal(200);
    const { signatures, ...params } = body.payloadParams;
    const { receiver: recipient, ...rest } = requestV2;
    expect({ ...params, spender: params.spender.toLowerCase() }).to.deep.equal({
      ...rest,
      recipient,
      chainId: `${HUB_CHAIN_ID}`,
      amount: `${AMOUNT}`,
    });
    const domain = { name: "RelayAllocatorSpender", version: "1" };
    const spender = { ...domain, chainId: AURORA_CHAIN_ID, verifyingContract: ALLOCATOR_SPENDER };
    expect(await typedSigners(spender, SUBMIT_TYPES, requestV2, signatures)).to.deep.equal([ORACLE_SIGNER]);
    const other = await signed({ amount: `${AMOUNT - 1}` });
    await expectRejection(send(INITIATED, other), "Withdrawn amount different from withdrawal address balance");
  });

  it("keep the memo", async () => {
    for (const [memo, padded] of [
      ["abcd", `abcd${"0".repeat(60)}`],
      [NONCE, NONCE.slice(2)],
    ] as const) {
      const { body } = await ask<InitiatedV2Attestation>(lighter.oracle, INITIATED, await signed(withData({ memo })));
      expect(body.payloadParams.data).to.equal(`${requestV2.data.slice(0, -64)}${padded}`);
    }
  });

  it("are rejected if their asset or market belongs to another currency", async () => {
    for (const [change, reason] of [
      [{ assetIndex: 1 }, "asset 1 of market 0 is not currency 0"],
      [{ assetIndex: 77, fromRouteType: 1 }, "asset 77 of market 1 is not currency 0"],
      [{ fromRouteType: 1 }, "asset 3 of market 1 is not currency 0"],
    ] as const) {
      const body = await signed(withData(change));
      for (const path of [INITIATION, INITIATED, STATUS_V2]) {
        const { status, body: response } = await send(path, body);
        expect(status).to.equal(400);
        expect(response.message).to.match(/^additionalData\.lighter-vm\.assetIndex /u);
        expect(response.message).to.include(reason);
      }
    }
  });

  it("are rejected with malformed data", async () => {
    const at = "body/additionalData/lighter-vm";
    const { memo: _, ...withoutMemo } = bodyV2.additionalData["lighter-vm"];
    for (const [additionalData, message] of [
      [{ "lighter-vm": withoutMemo }, `${at} must have required property 'memo'`],
      [withData({ nonce: -1 }).additionalData, `${at}/nonce must be >= 0`],
      [withData({ usdcFee: 1.5 }).additionalData, `${at}/usdcFee must be integer`],
      [withData({ apiKeyIndex: "x" }).additionalData, `${at}/apiKeyIndex must be integer`],
      [withData({ assetIndex: 2 ** 60 }).additionalData, `${at}/assetIndex must be <= 9007199254740991`],
    ] as const) {
      const body = await signed({ additionalData });
      for (const path of [INITIATION, INITIATED, STATUS_V2]) await expectRejection(send(path, body), message);
    }
    for (const memo of ["zz", `${NONCE}00`]) {
      const body = await signed(withData({ memo }));
      for (const path of [INITIATION, INITIATED, STATUS_V2])
        await expectWord(path, body, "additionalData.lighter-vm.memo");
    }
    const without = await signed({ additionalData: undefined });
    for (const path of [INITIATED, STATUS_V2]) await expectWord(path, without, "additionalData.lighter-vm");
  });

  it("are rejected for recipients that are not accounts", async () => {
    const body = await signed({ recipient: ownerAddress });
    for (const path of [INITIATION, INITIATED, STATUS_V2]) await expectWord(path, body, "recipient");
  });

  it("can be signed with the EVM address of an exchange account", async () => {
    const ofAccount = { ownerChainId: CHAIN, owner: OWNER_ACCOUNT };
    const held = hubAlias(CHAIN, encode(OWNER_ACCOUNT));
    await lighter.network.setHubBalance(held, token, BigInt(AMOUNT));
    const { status, body } = await ask<InitiationV2Attestation>(lighter.oracle, INITIATION, await signed(ofAccount));
    expect(status, JSON.stringify(body)).to.equal(200);
    await expectExecution(body.execution, idOf("relay", `${token}`, body.withdrawalAddress), [
      transferOf(held.toLowerCase() as Hex, body.withdrawalAddress as Hex, token, BigInt(AMOUNT)),
    ]);
    await expectRejection(send(INITIATION, await signed(ofAccount, stranger)), "Invalid signature");
    const unknown = await signed({ ...ofAccount, owner: "1002" });
    await expectRejection(send(INITIATION, unknown), "Lighter account 1002 not found");
  });

  describe("to allocator v3", () => {
    const authorized = async (change: object = {}, by = localAccounts.user) => {
      const body = { ...bodyV3, ...change };
      const { spenderChainId: ownerChainId, spender, receiver: recipient, ...rest } = body;
      return {
        ...body,
        ownerSignature: await signWithdrawal(by, { ...rest, ownerChainId, owner: spender, recipient }),
      };
    };

    it("are signed with the transfer's nonce, API key and fee", async () => {
      const { status, body } = await ask<AuthorizationAttestation>(lighter.oracle, AUTHORIZATION, await authorized());
      expect(status, JSON.stringify(body)).to.equal(200);
      const { signatures, ...message } = body;
      expect(message).to.deep.equal({
        withdrawRequest: { ...requestV3, amount: `${AMOUNT}` },
        allocatorChainId: 31_337,
        allocatorContract: ALLOCATOR_V3,
      });
      const domain = { name: "RelayAllocator", version: "1", chainId: 31_337, verifyingContract: ALLOCATOR_V3 };
      expect(await typedSigners(domain, REQUEST_TYPES, requestV3, signatures)).to.deep.equal([ORACLE_SIGNER]);
      await expectRejection(send(AUTHORIZATION, await authorized({}, stranger)), "Invalid signature");
      const other = { nonce: "43", apiKeyIndex: "5", usdcFee: "3000000" };
      const changed = { ...(await authorized()), additionalData: { "lighter-vm": other } };
      await expectRejection(send(AUTHORIZATION, changed), "Invalid signature");
    });

    it("are signed with text values, even if they contain numbers", async () => {
      const numbers = { additionalData: { "lighter-vm": { nonce: 42, apiKeyIndex: 5, usdcFee: 3_000_000 } } };
      const { status, body } = await ask<AuthorizationAttestation>(lighter.oracle, AUTHORIZATION, {
        ...(await authorized()),
        ...numbers,
      });
      expect([status, body.withdrawRequest.data]).to.deep.equal([200, requestV3.data]);
      await expectRejection(send(AUTHORIZATION, await authorized(numbers)), "Invalid signature");
    });

    it("can be authorized with the EVM address of an exchange account", async () => {
      const ofAccount = { spenderChainId: CHAIN, spender: OWNER_ACCOUNT };
      const { status, body } = await ask<AuthorizationAttestation>(
        lighter.oracle,
        AUTHORIZATION,
        await authorized(ofAccount),
      );
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body.withdrawRequest).to.deep.include({ spenderChainId: CHAIN, spender: encode(OWNER_ACCOUNT) });
    });

    it("have the same hashes as in the allocator", async () => {
      const hash: Hex = `0x${"a1".repeat(32)}`;
      await lighter.newer.set({ functionName: "hashesToSign", args: [requestHash, 0n], result: hash });
      const { body } = await ask<WithdrawRequestAttestation>(lighter.oracle, HASHES, { ...bodyV3, hashIndexes: [0] });
      expect(body.withdrawRequest).to.deep.include({ withdrawRequestHash: requestHash, hashesToSign: [hash] });
      const unset = "Hash to sign not set for withdraw request at index 1";
      await expectRejection(send(HASHES, { ...bodyV3, hashIndexes: [1] }), unset);
    });

    it("are rejected with malformed data", async () => {
      const data = bodyV3.additionalData["lighter-vm"];
      const { nonce: _, ...withoutNonce } = data;
      for (const [stated, word] of [
        [{ ...data, apiKeyIndex: "x" }, "body/additionalData/lighter-vm/apiKeyIndex"],
        [{ ...data, usdcFee: "-1" }, "body/additionalData/lighter-vm/usdcFee"],
        [withoutNonce, "body/additionalData/lighter-vm"],
        [{ ...data, nonce: `${2n ** 64n}` }, "Number"],
        [undefined, "additionalData.lighter-vm"],
      ] as const) {
        const change = { additionalData: stated === undefined ? undefined : { "lighter-vm": stated } };
        const body = { ...(await authorized(change)), hashIndexes: [0] };
        for (const path of [AUTHORIZATION, HASHES, STATUS_V3]) await expectWord(path, body, word);
      }
    });

    it("are rejected for recipients and depositories that are not accounts", async () => {
      await expectWord(STATUS_V3, { ...bodyV3, receiver: ownerAddress }, "receiver");
      const refusal = `Depository 5 is not configured for chain ${CHAIN}`;
      await expectRejection(send(STATUS_V3, { ...bodyV3, depository: "5" }), refusal);
    });
  });

  it("use the currency's hub token for balances", () => {
    expect(token).to.equal(hubTokenId(CHAIN, encode(0)));
    expect(alias).to.equal(hubAlias(SOLVER_CHAIN, ownerAddress).toLowerCase());
  });
});
