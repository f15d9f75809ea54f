import { expect } from "chai";
import fc from "fast-check";

import { toReportHtml } from "../../../../../packages/crosscall/src/replay/report/toReportHtml.ts";
import { failingReport, withForeignText } from "./fixtures.ts";
import { tagsOf } from "./tags.ts";

describe("toReportHtml", () => {
  it("creates one page without external resources or scripts", () => {
    const html = toReportHtml(failingReport());
    expect(html.match(/<(script|link|img|iframe|object|embed|base|form)\b/giu)).to.equal(null);
    expect(html.match(/\b(src|href|action|on[a-z]+)=/giu)).to.equal(null);
    expect([...html.matchAll(/url\(([^)]*)\)/gu)].every(([, target]) => target?.startsWith("#"))).to.equal(true);
    expect(html.match(/https?:/giu)).to.equal(null);
    expect(html).to.contain("default-src 'none'");
  });

  it("closes every tag", () => {
    expect(() => tagsOf(toReportHtml(failingReport()))).not.to.throw();
  });

  it("labels every diagram, and hatches failures in each plot", () => {
    const tags = tagsOf(toReportHtml(failingReport()));
    const count = (tag: string): number => tags.filter((one) => one === tag).length;
    // The diagrams show the flow of funds, one output, and the gas.
    expect(count("svg")).to.equal(3);
    expect(count("desc")).to.equal(3);
    expect(count("pattern")).to.equal(2);
  });

  it("expands the path to the cause, at any depth", () => {
    const html = toReportHtml(failingReport());
    expect(html.match(/class="cause"/gu)).to.have.length(1);
    expect(html.slice(0, html.indexOf('class="cause"')).match(/<details>/gu)).to.equal(null);
  });

  it("creates the same tags for any names of chains and services", () => {
    const expected = tagsOf(toReportHtml(withForeignText("plain")));
    for (const hostile of [
      `</title><script>alert(1)</script>`,
      `"><img src=x onerror=alert(1)>`,
      `'--><!-- & ]]>`,
      `</svg></style><b>`,
      "",
    ]) {
      expect(tagsOf(toReportHtml(withForeignText(hostile))), hostile).to.deep.equal(expected);
    }
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(tagsOf(toReportHtml(withForeignText(text)))).to.deep.equal(expected);
      }),
      { numRuns: 200 },
    );
  });

  it("draws only the first of many transfers, and counts the rest", () => {
    const report = failingReport();
    const transfers = Array.from({ length: 400 }, () => report.transfers.slice(0, 1)).flat();
    const html = toReportHtml({ ...report, transfers });
    expect(html.match(/marker-end/gu)).to.have.length(150);
    expect(html).to.contain("250 more transfers");
  });

  it("supports an envelope with one amount, and a report without transfers", () => {
    const report = failingReport();
    const envelope = { ...report.envelope!, points: report.envelope!.points.slice(0, 1), ranges: [] };
    const html = toReportHtml({ ...report, transfers: [], envelope });
    expect(() => tagsOf(html)).not.to.throw();
    expect(html.match(/NaN|Infinity|undefined/gu)).to.equal(null);
  });

  it("has content below every heading, and no duplicate title", () => {
    for (const report of [failingReport(), { ...failingReport(), balances: [], allowances: [], transfers: [] }]) {
      const html = toReportHtml(report);
      expect(html.match(/<h2>[^<]*<\/h2>\s*<\/section>/gu)).to.equal(null);
      const titles = [...html.matchAll(/<(?:h2|caption)>([^<]*)</gu)].map(([, title]) => title);
      expect(titles).to.deep.equal([...new Set(titles)]);
    }
  });
});
