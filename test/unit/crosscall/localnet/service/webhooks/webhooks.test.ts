import { expect } from "chai";

import { createSecretBox } from "../../../../../../packages/crosscall/src/localnet/service/webhooks/secretBox.ts";
import { findHeaderProblem } from "../../../../../../packages/crosscall/src/localnet/service/webhooks/sendWebhook.ts";
import {
  checkWebhookOptions,
  retryDelayMs,
} from "../../../../../../packages/crosscall/src/localnet/service/webhooks/settings.ts";
import {
  type HostAddress,
  resolveTarget,
  TargetRejection,
} from "../../../../../../packages/crosscall/src/localnet/service/webhooks/target.ts";
import { failureOf } from "../../../../../integration/support/failureOf.ts";
import { refusal } from "../../../../../support/rejection.ts";

describe("retryDelayMs", () => {
  it("doubles the first wait for ten retries, then stops", () => {
    const delays = Array.from({ length: 12 }, (_, index) => retryDelayMs(index + 1, 1_000));
    expect(delays).to.deep.equal([
      ...[1, 2, 4, 8, 16, 32, 64, 128, 256, 512].map((seconds) => seconds * 1_000),
      undefined,
      undefined,
    ]);
    expect(retryDelayMs(10, 0)).to.equal(0);
  });
});

describe("createSecretBox", () => {
  let fresh = 0;
  const secretBox = createSecretBox("secret", () => new Uint8Array(32).fill((fresh += 1)));

  it("encrypts a secret and decrypts it for the same context", () => {
    const sealed = secretBox.seal("the key ✓", "a");
    expect(secretBox.open(sealed, "a")).to.equal("the key ✓");
    expect(Buffer.from(sealed, "base64").includes("the key")).to.equal(false);
    expect(secretBox.seal("the key ✓", "a")).to.not.equal(sealed);
  });

  it("rejects another secret, another context, and altered text", () => {
    const sealed = secretBox.seal("the key", "a");
    const bytes = Buffer.from(sealed, "base64");
    bytes[bytes.length - 1]! ^= 1;
    const other = createSecretBox("other", () => new Uint8Array(32));
    expect([
      other.open(sealed, "a"),
      secretBox.open(sealed, "b"),
      secretBox.open(bytes.toString("base64"), "a"),
      secretBox.open("", "a"),
      secretBox.open(sealed.slice(0, 20), "a"),
    ]).to.deep.equal(Array(5).fill(undefined));
  });
});

describe("findHeaderProblem", () => {
  const problems: Record<string, [Record<string, string>, string | undefined]> = {
    "ordinary ones": [{ authorization: "Bearer x", "X-Tenant": "7" }, undefined],
    "one of the service": [{ "X-Signature-SHA256": "0" }, "X-Signature-SHA256"],
    "the length": [{ "content-length": "0" }, "content-length"],
    "the host": [{ Host: "other" }, "Host"],
    "one twice": [{ a: "1", A: "2" }, "A"],
    "a line end": [{ a: "1\r\nb: 2" }, "a"],
    "an invalid name": [{ "a b": "1" }, "a b"],
    "no name": [{ "": "1" }, ""],
    "too many": [Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`h${index}`, ""])), ""],
    "too long a one": [{ a: "x".repeat(8_192) }, ""],
  };
  for (const [name, [headers, problem]] of Object.entries(problems)) {
    it(`${problem === undefined ? "accepts" : "rejects"} ${name}`, () => {
      expect(findHeaderProblem(headers)?.name).to.equal(problem);
    });
  }
});

