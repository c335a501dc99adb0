import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitError } from '../../src/git/git.ts';
import { openRepository } from '../../src/git/repository.ts';
import { Problems } from '../../src/model/diagnostic.ts';
import { initBareRepository } from './init-repository.ts';
import { gitEnv, gitIn } from './ledger-places.ts';

/** A program that leaves a mark where it ran. */
export function marking(folder: string, name: string, mark: string): string {
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `#!/bin/sh\ntouch "${mark}"\nexit 1\n`);
  chmodSync(path, 0o755);
  return path;
}

/** A bare repository made of plain files, as a branch can bring it: whatever git does in it runs a program that leaves the mark. */
export function baited(folder: string, mark: string): void {
  initBareRepository(folder);
  const program = marking(folder, 'program', mark);
  for (const name of ['reference-transaction', 'pre-push', 'post-index-change', 'pre-auto-gc'])
    marking(join(folder, 'hooks'), name, mark);
  // Written as git does it, which would take a process for each.
  const core = ['sshCommand', 'fsmonitor', 'pager', 'editor', 'askPass', 'alternateRefsCommand'];
  writeFileSync(
    join(folder, 'config'),
    `[core]
\trepositoryformatversion = 0
\tbare = false
\tworktree = ${folder}
${core.map((name) => `\t${name} = ${program}\n`).join('')}[credential]
\thelper = ${program}
[gpg]
\tprogram = ${program}
[diff]
\texternal = ${program}
[filter "x"]
\tclean = ${program}
[remote "origin"]
\turl = ssh://git.invalid/x.git
\tuploadpack = ${program}
\treceivepack = ${program}
`,
  );
}

export async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  return error instanceof Problems ? error.diagnostics[0]!.code : (error as GitError | undefined)?.reason;
}

/** All that a run does with the ledger, and what it asks of a file for a secret. */
export async function useAll(folder: string, env: Record<string, string> = gitEnv): Promise<string[]> {
  const documents = gitIn(folder, { env });
  const asking = openRepository(folder, env).then(({ git }) => git(['check-ignore', '--quiet', '--', 'x']));
  const works = [
    documents.read('ledger'),
    documents.journalPath(),
    documents
      .read('lease')
      .then((found) => documents.write('lease', `of ${folder}`, { expected: found?.version })),
    asking,
  ];
  return (await Promise.all(works.map(codeOf))).map((code) => code ?? 'done');
}
/** Nobody ignores `x`, and git says so by failing. */
export const allDone = ['done', 'done', 'done', 'failed'];
