import type { Repository } from '../git/repository.ts';
import type { OwnershipStore, StoredDocument } from './documents.ts';
import { ownershipRef } from './git-ref.ts';
import type { GitRemote, Snapshot } from './git-remote.ts';
import { readLedgersBesideRef } from './other-ledgers.ts';

/** The means of `gitDocuments` to reach the ref with the ownership index. */
interface IndexRef {
  /** The ref of this stack. */
  ownRef: string;
  remote: GitRemote;
  open(): Promise<Repository>;
  remoteName: string;
  /** True if the last answer of the remote shows that it has no index, so that it need not be asked again. */
  isKnownMissing(): boolean;
  /** Does one piece of work at a time, and converts errors of git to `Problems`. */
  enqueue<T>(access: 'read' | 'written', work: () => Promise<T>): Promise<T>;
  /**
   * Replaces files of the ref in one commit, as `gitDocuments` does it. Throws `Conflict`, without changing any, if one is not the expected
   * blob.
   */
  replace(
    files: ReadonlyMap<string, { text: string; expected: string | undefined }>,
    options: { base: Snapshot; readSnapshot(): Promise<Snapshot> },
  ): Promise<Snapshot>;
}

/**
 * Opens the ownership index (it lists which stack owns which objects, so that a plan need not read all ledgers) of the ledgers in the refs
 * of a remote. It is a ref of its own, whose commits have no parents: the index is only of use as it is now, and its history would grow
 * with each apply of each stack. Its files, the shards, are each about a part of the ledgers. The version of a ledger is the commit of its
 * ref, so it also changes with the lease. The answer with which the index is read lists these commits, too (`takeSiblingTips`).
 */
export function gitOwnership(index: IndexRef): OwnershipStore {
  const { ownRef, remote, enqueue } = index;
  let snapshot: Snapshot | undefined;
  /** The commits of all refs with ledgers, from the answer with which the index was read. */
  let tips: ReadonlyMap<string, string> = new Map();
  const readSnapshot = async (): Promise<Snapshot> => {
    snapshot = await remote.readSnapshot();
    tips = await remote.takeSiblingTips();
    return snapshot;
  };
  const listVersions = () =>
    enqueue('read', async () => {
      if (!snapshot) await readSnapshot();
      return tips;
    });
  return {
    ownName: ownRef,
    mayBegin: true,
    readShards: (folder, names) =>
      enqueue('read', async () => {
        // The answer with which the ledger was read shows whether there is an index. It counts until the index itself is read.
        if (!snapshot && index.isKnownMissing()) return new Map<string, StoredDocument>();
        const { files } = await readSnapshot();
        const existingShards = names.flatMap((name) => {
          const file = files.get(shardFileOf(folder, name));
          return file ? [[name, file.id] as const] : [];
        });
        const texts =
          existingShards.length === 0
            ? new Map<string, string>()
            : await remote.loadAll(existingShards.map(([, id]) => id));
        return new Map(existingShards.map(([name, id]) => [name, { text: texts.get(id)!, version: id }]));
      }),
    writeShards: (folder, writes) =>
      enqueue('written', async () => {
        const base = snapshot ?? (await readSnapshot());
        const files = new Map(writes.map(({ name, ...write }) => [shardFileOf(folder, name), write]));
        snapshot = await index.replace(files, { base, readSnapshot });
      }),
    listNames: async () => [...(await listVersions()).keys()],
    listVersions,
    readLedgers: (names) =>
      enqueue('read', async () => {
        const wanted = new Set(names);
        // The first listing came with the index. If a ref has moved since then, `readLedgersBesideRef` asks for another one.
        let tipsOfIndex: ReadonlyMap<string, string> | undefined = tips;
        const listTips = async () => {
          const currentTips = tipsOfIndex ?? (await remote.takeSiblingTips());
          tipsOfIndex = undefined;
          return new Map([...currentTips].filter(([name]) => wanted.has(name)));
        };
        const ledgers = await readLedgersBesideRef(await index.open(), index.remoteName, listTips);
        return ledgers.map(({ tip, ...ledger }) => ({ ...ledger, version: tip }));
      }),
  };
}

/** Returns the name of a shard's file, at the top of the index. */
const shardFileOf = (folder: string, shard: string): string => `${folder}-${shard}.json`;

/** Returns the refs of a remote without the index, because it has no ledger. */
export const withoutOwnership = (tips: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...tips].filter(([ref]) => ref !== ownershipRef));
