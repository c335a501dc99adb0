import { hash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileDocuments } from '../../src/ledger/file-documents.ts';
import { createKeyFile, createKeyText, findKey, parseRandomBytes } from '../../src/ledger/key.ts';
import { createLedgerStore } from '../../src/ledger/ledger-store.ts';
import { parseLedger } from '../../src/ledger/parse-ledger.ts';
import { Problems } from '../../src/model/diagnostic.ts';
import {
  findDigestKey,
  findSigningKey,
  ledgerKeyFrom,
  legacyKeyFrom,
  signatureOf,
} from '../../src/model/digest.ts';
import { emptyLedger, type Ledger } from '../../src/model/ledger.ts';
import { here } from '../support/here.ts';
import { keyText } from '../support/keys.ts';
import { newWorld } from '../support/scene.ts';
import { runs } from '../support/sweep.ts';
import { tinyLedger } from '../support/tiny.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'trueup-ledger-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

async function problemsOf(work: () => unknown): Promise<string[]> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Problems) return error.diagnostics.map(({ code }) => code);
    throw error;
  }
  return [];
}

const fileStore = (path: string) => createLedgerStore(fileDocuments(path, here), { key, now: () => 0 });

const key = ledgerKeyFrom('a key for tests, long enough');

const example: Ledger = tinyLedger({
  'boxes/b': { colour: 'red' },
  'boxes/a': {},
  'boxes/a/items/i': { uses: ['boxes/b'] },
});

describe('reading a ledger', () => {
  const corrupt = (change: (ledger: Record<string, unknown>) => void) => {
    const copy = JSON.parse(JSON.stringify(example));
    change(copy);
    return JSON.stringify(copy);
  };
  it.each([
    ['nothing', '', 'ledger/corrupt'],
    ['half a document', JSON.stringify(example).slice(0, -20), 'ledger/corrupt'],
    ['a conflict of git', `<<<<<<< HEAD\n${JSON.stringify(example)}`, 'ledger/corrupt'],
    ['null', 'null', 'ledger/corrupt'],
    ['a list', '[]', 'ledger/corrupt'],
    ['another document', '{"name":"trueup","version":"1.0.0"}', 'ledger/corrupt'],
    [
      'a version that is no number',
      corrupt((one) => {
        one.formatVersion = '1';
      }),
      'ledger/corrupt',
    ],
    [
      'a newer format',
      corrupt((one) => {
        one.formatVersion = 3;
      }),
      'ledger/newer',
    ],
    [
      'an entry without ids',
      corrupt((one) => {
        delete (one.entries as Ledger['entries'])['boxes/a']!['ids' as never];
      }),
      'ledger/corrupt',
    ],
    [
      'an unknown origin',
      corrupt((one) => {
        (one.entries as Ledger['entries'])['boxes/a']!.origin = 'stolen' as never;
      }),
      'ledger/corrupt',
    ],
  ])('%s is refused, never reset', async (_, text, code) => {
    expect(await problemsOf(() => parseLedger(text, 'ledger.json'))).toEqual([code]);
    try {
      parseLedger(text, 'ledger.json');
    } catch (error) {
      expect((error as Problems).diagnostics[0]).toMatchObject({
        message: expect.stringContaining('ledger.json'),
        hint: expect.any(String),
      });
    }
  });

  it('takes the first format, which did not know what a run had begun', () => {
    const { formatVersion: _, ...rest } = example;
    expect(parseLedger(JSON.stringify({ formatVersion: 1, ...rest }), 'x')).toEqual(example);
    // What the second one has is not taken for a first one with more in it.
    const begun = { 'boxes/c': { entry: { ...rest.entries['boxes/a']!, ids: [] }, seen: ['aaaa'] } };
    expect(parseLedger(JSON.stringify({ ...example, begun }), 'x')).toEqual({ ...example, begun });
    expect(() => parseLedger(JSON.stringify({ ...example, begun: { 'boxes/c': {} } }), 'x')).toThrow(
      Problems,
    );
  });

  it('takes what it wrote, and members that a later version of this format adds', () => {
    expect(parseLedger(JSON.stringify(example), 'x')).toEqual(example);
    const more = { ...example, lease: null };
    expect(parseLedger(JSON.stringify(more), 'x')).toEqual(more);
  });

  it('no text makes it crash', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          parseLedger(text, 'x');
        } catch (error) {
          expect(error).toBeInstanceOf(Problems);
        }
      }),
    );
  });
});

