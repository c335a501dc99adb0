import { hash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  Conflict,
  type DocumentName,
  type DocumentStore,
  type HistoryUpdate,
  isRecordFileName,
  type StoredDocument,
} from '../../ledger/documents.ts';
import { toStoredDocument } from '../../ledger/file-documents.ts';
import { maxOtherLedgerBytes, type OtherLedgerText } from '../../ledger/other-ledgers.ts';
import { Problems } from '../../model/diagnostic.ts';
import {
  type Bucket,
  damaged,
  type Head,
  headIn,
  headText,
  type Named,
  namedIn,
  openBucket,
  Unmet,
} from './bucket.ts';
import { unconditional } from './s3-error.ts';
import type { S3Place } from './s3-place.ts';

const attempts = 50;
const readsAtOnce = 16;
const headName = 'head.json';

/** A head as it was read, with the tag that stands for it; undefined where there is none. */
type Seen = { head: Head; tag: string } | undefined;

/**
 * Documents as objects under `PREFIX/STACK/`: one head, which is written under a condition, and what it names. There are no
 * transactions, and none are needed: until the head is written nothing has happened.
 */
export async function s3Documents(stack: string, place: string, where: S3Place): Promise<DocumentStore> {
  const bucket = await openBucket(where, place);
  const folder = folderOf(where, stack);
  let seen: Seen;
  const look = async (): Promise<Seen> => {
    const stored = await bucket.get(`${folder}${headName}`);
    seen = stored && { head: headIn(stored.text, folder, place), tag: stored.tag };
    return seen;
  };
  const store = async (text: string): Promise<Named> => {
    const sha256 = digestOf(text);
    // Nobody else has this name, so whoever removes it removes nobody else's.
    const key = `${folder}objects/${sha256.slice(0, 16)}-${randomBytes(6).toString('hex')}`;
    await bucket.put(key, text);
    return { key, sha256 };
  };
  const read = (name: DocumentName) => documentIn(bucket, look, name, place);

  const update = async (
    name: DocumentName,
    text: string | undefined,
    { expected, historyUpdate }: { expected: string | undefined; historyUpdate?: HistoryUpdate | undefined },
  ) => {
    const wanted = text === undefined ? undefined : toStoredDocument(text).version;
    const made: Named[] = [];
    const keep = async (one: string) => {
      const named = await store(one);
      made.push(named);
      return named;
    };
    let next: Named | undefined;
    const records = new Map<string, Named | undefined>();
    for (let tried = 0; tried < attempts; tried++) {
      const { found, now: base } = await read(name);
      // A write that arrived, though the service did not say so.
      if (tried > 0 && found?.version === wanted) return;
      if (found?.version !== expected) {
        // What was made may be named by now: the write arrived, and somebody wrote after it.
        const named = new Set((base ? namedIn(base.head) : []).map(({ key }) => key));
        await clear(
          bucket,
          made.filter(({ key }) => !named.has(key)),
        );
        throw new Conflict(found);
      }
      if (tried === 0) {
        if (!base) await requireConditions(bucket, folder, place);
        if (text !== undefined && name !== 'lease') next = await keep(text);
        for (const [record, one] of historyUpdate?.records ?? [])
          records.set(record, one === undefined ? undefined : await keep(one));
      }
      const head = edited(base?.head, name, name === 'lease' ? text : next, records);
      try {
        const tag = await bucket.put(
          `${folder}${headName}`,
          headText(head),
          base ? { tag: base.tag } : 'none',
        );
        seen = { head, tag };
        await clear(bucket, unnamed(base?.head, head));
        return;
      } catch (error) {
        if (!(error instanceof Unmet)) throw error;
        await setTimeout(Math.random() * 20 * Math.min(tried + 1, 20));
      }
    }
    throw new Problems(
      'ledger/s3-contended',
      `the ledger ${place} cannot be written: others write it all the time`,
      {
        hint: 'run trueup again',
      },
    );
  };

  return {
    read: async (name) => (await read(name)).found,
    readOtherLedgers: () => othersIn(bucket, where, folder),
    history: {
      names: async () =>
        Object.keys((seen ?? (await look()))?.head.history ?? {})
          .filter(isRecordFileName)
          .sort(),
      read: async (names) => recordsIn(bucket, seen ?? (await look()), look, names, place),
    },
    write: async (name, text, how) => {
      await update(name, text, how);
      return toStoredDocument(text).version;
    },
    remove: (name, how) => update(name, undefined, how),
  };
}

/** Names of stacks have no slash. */
const folderOf = ({ prefix }: S3Place, stack: string): string => `${prefix}${stack}/`;

const digestOf = (text: string): string => hash('sha256', text, 'hex');

