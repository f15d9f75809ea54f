// Packages and layers: each imports itself and what is listed for it, never upward.
const PACKAGES = {
  protocol: [],
  sdk: ["protocol"],
  oracle: ["protocol"],
  crosscall: ["protocol", "sdk", "oracle"],
  // npm downloads it each time.
  "create-crosscall": [],
};

const PROTOCOL = {
  core: [],
  abi: [],
  encoding: ["core"],
  chains: ["core", "encoding", "abi"],
};

const SDK = {
  calls: [],
  // A client checks what it sends with the rules of calls.
  verify: ["calls"],
  client: ["calls", "verify"],
  execute: ["calls", "verify", "client"],
};

const LOCALNET = {
  store: ["alarm.ts"],
  devchain: ["log.ts", "readBody.ts", "redactUrl.ts"],
  market: ["store", "devchain"],
  scenarios: ["store", "devchain", "market"],
  // The service and the solver never import each other: they meet in the store and the market.
  solver: ["alarm.ts", "log.ts", "store", "devchain", "market", "scenarios"],
  service: ["log.ts", "store", "devchain", "market", "scenarios"],
  console: ["log.ts", "store", "devchain", "market", "scenarios", "service"],
};

const CROSSCALL = {
  abi: [],
  replay: ["abi", "artifacts.ts"],
  localnet: ["abi", "artifacts.ts", "replay"],
  mirror: ["localnet"],
  campaign: ["replay", "localnet"],
  testing: ["abi", "artifacts.ts", "replay", "localnet"],
  terminal: ["artifacts.ts", "localnet"],
  options: ["terminal", "localnet"],
  admin: ["options", "terminal", "localnet"],
};

const escaped = (path) => path.replaceAll(".", "\\.");

/** @param outer what all folders of the root may import besides, as paths */
const layersOf = (root, layers, outer = []) =>
  Object.entries(layers).map(([folder, allowed]) => ({
    name: `layers-${root}/${folder}`,
    comment: `${folder} of ${root} may import ${[folder, ...allowed].join(", ")} of it and no other folder.`,
    severity: "error",
    from: { path: `^${root}/${folder}/` },
    to: {
      path: "^(packages/[^/]+/src|scripts|test|tools)/",
      pathNot: `^(${[
        ...[folder, ...allowed].map((name) => `${root}/${name.endsWith(".ts") ? `${escaped(name)}$` : `${name}/`}`),
        ...outer,
      ].join("|")})`,
    },
  }));

const only = (name, packages, folders) => ({
  name: `only-${name}`,
  comment: `${name} is loaded in ${folders.join(", ")} only.`,
  severity: "error",
  from: { path: "^packages/(oracle|crosscall)/", pathNot: `^packages/(${folders.join("|")})` },
  to: { path: `node_modules/(${packages.join("|")})/` },
});

const below = (folders) => folders.map((folder) => `packages/${folder}/src/`);

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-folder-cycles",
      severity: "error",
      scope: "folder",
      from: { path: "^packages/[^/]+/src/" },
      to: { circular: true },
    },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no-dev-dependencies-in-packages",
      severity: "error",
      from: { path: "^packages/[^/]+/src/" },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only", "npm-peer"] },
    },
    ...Object.entries(PACKAGES).map(([name, allowed]) => ({
      name: `package-${name}`,
      comment: `${name} may import ${[name, ...allowed].join(", ")} and no other package of the kit.`,
      severity: "error",
      from: { path: `^packages/${name}/src/` },
      to: {
        path: "^(packages|scripts|test|tools)/",
        pathNot: `^packages/(${[name, ...allowed].join("|")})/`,
      },
    })),
    {
      name: "runs-anywhere",
      comment: "The protocol and the SDK import nothing of Node.js but a type.",
      severity: "error",
      from: { path: "^packages/(protocol|sdk)/src/" },
      to: { path: "^node:", pathNot: "^node:http$" },
    },
    {
      name: "types-of-typebox",
      comment: "Schemas are made with schema/type.ts of the protocol, from TypeBox's types only.",
      severity: "error",
      from: { path: "^packages/(protocol|sdk)/src/" },
      to: { path: "node_modules/typebox/", dependencyTypesNot: ["type-only"] },
    },
    ...layersOf("packages/protocol/src", PROTOCOL),
    ...layersOf("packages/sdk/src", SDK, below(["protocol"])),
    ...layersOf("packages/crosscall/src/localnet", LOCALNET, [
      ...below(["protocol", "sdk", "oracle"]),
      ...["abi/", "artifacts\\.ts$", "replay/"].map((path) => `packages/crosscall/src/${path}`),
    ]),
    ...layersOf("packages/crosscall/src", CROSSCALL, below(["protocol", "sdk", "oracle"])),
    only("terminal", ["yocto-spinner", "picocolors"], ["crosscall/src/terminal/(output|spinner)\\.ts"]),
    only(
      "fastify",
      ["fastify", "@fastify"],
      ["oracle/src/", "crosscall/src/localnet/(service|console|ledgers/solana)/"],
    ),
    only("litesvm", ["litesvm", "@solana"], ["crosscall/src/localnet/ledgers/solana/"]),
    only(
      "hardhat",
      ["hardhat", "@nomicfoundation"],
      ["crosscall/src/(replay/fork|localnet/devchain|testing|hardhat|commands|options|terminal)"],
    ),
    only("database", ["@electric-sql", "kysely", "pg", "pg-boss"], ["crosscall/src/localnet/store/"]),
    only("database-client", ["pg"], ["crosscall/src/localnet/store/databases/"]),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
