import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileDocuments } from '../../src/ledger/file-documents.ts';
import { createLedgerStore } from '../../src/ledger/ledger-store.ts';
import { signText } from '../../src/ledger/proof.ts';
import { rebuildOwnershipIndex, updateOwnershipIndex } from '../../src/ledger/write-ownership-index.ts';
import { type LedgerKey, ledgerKeyFrom } from '../../src/model/digest.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import { summarizeClaims } from '../../src/plan/summarize-claims.ts';
import { openOtherStacks } from '../../src/run/other-stacks.ts';
import { here } from '../support/here.ts';
import { temporary } from '../support/ledger-places.ts';
import { tinyKinds, tinyLedger } from '../support/tiny.ts';

/*
 * What whoever can write the store of a ledger may do with its ownership index: nothing hides the claim of a stack from the plan of another one.
 */

const key = ledgerKeyFrom('a key for tests, long enough');
const otherKey = ledgerKeyFrom('another key for tests, long enough');
const summarize = (entries: Ledger['entries']) => summarizeClaims(entries, tinyKinds);

/** A folder with the ledgers of `shop`, which owns a box, and of 30 stacks that own nothing near it. */
class Folder {
  readonly path = temporary();
  readonly documentsOf = (stack: string) =>
    fileDocuments(join(this.path, `${stack}.json`), { ...here, cwd: this.path });

  async write(
    stack: string,
    boxes: string[],
    by: LedgerKey = key,
    account: Partial<Ledger> = {},
  ): Promise<void> {
    const store = createLedgerStore(this.documentsOf(stack), { key: by });
    const before = await store.read();
    const { entries } = tinyLedger(Object.fromEntries(boxes.map((box) => [`boxes/${box}`, {}])));
    await store.write({ ...tinyLedger({}), ...before, stack, entries, ...account }, { trusted: true });
  }

  build = (by: LedgerKey = key) => rebuildOwnershipIndex(this.documentsOf('shop').ownership!, summarize, by);
  update = (stack: string, by: LedgerKey = key) =>
    updateOwnershipIndex(this.documentsOf(stack).ownership!, summarize, by);

  /** The paths of all shards. */
  shards(by: LedgerKey = key): string[] {
    const folder = join(this.path, '.ownership', by.id);
    return readdirSync(folder).map((name) => join(folder, name));
  }

  /** Returns the stacks that a plan of `own` finds to have claims near a box, and the number of ledgers that it read. */
  async findOwners(box: string): Promise<{ owners: string[]; readCount: number }> {
    const documents = this.documentsOf('own');
    const others = openOtherStacks({ documents, ledger: { ...tinyLedger({}), stack: 'own' }, key });
    const { stacks } = await others.readConcerned(() => ({ names: new Set([`box ${box}`]), ids: new Set() }));
    const owners = stacks.flatMap(({ stack, entries }) => (entries[`boxes/${box}`] ? [stack] : []));
    return { owners, readCount: stacks.length };
  }
}

async function indexedFolder(): Promise<Folder> {
  const folder = new Folder();
  await folder.write('shop', ['site']);
  for (let stack = 0; stack < 30; stack++) await folder.write(`other${stack}`, [`other${stack}`]);
  await folder.build();
  return folder;
}

