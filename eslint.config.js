import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  globalIgnores(["artifacts*/", "cache*/", "coverage/", "dist/", "typechain-types/"]),
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "no-restricted-exports": ["error", { restrictDefaultExports: { direct: true, named: true, defaultFrom: true } }],
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/no-import-type-side-effects": "error",
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_", argsIgnorePattern: "^_" }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: true },
      ],
    },
  },
  {
    files: ["src/**/*.ts"],
    ignores: ["src/oracle/main.ts"],
    rules: {
      "no-restricted-properties": ["error", { object: "process", property: "env" }],
      "no-restricted-syntax": [
        "error",
        {
          selector: "ImportDeclaration[source.value='typebox'] > ImportSpecifier[imported.name='Type']",
          message: 'Bundlers keep all of it: write import * as Type from "typebox".',
        },
        {
          selector: "MemberExpression[object.name='Type'][property.name='Record']",
          message: "It brings the whole of TypeBox into the light entry points: use anyFields.",
        },
      ],
    },
  },
  {
    files: ["src/{core,chains,protocol,calls,client}/**/*.ts", "src/index.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group: ["typebox/*"],
              message: "It brings TypeBox's engine into the light entry points: use findMismatch or matchesSchema.",
            },
          ],
        },
      ],
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: { "@typescript-eslint/no-unused-expressions": "off", "@typescript-eslint/no-non-null-assertion": "off" },
  },
  {
    files: ["**/hardhat*.config.ts"],
    rules: { "no-restricted-exports": "off" },
  },
  {
    files: ["**/*.mjs", "**/*.js", "**/*.cjs"],
    languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly" } },
  },
);
