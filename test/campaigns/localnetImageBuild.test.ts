import { execFile } from "node:child_process";
import { request as httpRequest } from "node:http";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect } from "chai";

import { type ImageBuilder, openImageBuilder, whyNoBuilder } from "../support/imageBuild.ts";
import { OTHER_ADDRESS } from "../support/otherAddress.ts";
import { until } from "../support/until.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);

describe("a build of the local network's image", () => {
  let builder: ImageBuilder | undefined;

  before(async function skipWithoutBuilder() {
    const reason = await whyNoBuilder();
    if (reason !== undefined) {
      console.log(`  The local network's image is not built: ${reason}.`);
      this.skip();
    }
    console.log(
      "  Skipped: the base image itself (this machine's programs stand in), and docker/localnet/compose.yaml.",
    );
    builder = await openImageBuilder();
    await run(process.execPath, ["tools/packages/build.ts"], { cwd: ROOT });
  });
  after(() => builder?.close());

  it("produces an image that becomes healthy, fills a request, is reachable by name, and stops on SIGTERM", async () => {
    const image = await builder?.build("docker/localnet/Dockerfile", "crosscall-localnet", {
      programs: ["find", "chmod", "ln", "install"],
    });
    if (image === undefined) throw new Error("no builder");
    const { User, WorkingDir, StopSignal, Volumes = {}, ExposedPorts = {}, Healthcheck, Cmd } = image.config;
    expect([User, WorkingDir, StopSignal, Cmd]).to.deep.equal(["node", "/data", "SIGTERM", ["--like-mainnet"]]);
    expect(Object.keys(Volumes)).to.deep.equal(["/data"]);
    expect(Object.keys(ExposedPorts)).to.deep.equal(["3000/tcp", "8545-8550/tcp"]);

    const port = await freePort();
    const chains = ["--like-mainnet", "--chains", "base,arbitrum", "--block-time", "0"];
    const ports = ["--port", String(port), "--rpc-port", "0"];
    const network = await image.start([...chains, ...ports, "--database", "db", "--json"]);
    const { url, chains: started } = JSON.parse(network.firstLine) as {
      readonly url: string;
      readonly chains: readonly { readonly rpcUrl: string }[];
    };
    expect(url).to.equal(`http://127.0.0.1:${port}`);
    const check = Healthcheck.Test.slice(1).map((part) => part.replace("127.0.0.1:3000", `127.0.0.1:${port}`));
    await until(() =>
      image.run(...check).then(
        () => true,
        () => false,
      ),
    );
    // Finds the local network through the working directory.
    expect(await image.run("crosscall", "status")).to.include(url);
    const { stdout } = await run("examples/bash/transfer.sh", {
      cwd: ROOT,
      env: { ...process.env, CROSSCALL_API_URL: url },
    });
    expect(stdout).to.match(/^quoted \d[\d.]+ USDC\ndeposit 0x[\da-f]{64}\nsuccess 0x[\da-f]{64}\n$/u);
    for (const target of [`${url}/chains`, ...started.map(({ rpcUrl }) => rpcUrl)]) {
      expect(await statusElsewhere(target, "localnet"), target).to.not.equal(403);
      expect(await statusElsewhere(target, "evil.test"), target).to.equal(403);
    }
    expect(await network.stop()).to.deep.equal([0, null]);
  });
});

/** Calls a port on this machine through a non-loopback address, as other containers do. */
function statusElsewhere(url: string, host: string): Promise<number | undefined> {
  const { port, pathname } = new URL(url);
  return new Promise((resolve, reject) => {
    httpRequest({ host: OTHER_ADDRESS, port, path: pathname, headers: { host } }, (response) =>
      resolve(response.resume().statusCode),
    )
      .once("error", reject)
      .end();
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
