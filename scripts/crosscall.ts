#!/usr/bin/env node
import { enableCompileCache } from "node:module";

// Compiled code is kept for the next start, in the folder that Node chooses or NODE_COMPILE_CACHE names.
enableCompileCache();
const { runProgram } = await import("./program.ts");

process.exitCode = await runProgram(process.argv);
