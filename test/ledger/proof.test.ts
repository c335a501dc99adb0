import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { fileDocuments } from '../../src/ledger/file-documents.ts';
import { openJournal } from '../../src/ledger/journal.ts';
import { createLedgerStore } from '../../src/ledger/ledger-store.ts';
import { isVerified, type Proof, verifyText } from '../../src/ledger/proof.ts';
import { Problems } from '../../src/model/diagnostic.ts';
import { ledgerKeyFrom } from '../../src/model/digest.ts';
import type { Ledger } from '../../src/model/ledger.ts';
import { plan } from '../../src/plan/plan.ts';
import { here } from '../support/here.ts';
import { runs } from '../support/sweep.ts';
import { tinyKinds, tinyLedger, tinyLive } from '../support/tiny.ts';

const key = ledgerKeyFrom('the key in use');
const other = ledgerKeyFrom('another key');

/** A ledger that is kept in a file, and who wrote it by the word of a key. */
async function kept(
  entries: Parameters<typeof tinyLedger>[0] = { 'boxes/a': { colour: 'red' }, 'boxes/b': {} },
) {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-proof-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [path, journalPath] = [join(folder, 'ledger.json'), join(folder, 'journal')];
  const open = (by: typeof key | null = key) =>
    createLedgerStore(fileDocuments(path, here), {
      key: by ?? undefined,
      journal: openJournal(journalPath, by ?? undefined),
    });
  const ledger = await open().write(tinyLedger(entries));
  return {
    ledger,
    open,
    journalPath,
    text: () => readFileSync(path, 'utf8'),
    put: (text: string) => writeFileSync(path, text),
  };
}

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof Problems) return error.diagnostics[0]!.code;
    throw error;
  }
  return undefined;
};

it('a ledger is verified by the key that signed it, in use or previous, and by no other', async () => {
  const { open, text } = await kept();
  const proofBy = (by: typeof key | undefined): Proof => verifyText(text(), by, 'it');
  expect(proofBy(key)).toEqual({ by: key.id });
  expect(proofBy({ ...other, previous: key })).toEqual({ by: key.id, previous: true });
  expect(proofBy(other)).toMatchObject({ doubt: 'other-key', key: key.id });
  // A weak key of before may have any id; it verifies nothing.
  expect(proofBy({ ...other, previous: { id: key.id, secret: key.secret } })).toMatchObject({
    doubt: 'other-key',
  });
  expect(proofBy(undefined)).toMatchObject({ doubt: 'no-key', key: key.id });
  const store = open(other);
  const held = (await store.read())!;
  expect(codeOf(store.requireVerified)).toBe('ledger/other-key');
  await expect(store.write(held)).rejects.toBeInstanceOf(Problems);
  await expect(open(null).write(held)).rejects.toMatchObject({ diagnostics: [{ code: 'key/missing' }] });
});

it('no byte of it can be another one', async () => {
  const { text } = await kept();
  const whole = text();
  let tried = 0;
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.string({ maxLength: 2 }), fc.nat(2), (at, put, cut) => {
      const forged = whole.slice(0, at) + put + whole.slice(at + cut);
      if (forged === whole) return;
      tried++;
      expect(isVerified(verifyText(forged, key, 'it')), forged).toBe(false);
    }),
    { numRuns: runs(500) },
  );
  console.log(`a ledger with other bytes: ${tried} of ${tried} not verified`);
  for (const forged of [`${whole}\n`, ` ${whole}`, whole.replaceAll('\n', '\r\n'), whole + whole])
    expect(isVerified(verifyText(forged, key, 'it'))).toBe(false);
});

it('a signature is good for its own ledger only', async () => {
  const [one, two] = [await kept(), await kept({ 'boxes/c': {} })];
  const signature = /,\n {2}"signature": .*/s;
  const moved = two.text().replace(signature, () => signature.exec(one.text())![0]);
  expect(verifyText(moved, key, 'it')).toMatchObject({ doubt: 'altered' });
  const twice = two.text().replace(signature, (all) => all.replace(/\n\}\n$/, all));
  expect(isVerified(verifyText(twice, key, 'it'))).toBe(false);
});

