import type { Change } from '../model/change.ts';
import { digest, keyedDigest, type LedgerKey } from '../model/digest.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import { type Fields, holesIn } from '../model/value.ts';
import { comparable, holdsSecret } from './compare.ts';
import { comparedFields } from './define-kind.ts';
import type { FieldSchemas, Kinds } from './kind.ts';
import { leavesOf } from './leaves.ts';

/** The digests of what is applied: all declared leaves, whether they differed or not. Undefined where a secret needs a key. */
export function digestsOf(
  schemas: FieldSchemas,
  fields: Fields,
  declared: ReadonlySet<string>,
  salt: string,
  key: LedgerKey | undefined,
): Pick<LedgerEntry, 'fields' | 'secrets'> {
  const entry: Pick<LedgerEntry, 'fields' | 'secrets'> = { fields: {}, secrets: {} };
  for (const { path, value, traits } of leavesOf(schemas, fields)) {
    if (!declared.has(path) || traits.createOnly || holesIn(value).some((hole) => '$secret' in hole))
      continue;
    const normal = comparable(value, traits);
    if (traits.secret === undefined && !holdsSecret(value)) entry.fields[path] = digest(salt, normal);
    else if (key) entry.secrets[path] = { key: key.id, digest: keyedDigest(key, salt, normal) };
  }
  return entry;
}

/** Whether carrying out a change sends or records a secret, which takes a key. */
export function handlesSecrets({ action, kind, after }: Change, kinds: Kinds): boolean {
  if (!after || action === 'noop' || action === 'forget') return false;
  return leavesOf(comparedFields(kinds.get(kind)!), after.fields).some(
    ({ value, traits }) => traits.secret !== undefined || holdsSecret(value),
  );
}
