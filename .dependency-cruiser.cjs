// Layers: a folder may import itself and the folders listed for it, never upward.
const SDK = {
  core: [],
  abi: [],
  chains: ["core", "abi"],
  protocol: ["core", "abi", "chains"],
  calls: ["core", "abi", "chains", "protocol"],
  // A client checks what it sends with the rules of calls.
  verify: ["core", "abi", "chains", "protocol", "calls"],
  client: ["core", "abi", "chains", "protocol", "calls", "verify"],
};

const PROGRAM = {
  abi: [],
  store: ["alarm.ts"],
  devchain: ["abi", "artifacts.ts", "guardServer.ts", "localNames.ts", "log.ts", "redactUrl.ts"],
  market: ["abi", "store", "devchain"],
  scenarios: ["abi", "store", "devchain", "market"],
  // The service and the solver never import each other: they meet in the store and the market.
  solver: ["abi", "alarm.ts", "log.ts", "store", "devchain", "market", "scenarios"],
  service: ["abi", "localNames.ts", "log.ts", "version.ts", "store", "devchain", "market", "scenarios"],
  mirror: ["log.ts", "store", "service"],
  oracle: ["guardServer.ts", "localNames.ts", "printable.ts", "version.ts"],
  localnet: [
    "jsonDepth.ts",
    "localNames.ts",
    "log.ts",
    "redactUrl.ts",
    "store",
    "devchain",
    "market",
    "scenarios",
    "solver",
    "service",
    "oracle",
    "console",
  ],
  replay: ["abi", "artifacts.ts", "printable.ts"],
  preflight: ["abi", "replay"],
  console: [
    "abi",
    "localNames.ts",
    "log.ts",
    "store",
    "devchain",
    "market",
    "scenarios",
    "service",
    "replay",
    "preflight",
  ],
  campaign: ["replay", "store"],
  testing: ["abi", "artifacts.ts", "replay", "preflight", "store", "devchain", "localnet"],
};

const layersOf = (root, layers) =>
  Object.entries(layers).map(([folder, allowed]) => ({
    name: `layers-${root}/${folder}`,
    comment: `${root}/${folder} may import ${[folder, ...allowed].join(", ")} of ${root} and no other folder of it.`,
    severity: "error",
    from: { path: `^${root}/${folder}/` },
    to: {
      path: `^(${root}|scripts|test)/`,
      pathNot: `^${root}/(${[folder, ...allowed].map((name) => (name.endsWith(".ts") ? `${name}$` : `${name}/`)).join("|")})`,
    },
  }));

const only = (name, packages, folders) => ({
  name: `only-${name}`,
  comment: `${name} is loaded in ${folders.join(", ")} only.`,
  severity: "error",
  from: { path: "^(src|scripts)/", pathNot: `^(${folders.join("|")})` },
  to: { path: `node_modules/(${packages.join("|")})/` },
});

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-folder-cycles",
      severity: "error",
      scope: "folder",
      from: { path: "^(create-crosscall/src|src|sdk/src|scripts)/" },
      to: { circular: true },
    },
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no-dev-dependencies-in-src",
      severity: "error",
      from: { path: "^(src|sdk/src)/" },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only", "npm-peer"] },
    },
    ...layersOf("sdk/src", SDK),
    ...layersOf("src", PROGRAM),
    {
      name: "sdk-stands-alone",
      comment: "The SDK imports neither the program nor Node.js.",
      severity: "error",
      from: { path: "^sdk/src/" },
      to: { path: ["^(src|scripts|test)/", "^node:"], pathNot: "^node:http$" },
    },
    {
      name: "sdk-types-of-typebox",
      comment: "The SDK makes its schemas with protocol/schema/type.ts, and imports only TypeBox's types.",
      severity: "error",
      from: { path: "^sdk/src/" },
      to: { path: "node_modules/typebox/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "create-stands-alone",
      comment: "npm downloads create-crosscall each time, so it imports nothing of the others.",
      severity: "error",
      from: { path: "^create-crosscall/src/" },
      to: { path: "^(sdk/src|src|scripts|test)/" },
    },
    only("terminal", ["ora", "picocolors"], ["scripts/terminal/(output|spinner)\\.ts"]),
    only("fastify", ["fastify", "@fastify"], ["src/service/", "src/oracle/", "src/console/"]),
    only("hardhat", ["hardhat", "@nomicfoundation"], ["src/replay/fork", "src/devchain/", "src/testing/", "scripts/"]),
    only("database", ["@electric-sql", "kysely", "pg", "pg-boss"], ["src/store/"]),
    only("database-client", ["pg"], ["src/store/databases/"]),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
