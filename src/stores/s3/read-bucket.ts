import { hash } from 'node:crypto';
import type { DocumentName, StoredDocument } from '../../ledger/documents.ts';
import { toStoredDocument } from '../../ledger/file-documents.ts';
import { maxOtherLedgerBytes, type OtherLedgerText } from '../../ledger/other-ledgers.ts';
import { raise } from '../../model/diagnostic.ts';
import { mapConcurrently } from '../../model/map-concurrently.ts';
import type { ObjectBucket } from './bucket.ts';
import { damagedProblem } from './s3-error.ts';
import type { S3Place } from './s3-place.ts';
import { type ObjectName, parseHead, type StackHead } from './stack-head.ts';

/** How many ledgers are read at once. */
export const concurrentReads = 16;
/** The name of the head in the folder of its stack. */
export const headName = 'head.json';

/** A head with the tag of its version. Undefined if the stack has none yet. */
export type HeadVersion = { head: StackHead; tag: string } | undefined;

/** Returns the digest by which a head recognizes a changed object. */
export const objectDigestOf = (text: string): string => hash('sha256', text, 'hex');

/**
 * Reads an object (such as a ledger) from a bucket. `key` and `sha256`: its name and digest in the head, the object
 * that names the current objects of a stack. Returns undefined if another run has deleted it, and throws `Problems`
 * if its content has another digest.
 */
async function readObject(
  bucket: Pick<ObjectBucket, 'get'>,
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
export async function readStoredDocument(
  bucket: ObjectBucket,
  readHead: () => Promise<HeadVersion>,
  name: DocumentName,
  place: string,
): Promise<{ document: StoredDocument | undefined; base: HeadVersion }> {
  let previousTag: string | undefined;
  for (;;) {
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
 * Reads records of runs from a bucket. `version`: the head (the object that names the current objects of the stack)
 * as it was read before. If one of its objects is gone, another run may have replaced it since, so the reading starts
 * again with the current head. It keeps the objects that it has, because an object never changes. So it ends although a
 * run replaces its own record faster than all records can be read. Throws `Problems` if the same head still names the
 * missing object.
 */
export async function readRunRecords(
  bucket: Pick<ObjectBucket, 'get'>,
  version: HeadVersion,
  readHead: () => Promise<HeadVersion>,
  names: readonly string[],
  place: string,
): Promise<Map<string, string>> {
  const textByKey = new Map<string, string>();
  const readFirstMissing = async (objects: ReadonlyMap<string, ObjectName>) => {
    for (const object of objects.values()) {
      const text = textByKey.get(object.key) ?? (await readObject(bucket, object, place));
      if (text === undefined) return object;
      textByKey.set(object.key, text);
    }
    return undefined;
  };
  for (let current = version; ; ) {
    const objects = recordObjectsOf(current, names);
    const missing = await readFirstMissing(objects);
    if (!missing) return new Map([...objects].map(([name, { key }]) => [name, textByKey.get(key)!]));
    const next = await readHead();
    if (next?.tag === current!.tag) raise(damagedProblem(place, `${missing.key} is gone`));
    current = next;
  }
}

/** Returns the objects of these records of runs, by name, as a head names them. Leaves out records that it does not have. */
function recordObjectsOf(version: HeadVersion, names: readonly string[]): ReadonlyMap<string, ObjectName> {
  const { history = {} } = version?.head ?? {};
  return new Map(names.flatMap((name) => (Object.hasOwn(history, name) ? [[name, history[name]!]] : [])));
}

/**
 * Reads the ledgers of all other stacks in the bucket, 16 at a time, so that a plan does not touch their objects.
 * Folders without a head (the object that names the current objects of a stack) belong to something else and are
 * skipped.
 */
export async function readOtherLedgers(
  bucket: ObjectBucket,
  where: S3Place,
  ownFolder: string,
): Promise<OtherLedgerText[]> {
  const otherFolders = (await bucket.listFolders(where.prefix)).filter((folder) => folder !== ownFolder);
  const ledgers = await mapConcurrently(otherFolders, concurrentReads, (folder) =>
    readOtherLedger(bucket, where, folder),
  );
  const otherTexts = ledgers.flatMap((ledger) =>
    ledger ? [{ place: ledger.place, text: ledger.text }] : [],
  );
  return otherTexts.sort((a, b) => (a.place < b.place ? -1 : 1));
}

/**
 * Reads the ledger in the folder of another stack. Its version is the tag of the head: the object that names the current objects of the
 * stack. Undefined if the folder has no ledger. A ledger that is too large has no text.
 */
export async function readOtherLedger(
  bucket: ObjectBucket,
  where: S3Place,
  folder: string,
): Promise<(OtherLedgerText & { version: string }) | undefined> {
  const ledgerPlace = `${folder.slice(where.prefix.length, -1)} at ${where.shown}`;
  const readHead = async () => {
    const head = await bucket.get(`${folder}${headName}`);
    return head && { head: parseHead(head.text, folder, ledgerPlace), tag: head.tag };
  };
  const { document: ledger, base } = await readStoredDocument(bucket, readHead, 'ledger', ledgerPlace);
  if (!ledger) return undefined;
  const text = ledger.text.length > maxOtherLedgerBytes ? undefined : ledger.text;
  return { place: ledgerPlace, text, version: base!.tag };
}
