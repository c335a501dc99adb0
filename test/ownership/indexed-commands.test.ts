import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileDocuments } from '../../src/ledger/file-documents.ts';
import { findKey } from '../../src/ledger/key.ts';
import { openOwnershipIndex } from '../../src/ledger/open-ownership-index.ts';
import { Shell } from '../support/cli.ts';
import { here } from '../support/here.ts';
import { keyText } from '../support/keys.ts';

/** A stack with an ownership index. `uncovered` returns the ledgers that a plan of a third stack would have to read. */
async function indexedStack() {
  const shell = new Shell();
  await shell.withTwin();
  shell.env.TRUEUP_LEDGER_KEY = keyText();
  await shell.write({
    'web.yaml':
      'stack: web\nplatform: { team: acme }\nprojects: { site: { env: { A: one, B: two, C: three } } }\n',
  });
  const ok = async (...args: string[]) => {
    const ran = await shell.run(args);
    expect(ran.status, ran.all).toBe(0);
  };
  await ok('apply', '--auto-approve', '--settle', '0', '-f', 'web.yaml');
  await ok('ledger', 'index', '-f', 'web.yaml');
  const folder = join(shell.folder, '.trueup/ledger');
  const { baseUrl, owner } = JSON.parse(readFileSync(join(folder, 'web.json'), 'utf8'));
  const uncovered = async () => {
    const { ownership } = fileDocuments(join(folder, 'third.json'), here);
    const key = (await findKey('', shell.env))!;
    return (await openOwnershipIndex(ownership!, { baseUrl, owner, stack: 'third' }, key))?.uncovered;
  };
  return { shell, ok, uncovered };
}

it('commands that write a ledger renew its record in the ownership index', async () => {
  const { shell, ok, uncovered } = await indexedStack();
  const there = ['-f', 'web.yaml', '--ledger', '.trueup/ledger/moved.json'];
  expect(await uncovered()).toEqual([]);
  await ok('ledger', 'forget', 'projects/site/env/C@preview', '-f', 'web.yaml');
  expect(await uncovered()).toEqual([]);
  await ok('ledger', 'move', 'projects/site/env/A@*', '--to', 'growth', '-f', 'web.yaml');
  expect(await uncovered()).toEqual([]);
  await ok('ledger', 'rename', 'growth', 'blog');
  expect(await uncovered()).toEqual([]);
  await ok('ledger', 'retire', 'blog', '--force');
  expect(await uncovered()).toEqual([]);
  await ok('ledger', 'copy', '.trueup/ledger/web.json', '.trueup/ledger/moved.json', '-f', 'web.yaml');
  expect(await uncovered()).toEqual([]);
  // Each key has an index of its own.
  shell.env.TRUEUP_LEDGER_KEY_PREVIOUS = keyText();
  shell.env.TRUEUP_LEDGER_KEY = keyText('next');
  await ok('ledger', 'index', ...there);
  await ok('ledger', 'sign', ...there);
  expect(await uncovered()).not.toContain('moved.json');
});
