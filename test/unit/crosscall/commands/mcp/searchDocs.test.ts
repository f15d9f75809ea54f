import { expect } from "chai";

import {
  createDocsSearch,
  readDocs,
  sectionsOf,
} from "../../../../../packages/crosscall/src/commands/mcp/searchDocs.ts";
import { QUESTIONS } from "../../../../support/docsQuestions.ts";

const REFUNDS = sectionsOf(
  "refunds.md",
  `# Refunds

When a fill fails, the user gets the input back.

\`\`\`sh
# not a heading
\`\`\`

## Who pays the \`gas\`

The solver pays for a refund.
`,
);

const FEES = sectionsOf(
  "fees.md",
  "# Fees\n\n| fee | who pays |\n| --- | -------- |\n| gas | the solver, except for a refund |\n",
);

describe("the search of the documentation", () => {
  it("divides a page at its headings, but not in code", () => {
    expect(REFUNDS.map(({ page, title, heading }) => [page, title, heading])).to.deep.equal([
      ["refunds.md", "Refunds", "Refunds"],
      ["refunds.md", "Refunds", "Who pays the gas"],
    ]);
    expect(REFUNDS[0]?.text).to.include("# not a heading");
  });

  it("ranks titles and headings before text, and sections with all words first", () => {
    const placesOf = (query: string) => createDocsSearch([...FEES, ...REFUNDS])(query).map(({ heading }) => heading);
    expect(placesOf("refund")).to.deep.equal(["Refunds", "Who pays the gas", "Fees"]);
    expect(placesOf("who pays gas")[0]).to.equal("Who pays the gas");
    expect(placesOf("nothing like it")).to.deep.equal([]);
  });

  it("shows the text around the words, without the lines of tables", () => {
    expect(createDocsSearch(FEES)("solver")).to.deep.equal([
      { page: "fees.md", heading: "Fees", excerpt: "| fee | who pays | | gas | the solver, except for a refund |" },
    ]);
    const [long] = sectionsOf("long.md", `# Long\n\n${"before ".repeat(100)}needle${" after".repeat(100)}\n`);
    const [match] = createDocsSearch(long === undefined ? [] : [long])("needle");
    expect(match?.excerpt).to.match(/^….*needle.*…$/u);
    expect(match?.excerpt.length).to.be.below(250);
  });

  it("answers each question of the site's test with the first result", async () => {
    const search = createDocsSearch(await readDocs());
    const missed = QUESTIONS.filter(([question, answer]) => search(question)[0]?.page !== `${answer}.md`);
    expect(missed).to.deep.equal([]);
  });
});
