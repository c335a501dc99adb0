import { hash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  Conflict,
  changeRecords,
  type DocumentName,
  type DocumentStore,
  type HistoryUpdate,
  recordNamesIn,
  type StoredDocument,
} from '../../ledger/documents.ts';
import { toStoredDocument } from '../../ledger/file-documents.ts';
import { maxOtherLedgerBytes, type OtherLedgerText } from '../../ledger/other-ledgers.ts';
import { raise } from '../../model/diagnostic.ts';
import {
  ConditionFailed,
  damagedProblem,
  formatHead,
  type ObjectBucket,
  type ObjectName,
  objectNamesOf,
  openBucket,
  parseHead,
  type StackHead,
  unconditionalProblem,
  type WriteCondition,
} from './bucket.ts';
import type { S3Place } from './s3-place.ts';

/** The number of attempts to write the head while other runs write it, too. */
const mostAttempts = 50;
const concurrentReads = 16;
const headName = 'head.json';

/** A head with the tag of its version. Undefined if the stack has none yet. */
type HeadVersion = { head: StackHead; tag: string } | undefined;

/**
 * Opens the documents of a stack (ledger, lease and plan) and its history in a bucket. They are objects under
 * `PREFIX/STACK/`: new texts are written as new objects, and then the head, the object that names the current ones,
 * is replaced under the condition that no other run has replaced it. So a write takes effect in one step, although
 * there are no transactions.
 */
export async function s3Documents(stack: string, place: string, where: S3Place): Promise<DocumentStore> {
  const bucket = await openBucket(where, place);
  // The name of a stack contains no slash.
  const folder = `${where.prefix}${stack}/`;
  let lastHead: HeadVersion;
  const readHead = async (): Promise<HeadVersion> => {
    const stored = await bucket.get(`${folder}${headName}`);
    lastHead = stored && { head: parseHead(stored.text, folder, place), tag: stored.tag };
    return lastHead;
  };
  /** Writes a text as a new object. Its name is unique, so that deleting it cannot delete the object of another run. */
  const createObject = async (text: string): Promise<ObjectName> => {
    const sha256 = objectDigestOf(text);
    const key = `${folder}objects/${sha256.slice(0, 16)}-${randomBytes(6).toString('hex')}`;
    await bucket.put(key, text);
    return { key, sha256 };
  };

  const update = async (
    name: DocumentName,
    text: string | undefined,
    { expected, historyUpdate }: { expected: string | undefined; historyUpdate?: HistoryUpdate | undefined },
  ) => {
    const nextVersion = text === undefined ? undefined : toStoredDocument(text).version;
    const createdObjects: ObjectName[] = [];
    const createAndRemember = async (content: string) => {
      const object = await createObject(content);
      createdObjects.push(object);
      return object;
    };
    let nextObject: ObjectName | undefined;
    const records = new Map<string, ObjectName | undefined>();
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const { document, base } = await readStoredDocument(bucket, readHead, name, place);
      // The previous attempt succeeded, although the service reported a failure.
      if (attempt > 0 && document?.version === nextVersion) return;
      if (document?.version !== expected) {
        // The objects of this write may be named by the head: then the previous attempt succeeded, and another run wrote after it.
        const usedKeys = new Set((base ? objectNamesOf(base.head) : []).map(({ key }) => key));
        await deleteUnused(
          bucket,
          createdObjects.filter(({ key }) => !usedKeys.has(key)),
        );
        throw new Conflict(document);
      }
      if (attempt === 0) {
        if (!base) await requireConditions(bucket, folder, place);
        if (text !== undefined && name !== 'lease') nextObject = await createAndRemember(text);
        for (const [record, recordText] of historyUpdate?.records ?? [])
          records.set(record, recordText === undefined ? undefined : await createAndRemember(recordText));
      }
      const head = nextHead(base?.head, name, name === 'lease' ? text : nextObject, records);
      try {
        const condition = base ? { tag: base.tag } : 'none';
        const tag = await bucket.put(`${folder}${headName}`, formatHead(head), condition);
        lastHead = { head, tag };
        await deleteUnused(bucket, replacedObjects(base?.head, head));
        return;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        await setTimeout(Math.random() * 20 * Math.min(attempt + 1, 20));
      }
    }
    raise(
      'ledger/contended',
      `the ledger ${place} cannot be written, because other runs write it all the time`,
      { hint: 'run trueup again' },
    );
  };

  return {
    read: async (name) => (await readStoredDocument(bucket, readHead, name, place)).document,
    readOtherLedgers: () => readOtherLedgers(bucket, where, folder),
    history: {
      names: async () => recordNamesIn(Object.keys((lastHead ?? (await readHead()))?.head.history ?? {})),
      read: async (names) => readRecords(bucket, lastHead ?? (await readHead()), readHead, names, place),
    },
    write: async (name, text, options) => {
      await update(name, text, options);
      return toStoredDocument(text).version;
    },
    remove: (name, options) => update(name, undefined, options),
  };
}

