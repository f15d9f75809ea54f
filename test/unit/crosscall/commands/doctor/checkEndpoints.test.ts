import { expect } from "chai";

import { checkEndpoints } from "../../../../../packages/crosscall/src/commands/doctor/checkService.ts";
import { type EndpointGeneration, ENDPOINTS } from "../../../../../packages/protocol/src/generations/endpoints.ts";
import { useService } from "../../../sdk/client/service.ts";

describe("a service's endpoints", () => {
  const service = useService();
  const check = () => checkEndpoints(service.url, new AbortController().signal);

  /** Returns the headers that the service is expected to send. */
  const headersOf = ({ deprecatedSince, endsOn }: EndpointGeneration): Record<string, string> => ({
    ...(deprecatedSince === undefined ? {} : { deprecation: `@${Date.parse(deprecatedSince) / 1_000}` }),
    ...(endsOn === undefined ? {} : { sunset: new Date(endsOn).toUTCString() }),
  });
  const answerWith = (changed: Readonly<Record<string, Record<string, string>>>) => {
    service.answers = ({ url = "" }) => {
      const endpoint = ENDPOINTS.find(({ path }) => path === url);
      return { status: 400, json: {}, headers: changed[url] ?? (endpoint === undefined ? {} : headersOf(endpoint)) };
    };
  };

  it("match the registry if they announce the same dates, or no dates", async () => {
    answerWith({});
    expect((await check()).state).to.equal("ok");
    expect(service.calls.map(({ method, url }) => `${method} ${url}`).toSorted()).to.deep.equal(
      ENDPOINTS.map(({ method, path }) => `${method} ${path}`).toSorted(),
    );
    service.answers = () => ({ json: {} });
    expect((await check()).state).to.equal("ok");
  });

  it("are reported if one of their end dates differs", async () => {
    answerWith({ "/quote": { sunset: "Wed, 24 Feb 2027 00:00:00 GMT" } });
    expect(await check()).to.include({
      state: "warning",
      seen: "POST /quote ends on 2027-02-24T00:00:00.000Z, not 2027-02-23T00:00:00.000Z",
    });
  });

  it("are reported if the newest version is deprecated or has an end date", async () => {
    answerWith({
      "/requests/v3": { deprecation: "@1800000000" },
      "/quote/v3": { sunset: "Wed, 24 Feb 2027 00:00:00 GMT" },
    });
    expect(await check()).to.include({
      state: "warning",
      seen: "POST /quote/v3 ends on 2027-02-24T00:00:00.000Z, not at a known time; GET /requests/v3 is deprecated",
    });
  });
});
