import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

import { expect } from "chai";

import { resumeCommand } from "../../../../../packages/crosscall/src/commands/send/run.ts";

describe("resumeCommand", () => {
  it("contains absolute paths, and every option that changes the execution", () => {
    const command = resumeCommand({
      file: "quotes/quote.json",
      journal: "/journal",
      keyFile: "key.txt",
      maxAge: 0,
      quoteVersion: "v3",
      toleranceBps: 50,
      gasless: true,
      timeout: 3,
    });
    expect(command).to.equal(
      `crosscall send ${resolve("quotes/quote.json")} --journal /journal --key-file ${resolve("key.txt")} --max-age 0 --quote-version v3 --tolerance-bps 50 --timeout 3 --gasless --yes`,
    );
  });

  it("is parsed by a shell into the same arguments", () => {
    const [file, journal] = ["/a b/it's $HOME;.json", "/`j`\n"];
    const command = resumeCommand({ file, journal }).replace("crosscall send", "printf '%s\\0'");
    expect(execFileSync("sh", ["-c", command], { encoding: "utf8" }).split("\0")).to.deep.equal([
      file,
      "--journal",
      journal,
      "--yes",
      "",
    ]);
  });
});
