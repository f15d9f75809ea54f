import { expect } from "chai";
import { zeroAddress } from "viem";

import { expectLive } from "../support/complete.ts";
import { get, post } from "./support/serviceCalls.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { etherRequest } from "./support/requests.ts";

// Error codes that depend on the service's state. rejections.test.ts and the tests of each kind of request cover
// invalid input.
describe("quote restrictions", () => {
  const network = useNetwork();

  const admin = () => ({ "x-admin-key": network.adminKey });
  const restrict = (body: object) => post(network, "/admin/restrictions", body, admin());
  const request = () => etherRequest(network);
  const route = () => ({ originChainId: network.chains[0].id, destinationChainId: network.chains[1].id });

  const cases: Record<string, [restrictions: () => object, field: string]> = {
    CHAIN_DISABLED: [() => ({ disabledChains: [network.chains[1].id] }), "destinationChainId"],
    SANCTIONED_WALLET_ADDRESS: [() => ({ sanctionedWallets: [network.accounts.user.address.toLowerCase()] }), "user"],
    SANCTIONED_CURRENCY: [
      () => ({ sanctionedCurrencies: [network.chains[1].contracts.dollar] }),
      "destinationCurrency",
    ],
    UNSUPPORTED_CURRENCY: [() => ({ unsupportedCurrencies: [zeroAddress] }), "originCurrency"],
    ROUTE_TEMPORARILY_RESTRICTED: [() => ({ restrictedRoutes: [route()] }), "destinationChainId"],
    NO_QUOTES: [() => ({ unquotedRoutes: [route()] }), "destinationChainId"],
  };
  for (const [errorCode, [restrictions, field]] of Object.entries(cases)) {
    it(`cause ${errorCode}, with the field's name, until they are removed`, async () => {
      expect((await restrict(restrictions())).status).to.equal(200);
      const { status, body } = await post(network, "/quote/v2", request());
      expect(status).to.equal(400);
      expect(body).to.include({ errorCode, field });
      expect(body).to.have.all.keys("message", "errorCode", "errorData", "field", "hint");
      expectLive("POST /quote/v2 400", body);
      await restrict({});
      expect((await post(network, "/quote/v2", request())).status).to.equal(200);
    });
  }

  it("mark a disabled chain in the list of chains", async () => {
    await restrict({ disabledChains: [network.chains[1].id] });
    const { body } = await get(network, "/chains");
    const { chains } = body as { chains: { id: number; disabled: boolean }[] };
    expect(chains.filter(({ disabled }) => disabled).map(({ id }) => id)).to.deep.equal([network.chains[1].id]);
    await restrict({});
  });

  it("replace earlier restrictions, and can be read", async () => {
    await restrict({ disabledChains: [network.chains[1].id] });
    const restrictions = { unquotedRoutes: [route()] };
    await restrict(restrictions);
    expect(await get(network, "/admin/restrictions", admin())).to.deep.equal({ status: 200, body: restrictions });
    await restrict({});
    expect((await get(network, "/admin/restrictions", admin())).body).to.deep.equal({});
  });

  for (const name of ["a\0b", "\ud800"]) {
    it(`cannot have a field named ${JSON.stringify(name)}`, async () => {
      const { status, body } = await restrict({ deeper: { [name]: true } });
      expect(status).to.equal(400);
      expect(body).to.include({ errorCode: "INVALID_REQUEST", field: "deeper" });
    });
  }

  it("can be read and set only by an admin", async () => {
    expect((await get(network, "/admin/restrictions")).status).to.equal(401);
    expect((await post(network, "/admin/restrictions", {})).status).to.equal(401);
  });
});
