// The arrows of the architecture: a folder may import itself and what stands below it, never upward.
//   core, abi <- chains <- protocol <- calls <- client <- replay, store <- campaign, localnet, oracle, testing <- scripts
const below = {
  core: [],
  abi: [],
  chains: ["core", "abi"],
  protocol: ["core", "abi", "chains"],
  calls: ["core", "abi", "chains", "protocol"],
  // What a client sends is checked by the rules of calls first.
  client: ["core", "abi", "chains", "protocol", "calls"],
  replay: ["core", "abi", "chains", "protocol", "calls", "client"],
  store: ["core", "abi", "chains", "protocol"],
  campaign: ["core", "replay", "store"],
  // The service and the client meet only in the protocol.
  localnet: ["core", "abi", "chains", "protocol", "store", "oracle"],
  oracle: ["core", "abi", "chains", "protocol", "store"],
  testing: ["core", "abi", "chains", "protocol", "calls", "client", "replay", "store", "localnet"],
};

const arrows = Object.entries(below).map(([folder, allowed]) => ({
  name: `arrows-${folder}`,
  comment: `src/${folder} may import ${[folder, ...allowed].join(", ")} of src/ and nothing else of it.`,
  severity: "error",
  from: { path: `^src/${folder}/` },
  to: { path: "^(src|scripts|test)/", pathNot: `^src/(${[folder, ...allowed].join("|")})/` },
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
    { name: "no-unresolved", severity: "error", from: {}, to: { couldNotResolve: true } },
    {
      name: "no-dev-dependencies-in-src",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only", "npm-peer"] },
    },
    ...arrows,
    only("fastify", ["fastify", "@fastify"], ["src/localnet/", "src/oracle/"]),
    only(
      "hardhat",
      ["hardhat", "@nomicfoundation"],
      ["src/replay/fork", "src/localnet/chains/", "src/testing/", "scripts/"],
    ),
    only("database", ["@electric-sql", "kysely", "pg", "pg-boss"], ["src/store/", "src/localnet/", "src/oracle/"]),
    {
      name: "entry-points-load-no-server-code",
      comment: "crosscall, crosscall/calls and crosscall/protocol stay light.",
      severity: "error",
      from: { path: "^src/(index|calls/index|protocol/index)\\.ts$" },
      to: { path: "^src/(store|localnet|oracle|replay|testing)/", reachable: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
