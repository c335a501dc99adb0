import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let made: string | undefined;

/** The `.git` of a repository in which there is nothing yet, made once for all tests of a process. */
function template(): string {
  if (made !== undefined) return made;
  const folder = mkdtempSync(join(tmpdir(), 'trueup-empty-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', '--template=', folder]);
  made = join(folder, '.git');
  // Each commit and push would start processes that look for garbage.
  appendFileSync(
    join(made, 'config'),
    '[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n',
  );
  return made;
}

/** What `git init` does in a folder, by a copy: a process costs more. */
export function initRepository(folder: string): void {
  cpSync(template(), join(folder, '.git'), { recursive: true });
}

/** The same of `git init --bare`. */
export function initBareRepository(folder: string): void {
  cpSync(template(), folder, { recursive: true });
  const config = join(folder, 'config');
  writeFileSync(config, readFileSync(config, 'utf8').replace('bare = false', 'bare = true'));
}
