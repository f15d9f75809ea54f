#!/usr/bin/env node
import { enableCompileCache } from "node:module";

// Keeps compiled code for the next start, in the folder that Node.js chooses or NODE_COMPILE_CACHE names.
enableCompileCache();
const { runProgram } = await import("./program.ts");

process.exitCode = await runProgram(process.argv);
