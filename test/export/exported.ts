import { expect } from 'vitest';
import { toExportedFiles } from '../../src/export/export-files.ts';
import { exportLive } from '../../src/export/export-live.ts';
import { createAddressMatcher } from '../../src/model/glob.ts';
import { emptyLedger } from '../../src/model/ledger.ts';
import { observe } from '../../src/observe/observe.ts';
import { kinds, type World } from '../support/world.ts';

/** The account of a world as configuration; `targets`: only these and what they need. */
export async function exported(world: World, targets?: string[]) {
  const nothing = { stack: '', resources: new Map(), inputs: [], folders: [] };
  const live = await observe(nothing, emptyLedger('', '', ''), kinds, world.connection.send, {
    facts: (await world.connection.owner()).facts,
    key: world.key,
    also: () => true,
  });
  const chosen = targets ? { isChosen: createAddressMatcher(targets) } : {};
  const found = exportLive({ live, kinds, ...chosen });
  // With rules for files, an export is written once more when the names of secrets are known. That must make no difference.
  const noFile = { file: 'none.yaml', appliesTo: () => false };
  const written = exportLive({ live, kinds, ...chosen, files: [noFile] });
  expect(found).toEqual(written);
  const platform = { team: world.twin.account.teams[0]!.slug };
  const [file] = toExportedFiles(found, { stack: 'test', platform, isSplit: false });
  return { ...found, yaml: file!.text };
}