describe('the ownership index of a store', () => {
  test('An ownership index that is altered, missing or out of date makes a plan read more ledgers, and hides no claim.', async () => {
    const folder = await indexedFolder();
    // A name can be found by chance: it has two bytes.
    expect(await folder.findOwners('site')).toMatchObject({ owners: ['shop'] });
    expect((await folder.findOwners('site')).readCount).toBeLessThan(4);
    const texts = new Map(folder.shards().map((path) => [path, readFileSync(path, 'utf8')]));
    const restore = () => texts.forEach((text, path) => void writeFileSync(path, text));
    const changes: Record<string, (text: string, path: string) => void> = {
      'a byte of the records': (text, path) => writeFileSync(path, text.replace(/(": "\w)(\w)/, '$1A')),
      'without records': (text, path) =>
        writeFileSync(path, text.replace(/"accounts": \{[^}]*\}/, '"accounts": {}')),
      'without a signature': (text, path) => writeFileSync(path, text.replace(/,\n {2}"signature".*/, '')),
      'no JSON': (text, path) => writeFileSync(path, `<<<<<<< HEAD\n${text}`),
      missing: (_, path) => rmSync(path),
      'another shard': (_, path) =>
        writeFileSync(path, texts.get([...texts.keys()].find((other) => other !== path)!)!),
    };
    for (const [name, change] of Object.entries(changes)) {
      for (const [path, text] of texts) change(text, path);
      const found = await folder.findOwners('site');
      expect([name, found.owners, found.readCount > 25], name).toEqual([name, ['shop'], true]);
      restore();
    }
    // Reading a pipe would wait for its writer.
    for (const path of texts.keys()) rmSync(path);
    execFileSync('mkfifo', [...texts.keys()]);
    expect((await folder.findOwners('site')).owners).toEqual(['shop']);
    for (const path of texts.keys()) rmSync(path);
    restore();
    // Out of date: the shards are those from before `other3` got the box, and from before `shop` lost it.
    await folder.write('other3', ['site']);
    await folder.update('other3');
    expect((await folder.findOwners('site')).owners).toEqual(['other3', 'shop']);
    restore();
    expect((await folder.findOwners('site')).owners).toEqual(['other3', 'shop']);
    await folder.write('shop', []);
    await folder.update('shop');
    restore();
    expect((await folder.findOwners('site')).owners).toEqual(['other3']);
  });

  test('An ownership index of another account, store or key says nothing about a ledger.', async () => {
    const folder = await indexedFolder();
    // The same stacks of another account, with a signed index, in a store of their own.
    const foreign = new Folder();
    await foreign.write('shop', [], key, { owner: 'another' });
    for (let stack = 0; stack < 30; stack++)
      await foreign.write(`other${stack}`, [], key, { owner: 'another' });
    await foreign.build();
    cpSync(join(foreign.path, '.ownership'), join(folder.path, '.ownership'), { recursive: true });
    expect(await folder.findOwners('site')).toEqual({ owners: ['shop'], readCount: 31 });
    // Of another key: beside ours, under its name and under ours.
    await folder.build();
    await folder.build(otherKey);
    expect((await folder.findOwners('site')).owners).toEqual(['shop']);
    cpSync(join(folder.path, '.ownership', otherKey.id), join(folder.path, '.ownership', key.id), {
      recursive: true,
    });
    expect(await folder.findOwners('site')).toEqual({ owners: ['shop'], readCount: 31 });
    // A shard that somebody made without a key, or of a text that the key signed for another use.
    for (const path of folder.shards()) {
      const name = path.slice(-6, -5);
      const text = `${JSON.stringify({ formatVersion: 1, shard: name, accounts: {} }, null, 2)}\n`;
      writeFileSync(path, signText(text, key, 'ledger'));
    }
    expect(await folder.findOwners('site')).toEqual({ owners: ['shop'], readCount: 31 });
  });

  test('A ledger that was copied into a store, or written by an older version or with another key, is read although the index lacks it.', async () => {
    const folder = await indexedFolder();
    const ledger = JSON.parse(readFileSync(join(folder.path, 'shop.json'), 'utf8')) as Ledger & {
      signature?: string;
    };
    delete ledger.signature;
    writeFileSync(
      join(folder.path, 'unsigned.json'),
      JSON.stringify({ ...ledger, stack: 'unsigned' }, null, 2),
    );
    cpSync(join(folder.path, 'shop.json'), join(folder.path, 'backup.json'));
    await folder.write('stranger', ['site'], otherKey);
    await folder.write('other5', ['site'], otherKey);
    await folder.update('other5', otherKey);
    await folder.write('other6', ['site']);
    expect((await folder.findOwners('site')).owners).toEqual([
      ...['other5', 'other6', 'shop', 'shop', 'stranger', 'unsigned'],
    ]);
    // Building the index again covers only those that the key signed.
    expect(await folder.build()).toMatchObject({ covered: { count: 31 }, uncovered: { length: 3 } });
    expect((await folder.findOwners('site')).owners).toHaveLength(6);
  });
});
