import { secretIdOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import type { FieldChange } from '../model/change.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { type DigestKey, type LedgerKey, makerOf, makerOfId } from '../model/ledger-key.ts';
import type { Wanted } from './case.ts';

/** Why something is sent, for people. */
export function whyChanged(writes: FieldChange[], entry: LedgerEntry | undefined): string | undefined {
  const causes = writes.map(({ cause }) => cause);
  if (causes.includes('conflict')) return 'changed here and outside';
  if (causes.every((cause) => cause === 'drift')) return 'changed outside';
  // An object met for the first time has no last apply, so this is no news.
  return entry && causes.includes('unknown')
    ? 'drift and edit cannot be told apart: what was last applied is not known'
    : undefined;
}

/**
 * Says what the ledger has to learn of an object of ours that is as it should be; undefined if it knows everything. `declared`
 * are the paths that it keeps digests of.
 */
export function reasonToRecord(
  { want, entry, found, kind, input }: Wanted,
  fields: FieldChange[],
  declared: string[],
): string | undefined {
  const { meta, address } = want;
  if (input.resumed?.has(address)) return 'an interrupted run made it';
  const has = (name: string, isNow: boolean) => `\`${name}\` is ${isNow ? 'remembered' : 'lifted'}`;
  if (Boolean(meta.protect) !== Boolean(entry?.protect)) return has('$protect', meta.protect === true);
  if (meta.onRemove !== entry?.onRemove) return has('$onRemove', meta.onRemove !== undefined);
  if (meta.dependsOn?.some((address) => !entry?.dependsOn?.includes(address))) return has('$dependsOn', true);
  if (entry && isUnderFormer(entry, declared, kind, input.key))
    return 'its secrets are recorded anew, under the ledger key in use';
  if (fields.some(({ cause }) => cause === 'recorded')) return 'the account has it already';
  const isKnown = kind.key.length === 0 || found?.ids.every((id) => entry?.ids.includes(id));
  return isKnown ? undefined : 'a part of it was made outside';
}

/** True if a digest was not made the way digests are made now, and can be made anew. */
const isUnderFormer = (entry: LedgerEntry, declared: string[], kind: Kind, key: LedgerKey | undefined) => {
  const isFormer = (maker: DigestKey | undefined) => maker !== undefined && maker !== key;
  return (
    declared.some((path) => isFormer(makerOf(key, entry.secrets[path]?.key ?? ''))) ||
    (secretIdOf(kind) !== undefined && entry.ids.some((id) => isFormer(makerOfId(key, id))))
  );
};
