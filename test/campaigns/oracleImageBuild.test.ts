import { expect } from "chai";

import { attestStatement, ORACLE_ENV } from "../support/attestStatement.ts";
import { type ImageBuilder, openImageBuilder, whyNoBuilder } from "../support/imageBuild.ts";

describe("the build of the oracle's image", () => {
  let builder: ImageBuilder | undefined;

  before(async function skipWithoutBuilder() {
    const reason = await whyNoBuilder();
    if (reason !== undefined) {
      console.log(`  The oracle image is not built: ${reason}.`);
      this.skip();
    }
    builder = await openImageBuilder();
  });
  after(() => builder?.close());

  it("produces an image that attests, and stops on SIGTERM", async () => {
    const image = await builder?.build("docker/oracle/Dockerfile", "crosscall-oracle", {
      programs: ["find"],
      env: ORACLE_ENV,
    });
    if (image === undefined) throw new Error("no builder");
    const { User, WorkingDir, StopSignal, Healthcheck } = image.config;
    expect([User, WorkingDir, StopSignal]).to.deep.equal(["node", "/app", "SIGTERM"]);
    expect(Healthcheck.Test.slice(0, 3)).to.deep.equal(["CMD", "node", "-e"]);

    const oracle = await image.start();
    const { port } = JSON.parse(oracle.firstLine) as { port: number };
    expect(await attestStatement(`http://127.0.0.1:${port}`)).to.equal(200);
    const [, ...check] = Healthcheck.Test;
    await image.run("env", `HTTP_PORT=${port}`, ...check);
    expect(await oracle.stop()).to.deep.equal([0, null]);
  });
});
