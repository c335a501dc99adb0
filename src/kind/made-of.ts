import { digest } from '../model/digest.ts';
import { namesIn } from '../model/field-path.ts';
import type { LedgerEntry } from '../model/ledger.ts';
import type { Fields } from '../model/value.ts';
import { type KeptOptions, keptAt } from './digests.ts';
import type { Kind } from './kind.ts';
import { comparedFields, type Leaf, leavesOf } from './leaves.ts';
import { traitsOf } from './traits.ts';

/**
 * True if an entry was made of these fields. Fields that cannot be read do not count; if several rows make one object, a part is
 * enough.
 */
export function isMadeOf(
  fields: Fields,
  entry: Pick<LedgerEntry, 'form' | 'salt' | 'fields' | 'secrets'>,
  kind: Kind,
  known: Pick<KeptOptions, 'key' | 'idOf'>,
  isWhole = !kind.shape.merged,
): boolean {
  const { form = 1 } = kind;
  if (entry.form !== form) return false;
  const schemas = comparedFields(kind);
  const told = new Set([...kind.key, ...kind.shape.place]);
  const leaves = leavesOf(schemas, fields);
  const isSame = ({ path, value, traits }: Leaf) => {
    const kept = keptAt(entry, path, { form, ...known });
    return !kept.usable || (isWhole ? kept.is(value, traits) : kept.holds(value, traits));
  };
  const found = new Set(leaves.map(({ path }) => path));
  const isLacking = (path: string) => {
    const traits = traitsOf(schemas[namesIn(path)[0]!]!);
    return !traits.writeOnly && !traits.readMayLack && entry.fields[path] !== digest(entry.salt, null);
  };
  return (
    leaves.every((leaf) => told.has(leaf.path) || isSame(leaf)) &&
    Object.keys(entry.fields).every((path) => told.has(path) || found.has(path) || !isLacking(path))
  );
}