const objectDigestOf = (text: string): string => hash('sha256', text, 'hex');

/**
 * Returns the next head of a stack: the object in the bucket that names its current objects, and takes effect when
 * it replaces the old head (`base`). `next`: the new object of the document `name` (for a lease, its text),
 * undefined to remove it. `records`: the changed records of runs, by file name; undefined removes one.
 */
function nextHead(
  base: StackHead | undefined,
  name: DocumentName,
  next: ObjectName | string | undefined,
  records: ReadonlyMap<string, ObjectName | undefined>,
): StackHead {
  return { ...base, trueup: 1, [name]: next, history: changeRecords(base?.history, records) };
}

/**
 * Returns the objects that only the previous head names. They are deleted after the write, because nothing refers to
 * them any more.
 */
const replacedObjects = (before: StackHead | undefined, head: StackHead): ObjectName[] => {
  const usedKeys = new Set(objectNamesOf(head).map(({ key }) => key));
  return before ? objectNamesOf(before).filter(({ key }) => !usedKeys.has(key)) : [];
};

/** Deletes objects that no head names any more. Errors are ignored, because an object that stays does no harm. */
const deleteUnused = (bucket: ObjectBucket, objects: readonly ObjectName[]): Promise<void> =>
  bucket.deleteObjects(objects.map(({ key }) => key)).catch(() => {});

/**
 * Reads an object (such as a ledger) from a bucket. `key` and `sha256`: its name and digest in the head, the object
 * that names the current objects of a stack. Returns undefined if another run has deleted it, and throws `Problems`
 * if its content has another digest.
 */
async function readObject(
  bucket: ObjectBucket,
  { key, sha256 }: ObjectName,
  place: string,
): Promise<string | undefined> {
  const stored = await bucket.get(key);
  if (stored && objectDigestOf(stored.text) !== sha256)
    raise(damagedProblem(place, `${key} does not have the digest that its head names`));
  return stored?.text;
}

/**
 * Reads a document (ledger, lease or plan) from a bucket. The head is the object that names the current objects of
 * the stack; it contains the lease itself. If a named object is gone, another run may have replaced it since the
 * head was read, so the head is read again. Also returns that head (`base`), which the next write replaces. Throws
 * `Problems` if the same head still names the missing object.
 */
async function readStoredDocument(
  bucket: ObjectBucket,
  readHead: () => Promise<HeadVersion>,
  name: DocumentName,
  place: string,
): Promise<{ document: StoredDocument | undefined; base: HeadVersion }> {
  for (let previousTag: string | undefined; ; ) {
    const base = await readHead();
    if (name === 'lease') {
      const lease = base?.head.lease;
      return { document: lease === undefined ? undefined : toStoredDocument(lease), base };
    }
    const object = base?.head[name];
    if (!object) return { document: undefined, base };
    const text = await readObject(bucket, object, place);
    if (text !== undefined) return { document: toStoredDocument(text), base };
    if (previousTag === base!.tag) raise(damagedProblem(place, `${object.key} is gone`));
    previousTag = base!.tag;
  }
}

