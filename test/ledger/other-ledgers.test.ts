import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readLedgersBesideFile } from '../../src/ledger/other-ledgers.ts';
import { temporary } from '../support/ledger-places.ts';

it('a file beside a ledger that cannot be read is a problem, unless it does not exist', async () => {
  const folder = temporary();
  const path = join(folder, 'shop.json');
  expect(await readLedgersBesideFile(join(folder, 'missing', 'shop.json'))).toEqual([]);
  writeFileSync(join(folder, 'web.json'), '{}');
  mkdirSync(join(folder, 'folder.json'));
  // What a link to a removed file leaves.
  symlinkSync('removed', join(folder, 'link.json'));
  expect(await readLedgersBesideFile(path)).toEqual([{ place: join(folder, 'web.json'), text: '{}' }]);
  symlinkSync('loop.json', join(folder, 'loop.json'));
  await expect(readLedgersBesideFile(path)).rejects.toMatchObject({
    diagnostics: [
      { code: 'ledger/unreadable', message: expect.stringContaining('loop.json cannot be read') },
    ],
  });
  // A folder that cannot be listed may have ledgers as well.
  await expect(readLedgersBesideFile(join(folder, 'web.json', 'shop.json'))).rejects.toMatchObject({
    diagnostics: [{ code: 'ledger/unreadable' }],
  });
});