describe('the file store', () => {
  it('has nothing at first, then what was written, one generation on', async () => {
    const store = fileStore(join(await folder(), 'deep', 'ledger.json'));
    expect(await store.read()).toBeUndefined();
    const first = await store.write(example);
    expect(first.generation).toBe(1);
    expect(await store.read()).toEqual(first);
    expect((await store.write(first)).generation).toBe(2);
  });

  it('refuses to replace a generation that it does not hold', async () => {
    const store = fileStore(join(await folder(), 'ledger.json'));
    const first = await store.write(example);
    await store.write(first);
    expect(await problemsOf(() => store.write(first))).toEqual(['ledger/moved']);
    expect((await store.read())!.generation).toBe(2);
  });

  it('refuses to write over what it cannot read', async () => {
    const path = join(await folder(), 'ledger.json');
    await writeFile(path, 'precious');
    expect(await problemsOf(() => fileStore(path).write(example))).toEqual(['ledger/corrupt']);
    expect(await readFile(path, 'utf8')).toBe('precious');
  });

  it('says so where the file cannot be read', async () => {
    expect(await problemsOf(() => fileStore('/').read())).toEqual(['ledger/unreadable']);
  });

  it('writes equal ledgers as equal bytes, whatever order they were made in', async () => {
    const place = await folder();
    const shuffled = {
      ...example,
      entries: Object.fromEntries(
        Object.entries(example.entries)
          .reverse()
          .map(([address, entry]) => [
            address,
            Object.fromEntries(Object.entries(entry).reverse()) as typeof entry,
          ]),
      ),
    };
    await fileStore(join(place, 'a')).write(example);
    await fileStore(join(place, 'b')).write(shuffled);
    const [a, b] = await Promise.all(['a', 'b'].map((name) => readFile(join(place, name), 'utf8')));
    expect(a).toBe(b);
    const addresses = Object.keys(JSON.parse(a!).entries);
    expect(addresses).toEqual([...addresses].sort());
  });

  it('leaves no other files behind, and never a half-written one', async () => {
    const place = await folder();
    const store = fileStore(join(place, 'ledger.json'));
    let held = await store.write(example);
    let reading = true;
    const reader = (async () => {
      while (reading) expect((await store.read())!.entries).toEqual(example.entries);
    })();
    for (let i = 0; i < 20; i++) held = await store.write(held);
    reading = false;
    await reader;
    expect(await readdir(place)).toEqual(['ledger.json']);
  });
});