it('journal lines cannot be made, changed, left out, moved or taken from another journal', async () => {
  const { ledger, open, journalPath } = await kept();
  const entry = ledger.entries['boxes/a']!;
  const journal = openJournal(journalPath, key);
  await journal.start(ledger);
  for (const name of ['boxes/c', 'boxes/d', 'boxes/e'])
    await journal.append({ ...ledger, entries: { ...ledger.entries, [name]: entry } }, [name]);
  await journal.close();
  const lines = readFileSync(journalPath, 'utf8').split('\n').slice(0, -1);
  const proofWith = async (all: string[], by: typeof key | null = key) => {
    writeFileSync(journalPath, `${all.join('\n')}\n`);
    const store = open(by);
    await store.read();
    return store.proof()!;
  };
  expect(await proofWith(lines)).toEqual({ by: key.id });
  // As after a crash.
  expect(await proofWith(lines.slice(0, 3))).toEqual({ by: key.id });
  expect(await proofWith(lines, null)).toMatchObject({ doubt: 'no-key' });
  const [head, first, second, third] = lines as [string, string, string, string];
  const forgeries = {
    'another id': [head, first.replace('"id of boxes/a"', '"stranger"'), second, third],
    'one left out': [head, first, third],
    'in another order': [head, second, first, third],
    'one twice': [head, first, first, second],
    'a line of nobody': [...lines, first.replace(/,"mac".*/, '}')],
    'another head': [head.replace('"stack":"tiny"', '"stack":"tiny" '), first],
    'a head without a key': [head.replace(/,"key":"\w+"/, ''), first],
    'a head with another key': [head.replace(key.id, other.id), first],
  };
  for (const [name, all] of Object.entries(forgeries))
    expect([name, isVerified(await proofWith(all))]).toEqual([name, false]);
});

it('an entry of a ledger that is not verified leads to no deletion; without a key it is shown', () => {
  const known = tinyLedger({ 'boxes/a': {}, 'boxes/a/items/i': {}, 'boxes/a/items/j': { shape: 'round' } });
  const live = tinyLive({ 'boxes/a': {}, 'boxes/a/items/i': {}, 'boxes/a/items/j': { shape: 'round' } });
  const declared = (address: string, kind: string, fields: object, meta = {}) =>
    [
      address,
      {
        address,
        kind,
        ...(kind === 'item' ? { parent: 'boxes/a' } : {}),
        fields: { name: address.split('/').at(-1)!, ...fields },
        meta,
        index: 0,
        at: { file: 'tiny.yaml', line: 1, column: 1 },
      },
    ] as const;
  const planWith = (unverified?: string) =>
    plan({
      desired: {
        stack: 'tiny',
        resources: new Map([
          declared('boxes/a', 'box', {}),
          declared('boxes/a/items/j', 'item', { shape: 'square' }, { replace: 'allow' }),
        ]),
        inputs: [],
        folders: [],
      },
      live,
      ledger: known,
      kinds: tinyKinds,
      secrets: new Map(),
      facts: {},
      now: 0,
      options: { maxDeletions: 1000, containersToDelete: [] },
      ...(unverified === undefined ? {} : { unverifiedReason: unverified }),
    });
  const gone = ({ changes }: ReturnType<typeof plan>) =>
    changes.filter(({ action }) => action === 'delete' || action === 'replace').map(({ address }) => address);
  expect(gone(planWith())).toEqual(['boxes/a/items/i', 'boxes/a/items/j']);
  const careful = planWith('the ledger is not signed');
  expect([gone(careful), careful.operations]).toEqual([[], []]);
  expect(careful.diagnostics.map(({ code, address }) => [code, address])).toEqual([
    ['ledger/left-alone', 'boxes/a/items/i'],
    ['ledger/left-alone', 'boxes/a/items/j'],
  ]);
  expect(careful.diagnostics[0]!.message).toContain('the ledger is not signed');
});

it('the previous signer’s ledger is written under the new key', async () => {
  const { open, ledger } = await kept();
  const rotating = { ...other, previous: key };
  const store = open(rotating);
  const held = (await store.read())!;
  await store.write({ ...held, entries: {} } satisfies Ledger);
  expect(store.proof()).toEqual({ by: other.id });
  const after = open(other);
  await after.read();
  expect(after.proof()).toEqual({ by: other.id });
  expect(held.generation).toBe(ledger.generation);
});
