import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Before all tests: the tool as users get it, built from the sources as they are now. */
export default function setup(): void {
  if (isBuilt()) return;
  try {
    execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' });
  } catch {
    // It has said why; to throw would only hide that behind a stack.
    console.error('No test was run: the build failed.');
    process.exit(1);
  }
}

/** Whether what is in `dist` is newer than all that it is made of: `npm ci` builds it as well. */
function isBuilt(): boolean {
  const built = statSync('dist/plan.schema.json', { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = ['src', 'providers', 'build'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return [...sources, 'build.mjs', 'docs/troubleshooting.md', 'package.json', 'package-lock.json'].every(
    (source) => statSync(source).mtimeMs < built,
  );
}
