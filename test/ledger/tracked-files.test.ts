import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { refuseTrackedFiles } from '../../src/ledger/file-documents.ts';

it('refuses a tracked key in a folder of the work tree whose name begins with two dots', async () => {
  const root = mkdtempSync(join(tmpdir(), 'trueup-tracked-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const key = join(root, '..secrets/key');
  mkdirSync(join(root, '..secrets'));
  writeFileSync(key, '');
  execFileSync('git', ['-C', root, 'init', '--quiet']);
  const check = () => refuseTrackedFiles([key, join(root, '..')], root, process.env);
  await check();
  execFileSync('git', ['-C', root, 'add', '.']);
  await expect(check()).rejects.toMatchObject({ diagnostics: [{ code: 'ledger/tracked' }] });
});
