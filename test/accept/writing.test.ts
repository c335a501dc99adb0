import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeAllOrNone } from '../../src/files/write-files.ts';
import { Shell } from '../support/cli.ts';
import { initRepository } from '../support/init-repository.ts';
import { temporary } from '../support/ledger-places.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { gitIn } from './repository.ts';

const story = oneStoryIn(3);

const head = 'stack: shop\nplatform: { personal: true }\nprojects:\n';
const files = {
  'trueup/a.yaml': `${head}  web: { framework: nextjs }\n`,
  'trueup/b.yaml': 'projects:\n  api: { framework: nextjs }\n',
};

/** Two files, of which both are to change. */
async function changed() {
  const shell = await new Shell().write(files);
  initRepository(shell.folder);
  const twin = await shell.withTwin();
  const done = await shell.run(['apply', '--auto-approve']);
  expect(done, done.all).toMatchObject({ status: 0 });
  for (const project of twin.account.projects) project.framework = 'astro';
  const text = (name: string) => readFileSync(join(shell.folder, name), 'utf8');
  return { shell, text };
}

story('a file that git does not know is written as any other', async () => {
  const { shell, text } = await changed();
  gitIn(shell.folder, 'add', 'trueup/a.yaml');
  const ran = await shell.run(['accept', '--all', '--auto-approve']);
  expect(ran, ran.all).toMatchObject({ status: 0 });
  for (const [name, before] of Object.entries(files))
    expect(text(name)).toBe(before.replace('nextjs', 'astro'));
  expect(gitIn(shell.folder, 'status', '--porcelain', 'trueup')).toContain('?? trueup/b.yaml');
});

it('a read-only file is not written, nor is any other; that is so for root, too', async () => {
  const { shell, text } = await changed();
  chmodSync(join(shell.folder, 'trueup/b.yaml'), 0o444);
  const ran = await shell.run(['accept', '--all', '--auto-approve']);
  expect(ran).toMatchObject({ status: 1 });
  expect(ran.stderr).toContain('trueup/b.yaml cannot be written');
  expect(ran.stderr).toContain('nothing was written');
  for (const [name, before] of Object.entries(files)) expect(text(name)).toBe(before);
});

/** Files of one line each, which are to say `new`. */
function pair() {
  const folder = temporary();
  return ['a', 'b'].map((name) => {
    const path = join(folder, name);
    writeFileSync(path, 'old');
    return { path, name, before: 'old', after: 'new' };
  });
}

const fails =
  (when: (path: string, content: string) => boolean) => async (path: string, content: string | Buffer) => {
    if (when(path, String(content))) throw new Error('no space left');
    writeFileSync(path, content);
  };

it('where the second file cannot be written, the first one is as it was', async () => {
  const two = pair();
  const ran = writeAllOrNone(
    two,
    fails((path) => path.endsWith('b')),
  );
  await expect(ran).rejects.toMatchObject({
    diagnostics: [{ message: 'b cannot be written: no space left', hint: 'all files are as they were' }],
  });
  for (const { path } of two) expect(readFileSync(path, 'utf8')).toBe('old');
});

it('where the first file cannot be brought back either, it is named', async () => {
  const two = pair();
  const ran = writeAllOrNone(
    two,
    fails((path, content) => path.endsWith('b') || content === 'old'),
  );
  await expect(ran).rejects.toMatchObject({
    diagnostics: [{ hint: expect.stringMatching(/^a was already written and cannot be restored/) }],
  });
  expect(readFileSync(two[0]!.path, 'utf8')).toBe('new');
});
