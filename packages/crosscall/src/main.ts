#!/usr/bin/env node
import { enableCompileCache } from "node:module";

// Caches compiled code for the next start, in the folder from NODE_COMPILE_CACHE or in Node's default folder.
enableCompileCache();
const { runProgram } = await import("./program.ts");

process.exitCode = await runProgram(process.argv);