function edited(
  base: Head | undefined,
  name: DocumentName,
  next: Named | string | undefined,
  records: ReadonlyMap<string, Named | undefined>,
): Head {
  const history = { ...base?.history };
  for (const [record, one] of records)
    if (one === undefined) delete history[record];
    else history[record] = one;
  return { ...base, trueup: 1, [name]: next, history };
}

/** The objects that only the previous head names. */
const unnamed = (before: Head | undefined, head: Head): Named[] => {
  const kept = new Set(namedIn(head).map(({ key }) => key));
  return before ? namedIn(before).filter(({ key }) => !kept.has(key)) : [];
};

/** Removes objects that nothing names any more; one that cannot be removed does no harm. */
const clear = (bucket: Bucket, objects: readonly Named[]): Promise<void> =>
  bucket.drop(objects.map(({ key }) => key)).catch(() => {});

/** The text of an object that a head names; undefined where it is gone. Throws `Problems` where it is another one. */
async function textOf(bucket: Bucket, { key, sha256 }: Named, place: string): Promise<string | undefined> {
  const stored = await bucket.get(key);
  if (stored && digestOf(stored.text) !== sha256) throw damaged(place, `${key} is not what its head names`);
  return stored?.text;
}

/** A document by the head of now, and that head. What it names may go while it is read, since a newer head names another. */
async function documentIn(
  bucket: Bucket,
  look: () => Promise<Seen>,
  name: DocumentName,
  place: string,
): Promise<{ found: StoredDocument | undefined; now: Seen }> {
  for (let before: string | undefined; ; ) {
    const now = await look();
    const named = name === 'lease' ? undefined : now?.head[name];
    const text = named ? await textOf(bucket, named, place) : name === 'lease' ? now?.head.lease : undefined;
    if (text !== undefined) return { found: toStoredDocument(text), now };
    if (!named) return { found: undefined, now };
    if (before === now!.tag) throw damaged(place, `${named.key} is gone`);
    before = now!.tag;
  }
}

/** Records by the head of now. One that is gone was replaced meanwhile, unless that head still names it. */
async function recordsIn(
  bucket: Bucket,
  seen: Seen,
  look: () => Promise<Seen>,
  names: readonly string[],
  place: string,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const { history = {} } = seen?.head ?? {};
  for (const name of names) {
    const named = Object.hasOwn(history, name) ? history[name] : undefined;
    const text = named && (await textOf(bucket, named, place));
    if (named && text === undefined) {
      const now = await look();
      if (now?.tag === seen!.tag) throw damaged(place, `${named.key} is gone`);
      return recordsIn(bucket, now, look, names, place);
    }
    if (text !== undefined) texts.set(name, text);
  }
  return texts;
}

async function othersIn(bucket: Bucket, where: S3Place, own: string): Promise<OtherLedgerText[]> {
  const folders = (await bucket.folders(where.prefix)).filter((folder) => folder !== own);
  const otherTexts: OtherLedgerText[] = [];
  const left = folders.values();
  const work = async () => {
    for (const folder of left) {
      const place = `${folder.slice(where.prefix.length, -1)} at ${where.shown}`;
      const look = async () => {
        const head = await bucket.get(`${folder}${headName}`);
        return head && { head: headIn(head.text, folder, place), tag: head.tag };
      };
      // A folder of something else has no head.
      const { found: ledger } = await documentIn(bucket, look, 'ledger', place);
      if (ledger)
        otherTexts.push({ place, text: ledger.text.length > maxOtherLedgerBytes ? undefined : ledger.text });
    }
  };
  await Promise.all(Array.from({ length: readsAtOnce }, work));
  return otherTexts.sort((a, b) => (a.place < b.place ? -1 : 1));
}

/**
 * Tries with an object of its own whether a service honours the conditions of a write, before there is a ledger: one that ignores them
 * would let two runs overwrite each other. Throws `Problems`.
 */
async function requireConditions(bucket: Bucket, prefix: string, shown: string): Promise<void> {
  const key = `${prefix}probe-${randomUUID()}`;
  const isRefused = (condition: Parameters<Bucket['put']>[2]) =>
    bucket.put(key, 'second', condition).then(
      () => false,
      (error: unknown) => {
        if (error instanceof Unmet) return true;
        throw error;
      },
    );
  try {
    const tag = await bucket.put(key, 'first', 'none');
    if (!(await isRefused('none'))) throw dishonoured(shown, 'If-None-Match');
    await bucket.put(key, 'third', { tag });
    if (!(await isRefused({ tag }))) throw dishonoured(shown, 'If-Match');
  } finally {
    await bucket.drop([key]).catch(() => {});
  }
}

const dishonoured = (shown: string, header: string) =>
  unconditional(shown, `writes although ${header} does not hold`);
