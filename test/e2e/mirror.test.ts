import { join } from "node:path";

import { expect } from "chai";
import { zeroAddress } from "viem";

import { getQuote, listRequests } from "../support/complete.ts";
import { createServiceClient } from "../../packages/sdk/src/index.ts";
import { runCrosscall, startCrosscall } from "../support/programs.ts";
import { until } from "../support/until.ts";
import { etherRequest } from "../integration/support/requests.ts";
import { useFolder } from "../support/useFolder.ts";
import { useNetwork } from "../support/useNetwork.ts";

describe("crosscall mirror", () => {
  const network = useNetwork();
  const folder = useFolder();
  const environment = () => ({ CROSSCALL_API_URL: network.url, CROSSCALL_API_KEY: network.apiKey });
  const client = (baseUrl: string) => createServiceClient({ baseUrl, apiKey: network.apiKey });

  before(() => quote());

  const quote = () => getQuote(client(network.url), etherRequest(network, { destinationCurrency: zeroAddress }));

  it("mirrors, serves, follows changes, and stops on Ctrl-C", async () => {
    const args = ["mirror", "--database", folder, "--serve", "0", "--every", "1", "--json"];
    const running = startCrosscall(args, { env: environment() });
    const { ok, records, url } = JSON.parse(await running.firstLine()) as { ok: boolean; records: number; url: string };
    expect({ ok, records }).to.deep.equal({ ok: true, records: 1 });
    const quoted = await quote();
    const id = quoted.steps[0]?.requestId ?? "";
    const isMirrored = async () => (await listRequests(client(url), { id })).requests.length > 0;
    await until(isMirrored, { what: "the mirror of the new request" });
    expect((await listRequests(client(url))).requests).to.deep.equal(
      (await listRequests(client(network.url))).requests,
    );
    running.child.kill("SIGINT");
    expect(await running.finished).to.deep.include({ exitCode: 0, stderr: "" });
  });

  it("shows its progress and a summary", async () => {
    const { exitCode, stdout, stderr } = await runCrosscall(["mirror", "--database", join(folder, "two")], {
      env: environment(),
    });
    expect({ exitCode, stdout }).to.deep.equal({ exitCode: 0, stdout: "2 records\n" });
    expect(stderr).to.include(`Mirror the requests of ${network.url}`);
  });

  it("rejects invalid options before opening the database", async () => {
    const refused = async (args: readonly string[], env: Record<string, string>) => {
      const { exitCode, stdout } = await runCrosscall(["mirror", "--json", ...args], { env });
      return { exitCode, ...(JSON.parse(stdout) as { error: { code: string; field: string } }).error };
    };
    const { CROSSCALL_API_URL } = environment();
    for (const [args, env, field] of [
      [[], environment(), "--database"],
      [["--database", folder, "--database-url", "postgres://a@127.0.0.1/b"], environment(), "--database"],
      [["--database", folder], { CROSSCALL_API_URL }, "--api-key"],
      [["--database", folder], {}, "--api-url"],
    ] as const) {
      expect(await refused(args, env)).to.include({ exitCode: 1, code: "INVALID_INPUT", field });
    }
  });
});