describe('the key', () => {
  const [one, other] = [keyText('one'), keyText('other')];
  const idOf = (text: string) => ledgerKeyFrom(parseRandomBytes(text)!).id;

  it('comes from the environment, else from the file', async () => {
    const path = join(await folder(), 'deep', 'key');
    expect(await findKey(path, {})).toBeUndefined();
    const made = await createKeyFile(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await findKey(path, {})).toEqual(made);
    expect(await createKeyFile(path)).toEqual(made);
    expect((await findKey(path, { TRUEUP_LEDGER_KEY: one }))!.id).toBe(idOf(one));
    expect(idOf(one)).not.toBe(made.id);
  });

  it('is not there where the variable is empty, as in CI for a secret that is not given out', async () => {
    const path = join(await folder(), 'key');
    expect(await findKey(path, { TRUEUP_LEDGER_KEY: ' ' })).toBeUndefined();
  });

  it('goes with the one before it, from the environment only, be it in a file itself or not', async () => {
    const path = join(await folder(), 'key');
    const previous = { TRUEUP_LEDGER_KEY_PREVIOUS: other };
    const given = await findKey(path, { TRUEUP_LEDGER_KEY: one, ...previous });
    expect([given!.id, given!.previous!.id]).toEqual([one, other].map(idOf));
    await writeFile(path, one);
    expect(await findKey(path, previous)).toEqual(given);
    const empty = await findKey(path, { TRUEUP_LEDGER_KEY_PREVIOUS: '' });
    expect(empty).not.toHaveProperty('previous');
  });

  it('that is weak, of before, compares digests and verifies nothing', async () => {
    const weak = 'sixteen characters or more';
    const env = { TRUEUP_LEDGER_KEY: one, TRUEUP_LEDGER_KEY_PREVIOUS: weak };
    const key = await findKey('none', env);
    expect(findDigestKey(key, legacyKeyFrom(weak).id)).toEqual(legacyKeyFrom(weak));
    expect(findSigningKey(key, legacyKeyFrom(weak).id)).toBeUndefined();
    expect(findSigningKey(key, key!.id)!.id).toBe(key!.id);
  });

  it('two runs that make it at once have the same one', async () => {
    const path = join(await folder(), 'key');
    const made = await Promise.all([1, 2, 3].map(() => createKeyFile(path)));
    expect(new Set(made.map((key) => key.id)).size).toBe(1);
    expect(await readdir(join(path, '..'))).toEqual(['key']);
  });

  it('has one id in whatever way it is written, and each use has a sub-key of its own', () => {
    const bytes = parseRandomBytes(one)!;
    const ways = ['base64', 'base64url', 'hex'] as const;
    expect(new Set(ways.map((way) => idOf(bytes.toString(way))))).toEqual(new Set([idOf(one)]));
    const key = ledgerKeyFrom(bytes);
    const keys = [key.secret, key.signing.ledger, key.signing.plan].map((one) => one.reveal());
    expect(new Set([...keys, key.id]).size).toBe(4);
    expect(signatureOf(key, 'ledger', ['x'])).not.toBe(signatureOf(key, 'plan', ['x']));
  });

  it('is taken if it is random', () => {
    const rounds = runs(5000);
    for (let round = 0; round < rounds; round++) {
      const bytes = randomBytes(32);
      for (const way of ['base64', 'base64url', 'hex'] as const)
        expect(parseRandomBytes(bytes.toString(way)), bytes.toString('hex')).toEqual(bytes);
    }
    expect(parseRandomBytes(createKeyText())).toHaveLength(32);
  });

  it.each([
    ['16 characters', 'correct horse 16'],
    ['a long pass phrase', 'correct horse battery staple, and then some more of it'],
    ['one without blanks', 'correcthorsebatterystaplecorrecthorsebatterystaple'],
    ['one in capitals, too', 'CorrectHorseBatteryStapleAndThenSomeMoreOfItToo'.slice(0, 40)],
    [
      'a pass phrase in base64',
      Buffer.from('correct horse battery staple, and some more').toString('base64'),
    ],
    ['a pass phrase in hex', Buffer.from('correct horse battery staple, and some more').toString('hex')],
    ['one character', 'k'.repeat(43)],
    ['a pattern', 'Ab1'.repeat(20)],
    ['bytes in a row', Buffer.from(Array.from({ length: 32 }, (_, at) => at * 5)).toString('base64')],
    ['zeros', Buffer.alloc(32).toString('base64')],
    ['24 random bytes', randomBytes(24).toString('base64')],
    ['31 random bytes', randomBytes(31).toString('hex')],
  ])('%s is weak', async (_, text) => {
    expect(parseRandomBytes(text)).toBeUndefined();
    expect(await problemsOf(() => findKey('none', { TRUEUP_LEDGER_KEY: text }))).toEqual(['key/weak']);
  });

  it('its published id tells nothing to whoever guesses: it is no digest of the key', () => {
    const bytes = parseRandomBytes(one)!;
    const { id } = ledgerKeyFrom(bytes);
    const guesses = [one, bytes].flatMap((guess) =>
      (['hex', 'base64', 'base64url'] as const).flatMap((way) => [
        hash('sha256', guess, way),
        hash('sha256', Buffer.concat([Buffer.from('trueup key id\n'), Buffer.from(guess)]), way),
      ]),
    );
    for (const guess of guesses) expect(guess.startsWith(id)).toBe(false);
  });

  it.each([
    ['a previous one alone', { TRUEUP_LEDGER_KEY_PREVIOUS: one }, undefined, 'key/previous-alone'],
    [
      'a previous one that is in use',
      {
        TRUEUP_LEDGER_KEY: one,
        TRUEUP_LEDGER_KEY_PREVIOUS: `${Buffer.from(one, 'base64').toString('hex')}\n`,
      },
      undefined,
      'key/same',
    ],
    ['cut off', {}, one.slice(0, 40), 'key/weak'],
    ['an empty file', {}, '', 'key/weak'],
  ])('%s is refused', async (_, env, text, code) => {
    const path = join(await folder(), 'key');
    if (text !== undefined) await writeFile(path, text);
    expect(await problemsOf(() => findKey(path, env))).toEqual([code]);
  });

  it('that cannot be made or read is an error with a way out', async () => {
    const place = await folder();
    await writeFile(join(place, 'file'), '');
    expect(await problemsOf(() => createKeyFile(join(place, 'file', 'key')))).toEqual(['key/file']);
    expect(await problemsOf(() => findKey(place, {}))).toEqual(['key/file']);
  });

  it('never shows', async () => {
    const key = await findKey('none', { TRUEUP_LEDGER_KEY: one, TRUEUP_LEDGER_KEY_PREVIOUS: other });
    const secret = [one, other, ...[key!, key!.previous!].map((one) => one.secret.reveal())];
    for (const text of [JSON.stringify(key), inspect(key, { depth: 9, showHidden: true })])
      for (const one of secret) expect(text).not.toContain(one);
  });
});

