import {
  type DocumentName,
  type DocumentStore,
  type HistoryUpdate,
  recordNamesIn,
} from '../../ledger/documents.ts';
import { toStoredDocument } from '../../ledger/file-documents.ts';
import { openBucket } from './bucket.ts';
import {
  type HeadVersion,
  headName,
  readOtherLedgers,
  readRunRecords,
  readStoredDocument,
} from './read-bucket.ts';
import { replaceInBucket } from './replace-in-bucket.ts';
import { s3Ownership } from './s3-ownership.ts';
import type { S3Place } from './s3-place.ts';
import { formatHead, parseHead, type StackHead } from './stack-head.ts';

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
  /** The head as it was read or written last. The history is read from it. */
  let lastHead: HeadVersion;
  const readHead = async (): Promise<HeadVersion> => {
    const stored = await bucket.get(`${folder}${headName}`);
    lastHead = stored && { head: parseHead(stored.text, folder, place), tag: stored.tag };
    return lastHead;
  };
  /** Remembers the new head at once: other work of this run may read a newer one before the write has ended. */
  const writeHead = async (head: StackHead, replaced: HeadVersion): Promise<void> => {
    const condition = replaced ? { tag: replaced.tag } : 'none';
    const tag = await bucket.put(`${folder}${headName}`, formatHead(head), condition);
    lastHead = { head, tag };
  };
  const update = (
    name: DocumentName,
    text: string | undefined,
    { expected, historyUpdate }: { expected: string | undefined; historyUpdate?: HistoryUpdate | undefined },
  ): Promise<void> =>
    replaceInBucket(
      { bucket, folder, place, readHead, writeHead },
      { name, text, expected, records: historyUpdate?.records ?? new Map() },
    );

  return {
    read: async (name) => (await readStoredDocument(bucket, readHead, name, place)).document,
    readOtherLedgers: () => readOtherLedgers(bucket, where, folder),
    ownership: s3Ownership(stack, bucket, where),
    history: {
      names: async () => recordNamesIn(Object.keys((lastHead ?? (await readHead()))?.head.history ?? {})),
      read: async (names) => readRunRecords(bucket, lastHead ?? (await readHead()), readHead, names, place),
    },
    write: async (name, text, options) => {
      await update(name, text, options);
      return toStoredDocument(text).version;
    },
    remove: (name, options) => update(name, undefined, options),
  };
}
