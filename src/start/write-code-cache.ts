// Part of the build: `node write-code-cache.cjs DIST ARGS...` runs the program with these arguments, and keeps in DIST what V8
// made of it, and of it in earlier such runs.
import v8 from 'node:v8';
import type { Script } from 'node:vm';
import { codeCache, writeCodeCache } from './code-cache.ts';
import { loadParts } from './load-parts.ts';

const [, , folder, ...args] = process.argv as [string, string, string, ...string[]];
const scripts = new Map<string, Script>();
process.argv = [process.execPath, 'trueup', ...args];
// The program would have V8 make code that fits to other flags than it is loaded with.
v8.setFlagsFromString = () => {};
process.on('exit', () => writeCodeCache(folder, scripts));
loadParts({
  folder,
  cached: codeCache(folder) ?? (() => undefined),
  onScript: (part, script) => scripts.set(part, script),
})('program.cjs');
