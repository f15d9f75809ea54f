import { expect } from "chai";

import { brokenLinks, publishLinks, type Repository } from "../../../../tools/packages/readmeLinks.ts";

const FILES: Readonly<Record<string, string | null>> = {
  "docs/guide.md": "# Guide\n\n## Compose `txs`, then check\n\n## Compose `txs`, then check\n",
  "docs/decisions": null,
  "docs/a.png": "",
  LICENSE: "",
};

const REPOSITORY: Repository = {
  url: "https://example.com/owner/name",
  revision: "v1.2.3",
  read: (path) => FILES[path],
};

describe("the links in a published README", () => {
  it("lead to the files, folders and images in the released revision", () => {
    const markdown = [
      "[guide](../docs/guide.md), [again](../docs/guide.md#compose-txs-then-check-1), [folder](/docs/decisions)",
      '![plot](../docs/a.png) <img alt="x" src="../docs/a.png"> [![plot](../docs/a.png)](../LICENSE)',
      '<a href="../LICENSE">license</a>',
      "[label]: ../LICENSE",
    ];
    expect(publishLinks(markdown.join("\n"), "sdk", REPOSITORY).split("\n")).to.deep.equal([
      "[guide](https://example.com/owner/name/blob/v1.2.3/docs/guide.md), " +
        "[again](https://example.com/owner/name/blob/v1.2.3/docs/guide.md#compose-txs-then-check-1), " +
        "[folder](https://example.com/owner/name/tree/v1.2.3/docs/decisions)",
      "![plot](https://example.com/owner/name/raw/v1.2.3/docs/a.png) " +
        '<img alt="x" src="https://example.com/owner/name/raw/v1.2.3/docs/a.png"> ' +
        "[![plot](https://example.com/owner/name/raw/v1.2.3/docs/a.png)](https://example.com/owner/name/blob/v1.2.3/LICENSE)",
      '<a href="https://example.com/owner/name/blob/v1.2.3/LICENSE">license</a>',
      "[label]: https://example.com/owner/name/blob/v1.2.3/LICENSE",
    ]);
  });

  it("become plain text while there is no public repository", () => {
    const markdown = "[guide](../docs/guide.md), [a](https://a.example), [b](#b)\n\n```md\n[d](docs/guide.md)\n```\n";
    const unpublished = { ...REPOSITORY, url: undefined };
    expect(publishLinks(markdown, "sdk", unpublished)).to.equal(markdown.replace("[guide](../docs/guide.md)", "guide"));
    expect(() => publishLinks("[x](docs/none.md)", ".", unpublished)).to.throw("docs/none.md");
  });

  it("are unchanged if they are absolute, lead to a heading of the page, or are code", () => {
    const markdown =
      "[a](https://a.example) [b](mailto:a@a.example) [c](#c)\n\n```md\n[d](docs/guide.md)\n```\n[e](//e.example)\n";
    expect(publishLinks(markdown, ".", REPOSITORY)).to.equal(markdown);
  });

  it("must exist, with their headings", () => {
    for (const link of ["docs/none.md", "docs/guide.md#none", "../../docs/guide.md", "docs/decisions#none"]) {
      expect(() => publishLinks(`[x](${link})`, ".", REPOSITORY), link).to.throw();
    }
  });

  it("are broken if they are relative, or lead to a heading that does not exist", () => {
    const markdown =
      "# Use `it` in *your* code\n\n```sh\n# no-heading\n```\n\n" +
      "[a](#use-it-in-your-code) [b](#no-heading) [c](docs/guide.md) [d](https://d.example) ![e](e.png)\n";
    expect(brokenLinks(markdown)).to.deep.equal(["#no-heading", "docs/guide.md", "e.png"]);
  });
});