describe('what a ledger holds', () => {
  it('is no value, and no secret', async () => {
    const world = await newWorld();
    world.env = { SECRET: 'canary-secret-value' };
    await world.converge(`
secrets: { it: { env: SECRET } }
projects:
  web:
    buildCommand: canary-plain-value
    env: { A: canary-encrypted, B: "\${secret.it}", C: { value: canary-typed, type: plain } }
    passwordProtection: { deploymentType: all, password: "\${secret.it}" }
`);
    const text = JSON.stringify(world.ledger);
    expect(text).not.toContain('canary');
    const { entries } = world.ledger;
    expect(Object.keys(entries['projects/web/env/B@production']!.secrets)).toEqual(['value']);
    expect(Object.keys(entries['projects/web/env/C@production']!.fields)).toContain('value');
    expect(Object.keys(entries['projects/web']!.secrets)).toEqual(['passwordProtection.password']);
  });

  it('does not tell that two values are equal', async () => {
    const world = await newWorld();
    world.env.TRUEUP_SECRET_s = 'same';
    await world.converge(
      'projects: { web: { env: { A: same, B: same, C: "${secret.s}", D: "${secret.s}" } }, api: { framework: nextjs }, www: { framework: nextjs } }\nsecrets: { s: {} }',
    );
    const { entries } = world.ledger;
    const [a, b, c, d] = ['A', 'B', 'C', 'D'].map((name) => entries[`projects/web/env/${name}@production`]!);
    expect(a!.fields.value).not.toBe(b!.fields.value);
    expect(c!.secrets.value!.digest).not.toBe(d!.secrets.value!.digest);
    expect(entries['projects/api']!.fields.framework).not.toBe(entries['projects/www']!.fields.framework);
    expect(emptyLedger('', '', '').entries).toEqual({});
  });
});
