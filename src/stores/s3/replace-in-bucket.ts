import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  Conflict,
  changeRecords,
  contendedProblem,
  type DocumentName,
  type HistoryUpdate,
} from '../../ledger/documents.ts';
import { toStoredDocument } from '../../ledger/file-documents.ts';
import { raise } from '../../model/diagnostic.ts';
import { ConditionFailed, type ObjectBucket, type WriteCondition } from './bucket.ts';
import { type HeadVersion, objectDigestOf, readStoredDocument } from './read-bucket.ts';
import { unconditionalProblem } from './s3-error.ts';
import { type ObjectName, objectNamesOf, type StackHead } from './stack-head.ts';

/** The number of attempts to write the head while other runs write it, too. */
const mostAttempts = 50;

/** The folder of a stack in a bucket, and the means to read and write its head. */
interface StackFolder {
  bucket: ObjectBucket;
  /** The common beginning of the names of all objects of the stack. */
  folder: string;
  /** The ledger in messages. */
  place: string;
  readHead(): Promise<HeadVersion>;
  /** Replaces the head. Throws `ConditionFailed` if another run has replaced it since it was read as `replaced`. */
  writeHead(head: StackHead, replaced: HeadVersion): Promise<void>;
}

/** A write of a document (ledger, lease or plan). */
interface BucketWrite {
  name: DocumentName;
  /** The new text; undefined removes the document. */
  text: string | undefined;
  /** The version that the write replaces; undefined if there must be none. */
  expected: string | undefined;
  /** The changed records of the history, by file name; undefined removes one. */
  records: HistoryUpdate['records'];
}

/**
 * Replaces or removes a document of a stack (ledger, lease or plan), together with its history. The new texts become
 * new objects. Then the head, the object that names the current ones, is replaced under the condition that it has
 * not changed; if another run changed it for another document, this is repeated. Throws `Conflict` if that run
 * changed the same document, and `Problems` if other runs were faster each time.
 */
export async function replaceInBucket(
  { bucket, folder, place, readHead, writeHead }: StackFolder,
  write: BucketWrite,
): Promise<void> {
  const { name, text, expected } = write;
  const nextVersion = text === undefined ? undefined : toStoredDocument(text).version;
  let created: CreatedObjects = { document: undefined, records: new Map() };
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const { document, base } = await readStoredDocument(bucket, readHead, name, place);
    // The previous attempt succeeded, although the service reported a failure.
    if (attempt > 0 && document?.version === nextVersion) return;
    if (document?.version !== expected) {
      // The objects of this write may be named by the head: then the previous attempt succeeded, and another run wrote after it.
      await deleteUnused(bucket, [created.document, ...created.records.values()], base?.head);
      throw new Conflict(document);
    }
    if (attempt === 0) {
      if (!base) await requireConditions(bucket, folder, place);
      created = await createObjects(bucket, folder, write);
    }
    const head = nextHead(base?.head, name, name === 'lease' ? text : created.document, created.records);
    try {
      await writeHead(head, base);
      await deleteUnused(bucket, base ? objectNamesOf(base.head) : [], head);
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      await setTimeout(Math.random() * 20 * Math.min(attempt + 1, 20));
    }
  }
  raise(contendedProblem(place));
}

/** The objects that a write has created, before a head names them. */
interface CreatedObjects {
  /** The object of the document; undefined for a lease, whose text is in the head, and for a removal. */
  document: ObjectName | undefined;
  /** The object of each changed record, by file name; undefined for a removed one. */
  records: Map<string, ObjectName | undefined>;
}

/**
 * Creates the objects with the new texts of a write, before a head names them. They have unique names, so nothing is overwritten, and no
 * other run sees them yet. A lease gets no object, because the head itself contains it.
 */
async function createObjects(
  bucket: ObjectBucket,
  folder: string,
  { name, text, records }: BucketWrite,
): Promise<CreatedObjects> {
  /** Its name is unique, so that deleting it cannot delete the object of another run. */
  const createObject = async (content: string): Promise<ObjectName> => {
    const sha256 = objectDigestOf(content);
    const key = `${folder}objects/${sha256.slice(0, 16)}-${randomBytes(6).toString('hex')}`;
    await bucket.put(key, content);
    return { key, sha256 };
  };
  const document = text === undefined || name === 'lease' ? undefined : await createObject(text);
  const recordObjects = new Map<string, ObjectName | undefined>();
  for (const [record, recordText] of records)
    recordObjects.set(record, recordText === undefined ? undefined : await createObject(recordText));
  return { document, records: recordObjects };
}

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
 * Deletes those of the objects that the current head does not name, because nothing refers to them any more. Errors
 * are ignored, because an object that stays does no harm.
 */
async function deleteUnused(
  bucket: ObjectBucket,
  objects: readonly (ObjectName | undefined)[],
  head: StackHead | undefined,
): Promise<void> {
  const usedKeys = new Set((head ? objectNamesOf(head) : []).map(({ key }) => key));
  const unusedKeys = objects.flatMap((object) => (object && !usedKeys.has(object.key) ? [object.key] : []));
  await bucket.deleteObjects(unusedKeys).catch(() => {});
}

/**
 * Checks that the service refuses a write whose condition does not hold (`If-None-Match`, `If-Match`), with a test
 * object. Called before the first ledger is written to a bucket, because two runs could overwrite each other at a
 * service that ignores conditions. Throws `Problems`.
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
  } catch (error) {
    // The SDK repeated a write of the test object that had succeeded, or the service could not decide a condition in time.
    if (error instanceof ConditionFailed)
      raise(contendedProblem(shown, 'its service did not answer a test write clearly'));
    throw error;
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