describe("resolveTarget", () => {
  const address = (text: string): HostAddress => ({ address: text, family: text.includes(":") ? 6 : 4 });
  const resolve = (url: string, allowHosts: readonly string[] = [], ...addresses: string[]) =>
    resolveTarget(url, {
      allowHosts: checkWebhookOptions({ allowHosts }).policy.allowHosts,
      resolve: () => Promise.resolve(addresses.map(address)),
    });

  const taken: [url: string, allowHosts: string[], addresses: string[], to: string][] = [
    ["http://127.0.0.1:9/hook?x=1", [], [], "127.0.0.1"],
    ["http://127.9.9.9/", [], [], "127.9.9.9"],
    ["http://2130706433/", [], [], "127.0.0.1"],
    ["http://0x7f.1/", [], [], "127.0.0.1"],
    ["https://[::1]/", [], [], "::1"],
    ["http://localhost/", [], ["127.0.0.1", "::1"], "127.0.0.1"],
    ["https://hooks.example.com/", ["Hooks.Example.com"], ["93.184.216.34"], "93.184.216.34"],
    ["https://hooks.example.com./", ["hooks.example.com"], ["93.184.216.34"], "93.184.216.34"],
    ["http://receiver:3001/", ["receiver"], ["172.18.0.3"], "172.18.0.3"],
    ["http://10.0.0.5/", ["10.0.0.5"], [], "10.0.0.5"],
    ["http://[fd00::5]/", ["[fd00::5]"], [], "fd00::5"],
  ];
  for (const [url, allowHosts, addresses, to] of taken) {
    it(`allows ${url}`, async () => {
      expect((await resolve(url, allowHosts, ...addresses)).address).to.deep.equal(address(to));
    });
  }

  const refused: [url: string, allowHosts: string[], addresses: string[]][] = [
    ["ftp://127.0.0.1/", [], []],
    ["127.0.0.1", [], []],
    ["http://", [], []],
    [`http://127.0.0.1/${"x".repeat(2_048)}`, [], []],
    ["http://user:secret@127.0.0.1/", [], []],
    ["http://127.0.0.1/#part", [], []],
    ["http://10.0.0.5/", [], []],
    ["http://0.0.0.0/", [], []],
    ["http://0/", ["0.0.0.0"], []],
    ["http://[::]/", ["[::]"], []],
    ["http://169.254.169.254/", ["169.254.169.254"], []],
    ["http://2852039166/", ["169.254.169.254"], []],
    ["http://[::ffff:169.254.169.254]/", ["[::ffff:a9fe:a9fe]"], []],
    ["http://[64:ff9b::a9fe:a9fe]/", ["64:ff9b::a9fe:a9fe"], []],
    ["http://[fe80::1]/", ["fe80::1"], []],
    ["http://[fd00:ec2::254]/", ["fd00:ec2::254"], []],
    ["http://224.0.0.1/", ["224.0.0.1"], []],
    ["http://255.255.255.255/", ["255.255.255.255"], []],
    // Host name that resolves to loopback and another address.
    ["http://rebind.example/", [], ["127.0.0.1", "10.0.0.5"]],
    ["http://rebind.example/", [], ["93.184.216.34"]],
    ["http://rebind.example/", ["rebind.example"], ["93.184.216.34", "169.254.169.254"]],
    ["http://rebind.example/", ["rebind.example"], []],
  ];
  for (const [url, allowHosts, addresses] of refused) {
    it(`blocks ${url.slice(0, 60)} at ${addresses.join(", ")} with ${allowHosts.join(", ") || "none"} allowed`, async () => {
      expect(await failureOf(resolve(url, allowHosts, ...addresses))).to.be.instanceOf(TargetRejection);
    });
  }

  it("blocks a name that cannot be resolved", async () => {
    const failing = { allowHosts: new Set<string>(), resolve: () => Promise.reject(new Error("ENOTFOUND")) };
    expect(await failureOf(resolveTarget("http://nowhere.example/", failing))).to.be.instanceOf(TargetRejection);
  });
});

describe("checkWebhookOptions", () => {
  it("rejects invalid hosts and wait times", () => {
    for (const host of ["http://a", "a:80", "a/b", "a b", "", "u@a"]) {
      expect(refusal(() => checkWebhookOptions({ allowHosts: [host] }))).to.include({ field: "webhooks.allowHosts" });
    }
    expect(refusal(() => checkWebhookOptions({ timeoutMs: 0 }))).to.include({ field: "webhooks.timeoutMs" });
    expect(refusal(() => checkWebhookOptions({ firstRetryMs: -1 }))).to.include({ field: "webhooks.firstRetryMs" });
  });
});
