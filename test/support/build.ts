import { execFileSync } from 'node:child_process';

/** Before all tests: the tool as users get it, built from the sources as they are now. */
export default function setup(): void {
  execFileSync(process.execPath, ['build.mjs'], { stdio: 'inherit' });
}
