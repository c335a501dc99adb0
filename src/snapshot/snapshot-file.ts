/*
 * Snapshots in files: JSON, signed by the ledger key if there is one, and compressed.
 */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Proof, signText, verifyText } from '../ledger/proof.ts';
import { describeSystemError } from '../model/describe-errors.ts';
import { raise } from '../model/diagnostic.ts';
import type { LedgerKey } from '../model/digest.ts';
import { tryParseJson } from '../model/read-json.ts';
import { type AccountSnapshot, snapshotVersion } from './snapshot.ts';
import { findWrongForm, formatOf } from './snapshot-form.ts';

/** The most bytes of a snapshot after decompression. A file can be made so that a few bytes become very many. */
const maxSnapshotBytes = 1 << 28;

/** Returns the bytes of the file of a snapshot. */
export async function encodeSnapshot(snapshot: AccountSnapshot, key: LedgerKey | undefined): Promise<Buffer> {
  const text = `${JSON.stringify(snapshot).slice(0, -1)}\n}\n`;
  return promisify(gzip)(key ? signText(text, key, 'snapshot') : text);
}

/**
 * Reads the file of a snapshot (`plan --from FILE`). `proof`: whether it is signed, and by which key. `name`: the file for messages. Throws
 * `Problems` if the file is no snapshot, or if it was changed after it was signed.
 */
export async function readSnapshot(
  path: string,
  name: string,
  key: LedgerKey | undefined,
): Promise<{ snapshot: AccountSnapshot; proof: Proof }> {
  const bytes = await readFile(path).catch((error: Error) =>
    raise('snapshot/file', `the snapshot ${name} cannot be read: ${describeSystemError(error)}`),
  );
  return decodeSnapshot(bytes, name, key);
}

/**
 * Decompresses and checks a snapshot, like `readSnapshot`, from the bytes of a file of `plan --snapshot` or of a bug report that contains
 * one. `name`: that of the file, for messages. Throws `Problems` for other files.
 */
export async function decodeSnapshot(
  bytes: Buffer,
  name: string,
  key: LedgerKey | undefined,
): Promise<{ snapshot: AccountSnapshot; proof: Proof }> {
  const text = await promisify(gunzip)(bytes, { maxOutputLength: maxSnapshotBytes }).then(
    (content) => content.toString('utf8'),
    () => raiseNoSnapshot(name),
  );
  const proof = verifyText(text, key, name, 'snapshot');
  if ('doubt' in proof && proof.doubt === 'altered')
    raise('snapshot/altered', `${name} was changed after the key ${proof.key} signed it`, {
      hint: 'make a new snapshot',
    });
  const document = tryParseJson(text);
  const content = isBugReport(document) ? document.snapshot : document;
  requireSnapshotForm(content, name);
  return { snapshot: content, proof };
}

/**
 * Throws `Problems` if JSON data is no snapshot of the version that this trueup reads. Checks the form of all members, because another
 * person may have made the file. `name`: the file, for messages.
 */
function requireSnapshotForm(content: unknown, name: string): asserts content is AccountSnapshot {
  const format = formatOf(content) ?? raiseNoSnapshot(name);
  if (format.formatVersion !== snapshotVersion)
    raise(
      'snapshot/version',
      `${name} has the format ${format.formatVersion}, and this version of trueup reads ${snapshotVersion}`,
      { hint: `use the version that made it, ${format.trueup}, or make a new snapshot` },
    );
  const wrongPlace = findWrongForm(content, name);
  if (wrongPlace !== undefined)
    raise('snapshot/file', `${name} is no snapshot: ${wrongPlace} is not in the form that trueup writes`, {
      hint: 'make a new one: `trueup plan --snapshot FILE`',
    });
}

/** Throws `Problems` for a file that is no snapshot at all. */
const raiseNoSnapshot = (name: string): never =>
  raise('snapshot/file', `${name} is no snapshot`, { hint: '`trueup plan --snapshot FILE` makes one' });

/** True for the file of `trueup doctor --bug`, which contains a snapshot. */
const isBugReport = (document: unknown): document is { snapshot: unknown } =>
  typeof document === 'object' && document !== null && 'command' in document && 'snapshot' in document;
