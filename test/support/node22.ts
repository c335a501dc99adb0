import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const installed = resolve('node_modules/.cache/linters/node/node_modules/node/bin/node');

/** A Node.js that the fleet runs on: this one, or that of npm's package `node`; undefined where there is none. */
export const node22 = (): string | undefined => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) return process.execPath;
  return existsSync(installed) ? installed : undefined;
};

/** Why the tests that need it are skipped. */
export const withoutNode22 =
  'skipped: there is no Node.js 22.12 or newer (npm install --prefix node_modules/.cache/linters/node node@22)';