/**
 * Reads records of runs from a bucket for `trueup log`. `version`: the head (the object that names the current
 * objects of the stack) as it was read before. If one of its objects is gone, another run may have replaced it
 * since, so the reading starts again with the current head. Throws `Problems` if that still names the missing
 * object.
 */
async function readRecords(
  bucket: ObjectBucket,
  version: HeadVersion,
  readHead: () => Promise<HeadVersion>,
  names: readonly string[],
  place: string,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const { history = {} } = version?.head ?? {};
  for (const name of names) {
    const object = Object.hasOwn(history, name) ? history[name] : undefined;
    const text = object && (await readObject(bucket, object, place));
    if (object && text === undefined) {
      const current = await readHead();
      if (current?.tag === version!.tag) raise(damagedProblem(place, `${object.key} is gone`));
      return readRecords(bucket, current, readHead, names, place);
    }
    if (text !== undefined) texts.set(name, text);
  }
  return texts;
}

/**
 * Reads the ledgers of all other stacks in the bucket, 16 at a time, so that a plan does not touch their objects.
 * Folders without a head (the object that names the current objects of a stack) belong to something else and are
 * skipped.
 */
async function readOtherLedgers(
  bucket: ObjectBucket,
  where: S3Place,
  ownFolder: string,
): Promise<OtherLedgerText[]> {
  const otherFolders = (await bucket.listFolders(where.prefix)).filter((folder) => folder !== ownFolder);
  const otherTexts: OtherLedgerText[] = [];
  const remainingFolders = otherFolders.values();
  const readNext = async () => {
    for (const folder of remainingFolders) {
      const ledgerPlace = `${folder.slice(where.prefix.length, -1)} at ${where.shown}`;
      const readHead = async () => {
        const head = await bucket.get(`${folder}${headName}`);
        return head && { head: parseHead(head.text, folder, ledgerPlace), tag: head.tag };
      };
      const { document: ledger } = await readStoredDocument(bucket, readHead, 'ledger', ledgerPlace);
      if (ledger)
        otherTexts.push({
          place: ledgerPlace,
          text: ledger.text.length > maxOtherLedgerBytes ? undefined : ledger.text,
        });
    }
  };
  await Promise.all(Array.from({ length: concurrentReads }, readNext));
  return otherTexts.sort((a, b) => (a.place < b.place ? -1 : 1));
}

/**
 * Checks that the service refuses a write whose condition does not hold (`If-None-Match`, `If-Match`), with a test
 * object. Called before the first ledger is written to a bucket, because a service that ignores conditions would
 * let two runs overwrite each other. Throws `Problems`.
 */
async function requireConditions(bucket: ObjectBucket, prefix: string, shown: string): Promise<void> {
  const key = `${prefix}probe-${randomUUID()}`;
  const isRefused = (condition: WriteCondition) =>
    bucket.put(key, 'second', condition).then(
      () => false,
      (error: unknown) => {
        if (error instanceof ConditionFailed) return true;
        throw error;
      },
    );
  try {
    const tag = await bucket.put(key, 'first', 'none');
    if (!(await isRefused('none'))) raise(ignoredHeaderProblem(shown, 'If-None-Match'));
    await bucket.put(key, 'third', { tag });
    if (!(await isRefused({ tag }))) raise(ignoredHeaderProblem(shown, 'If-Match'));
  } finally {
    await bucket.deleteObjects([key]).catch(() => {});
  }
}

/**
 * Returns the problem that a service ignores a condition of writes, so that two runs could overwrite each other's
 * ledger.
 */
const ignoredHeaderProblem = (shown: string, header: string) =>
  unconditionalProblem(shown, `writes although ${header} does not hold`);
