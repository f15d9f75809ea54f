// Preloaded with --import: prints the packages that a program loaded, as the last line of standard error.
import { registerHooks } from "node:module";

const packages = new Set();
registerHooks({
  load(url, context, next) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//u.exec(url) ?? [];
    if (name !== undefined) packages.add(name);
    return next(url, context);
  },
});
process.on("exit", () => process.stderr.write(`\n${JSON.stringify([...packages].toSorted())}\n`));
