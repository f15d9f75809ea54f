import { expect } from "chai";
import fc from "fast-check";
import * as Type from "typebox";
import { Value } from "typebox/value";

import {
  CALL_RULES,
  type CallFinding,
  type FindingCode,
  formatFindings,
} from "../../../../../packages/sdk/src/calls/index.ts";

const findings: CallFinding[] = [
  { code: "INVALID_REQUEST", severity: "error", index: undefined, reason: "user is wrong", hint: "Correct it." },
  { code: "ALLOWANCE_LEFT", severity: "warning", index: 2, reason: "it stays", hint: "Reset it." },
];

/** Parts of SARIF 2.1.0 (OASIS, sections 3.13 to 3.33) that the log uses, with their requirements. */
const Text = Type.Object({ text: Type.String({ minLength: 1 }) }, { additionalProperties: false });
const Level = Type.Union([Type.Literal("error"), Type.Literal("warning"), Type.Literal("note")]);
const SarifSchema = Type.Object(
  {
    $schema: Type.String({ pattern: "^https://" }),
    version: Type.Literal("2.1.0"),
    runs: Type.Array(
      Type.Object(
        {
          tool: Type.Object(
            {
              driver: Type.Object(
                {
                  name: Type.String({ minLength: 1 }),
                  rules: Type.Array(
                    Type.Object(
                      {
                        id: Type.String({ minLength: 1 }),
                        shortDescription: Text,
                        help: Text,
                        defaultConfiguration: Type.Object({ level: Level }, { additionalProperties: false }),
                      },
                      { additionalProperties: false },
                    ),
                    { uniqueItems: true },
                  ),
                },
                { additionalProperties: false },
              ),
            },
            { additionalProperties: false },
          ),
          results: Type.Array(
            Type.Object(
              {
                ruleId: Type.String(),
                ruleIndex: Type.Integer({ minimum: 0 }),
                level: Level,
                message: Text,
                locations: Type.Array(
                  Type.Object(
                    {
                      physicalLocation: Type.Optional(
                        Type.Object(
                          {
                            artifactLocation: Type.Object(
                              { uri: Type.String({ pattern: "^[A-Za-z0-9._~%/-]+$" }) },
                              { additionalProperties: false },
                            ),
                          },
                          { additionalProperties: false },
                        ),
                      ),
                      logicalLocations: Type.Array(
                        Type.Object({ fullyQualifiedName: Type.String() }, { additionalProperties: false }),
                        { minItems: 1, uniqueItems: true },
                      ),
                    },
                    { additionalProperties: false },
                  ),
                ),
              },
              { additionalProperties: false },
            ),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 1 },
    ),
  },
  { additionalProperties: false },
);

function parseSarif(text: string): Type.Static<typeof SarifSchema>["runs"][number] {
  const log: unknown = JSON.parse(text);
  expect([...Value.Errors(SarifSchema, log)]).to.deep.equal([]);
  return (log as Type.Static<typeof SarifSchema>).runs[0]!;
}

describe("formatFindings", () => {
  it("writes text with one line per finding, and the counts", () => {
    expect(formatFindings(findings)).to.equal(
      [
        "error INVALID_REQUEST request: user is wrong",
        "  Correct it.",
        "warning ALLOWANCE_LEFT txs[2]: it stays",
        "  Reset it.",
        "1 error, 1 warning, 0 notes",
      ].join("\n"),
    );
    expect(formatFindings([])).to.equal("0 errors, 0 warnings, 0 notes");
  });

  it("writes JSON with the counts, and null in place of the request", () => {
    expect(JSON.parse(formatFindings(findings, { format: "json" }))).to.deep.equal({
      counts: { error: 1, warning: 1, note: 0 },
      findings: [{ ...findings[0], index: null }, findings[1]],
    });
  });

  it("writes SARIF with every rule, and each finding at its call", () => {
    const { tool, results } = parseSarif(formatFindings(findings, { format: "sarif" }));
    const { rules } = tool.driver;
    expect(rules.map(({ id }) => id)).to.deep.equal(Object.keys(CALL_RULES));
    expect(results.map(({ ruleId, ruleIndex }) => [ruleId, rules[ruleIndex]?.id])).to.deep.equal([
      ["INVALID_REQUEST", "INVALID_REQUEST"],
      ["ALLOWANCE_LEFT", "ALLOWANCE_LEFT"],
    ]);
    expect(results.map(({ level, locations }) => [level, locations])).to.deep.equal([
      ["error", [{ logicalLocations: [{ fullyQualifiedName: "request" }] }]],
      ["warning", [{ logicalLocations: [{ fullyQualifiedName: "txs[2]" }] }]],
    ]);
  });

  it("writes the path of the plan's file as SARIF requires", () => {
    const { results } = parseSarif(formatFindings(findings, { format: "sarif", planFile: "my plans\\plan#1.json" }));
    for (const { locations } of results) {
      expect(locations[0]?.physicalLocation?.artifactLocation.uri).to.equal("my%20plans/plan%231.json");
    }
  });

  it("keeps every detail of a finding in JSON and SARIF", () => {
    const finding = fc.record({
      code: fc.constantFrom(...(Object.keys(CALL_RULES) as FindingCode[])),
      severity: fc.constantFrom("error", "warning", "note"),
      index: fc.option(fc.nat(), { nil: undefined }),
      reason: fc.string({ minLength: 1, unit: "binary" }),
      hint: fc.string({ minLength: 1 }),
    });
    fc.assert(
      fc.property(fc.array(finding), (many) => {
        const json = JSON.parse(formatFindings(many, { format: "json" })) as { findings: unknown };
        expect(json.findings).to.deep.equal(many.map((each) => ({ ...each, index: each.index ?? null })));
        const { results } = parseSarif(formatFindings(many, { format: "sarif" }));
        expect(
          results.map(({ ruleId, level, message, locations }) => [
            ruleId,
            level,
            message.text,
            locations[0]?.logicalLocations[0]?.fullyQualifiedName,
          ]),
        ).to.deep.equal(
          many.map(({ code, severity, index, reason, hint }) => [
            code,
            severity,
            `${reason}. ${hint}`,
            index === undefined ? "request" : `txs[${index}]`,
          ]),
        );
      }),
      { seed: 1 },
    );
  });
});
