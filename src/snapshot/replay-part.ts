/*
 * What a session has from the account and from the ledger, taken from the part of a snapshot instead.
 */
import type { LedgerStore } from '../ledger/ledger-store.ts';
import { raise } from '../model/diagnostic.ts';
import { canonicalJson, type DigestKey, type LedgerKey } from '../model/digest.ts';
import { revealed, Sealed } from '../model/sealed.ts';
import { isPlainObject } from '../model/value.ts';
import { mapMembers } from '../model/walk.ts';
import { knownStacks } from '../run/other-stacks.ts';
import type { RunSession } from '../run/session.ts';
import { replayReads } from './record-reads.ts';
import { holdsToken } from './secret-tokens.ts';
import type { KeyIds, StackPart } from './snapshot.ts';

/** The members of a session that a part of a snapshot replaces. */
type ReplayedMembers =
  | 'account'
  | 'areOthersUnknown'
  | 'clock'
  | 'documents'
  | 'isSecretOfRun'
  | 'key'
  | 'ledger'
  | 'otherStacks'
  | 'owner'
  | 'sent'
  | 'store';

/** Refuses everything that would write. A plan from a snapshot can only be shown. */
const refuseWrite = async (): Promise<never> =>
  raise('snapshot/read-only', 'a plan from a snapshot cannot be applied', {
    hint: 'plan with a token, and apply that plan',
  });

/**
 * Returns the members of a session (what planning needs of a stack) that come from the account and from the ledger, as a snapshot has them,
 * for `plan --from`. They allow planning and nothing else: everything that writes throws `Problems`, and a read that the snapshot does not
 * have fails like one that the platform refuses.
 */
export function replayPart(part: StackPart): Pick<RunSession, ReplayedMembers> & {
  connection: RunSession['connection'] & ReturnType<typeof replayReads>['connection'];
} {
  const { connection, sent } = replayReads(part);
  return {
    connection: {
      ...connection,
      reserve: refuseWrite,
      release: () => {},
      announce: () => {},
      paceNow: refuseWrite,
    },
    sent,
    owner: part.owner,
    account: part.account,
    // Only the name of the place: the ledgers come from `store` and `otherStacks`.
    documents: { place: part.ledgerPlace } as RunSession['documents'],
    store: storeOf(part),
    ledger: part.ledger,
    otherStacks: {
      ...knownStacks(part.otherStacks),
      countReadWithoutIndex: async () => part.readWithoutIndex,
    },
    areOthersUnknown: part.areOthersUnknown,
    key: createReplayKey(part),
    isSecretOfRun: holdsToken,
    clock: { now: () => part.time, sleep: refuseWrite },
  };
}

/** Returns the ledger of a snapshot in the form of a store that can only be read, so that planning works as with a real store. */
const storeOf = ({ ledgerPlace, ledger, proof }: StackPart): LedgerStore => ({
  place: ledgerPlace,
  read: async () => ledger,
  proof: () => proof,
  journalText: () => undefined,
  requireVerified: () => {},
  write: refuseWrite,
  appendToJournal: refuseWrite,
  startJournal: refuseWrite,
  close: async () => {},
});

/** The secret of all keys of snapshots. It protects nothing: what these keys digest equals no digest of a real key. */
const noSecret = new Sealed('snapshot');

const noSigningSecrets: LedgerKey['signing'] = {
  ledger: noSecret,
  plan: noSecret,
  history: noSecret,
  job: noSecret,
  ownership: noSecret,
  snapshot: noSecret,
};

/**
 * Returns the text by which a plan from a snapshot looks up a recorded digest; equal for values with equal digests. A set is digested in
 * the order of its texts, but tokens have another order than the secrets that they stand for. So the order is ignored here: in an unordered
 * value, and in the members of an unordered object.
 */
function formatLookupText(key: string, salt: string, value: unknown, isUnordered: boolean): string {
  const openValue = revealed(value);
  const sortSets = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(canonicalJson).sort();
    return isPlainObject(part) ? mapMembers(part, sortSets) : part;
  };
  return canonicalJson([key, salt, isUnordered ? sortSets(openValue) : openValue]);
}

/**
 * Returns a ledger key for a plan from a snapshot, with the ids of the real key but without secrets. The plan compares values with the
 * ledger by keyed digests, and this key finds those that the snapshot recorded. For any other value it has no digest, so that the value
 * counts as changed. Includes the `previous` key and the key in its `legacy` form, whose digests the ledger may still have. Undefined if
 * the run that made the snapshot had no key.
 */
function createReplayKey({ keyIds, digests }: Pick<StackPart, 'keyIds' | 'digests'>): LedgerKey | undefined {
  const digestsByText = new Map(
    digests.map(({ key, salt, value, digest, unordered = false }) => [
      formatLookupText(key, salt, value, unordered),
      digest,
    ]),
  );
  const digestKey = (id: string): DigestKey => ({
    id,
    secret: noSecret,
    recordedDigests: {
      get: (salt, value, isUnordered) => digestsByText.get(formatLookupText(id, salt, value, isUnordered)),
    },
  });
  const fullKey = ({ id, legacy, previous }: KeyIds): LedgerKey | undefined =>
    id === undefined
      ? undefined
      : {
          ...digestKey(id),
          signing: noSigningSecrets,
          ...(legacy !== undefined && { legacyKey: digestKey(legacy) }),
          ...(previous && { previous: fullKey(previous) }),
        };
  return fullKey(keyIds);
}
