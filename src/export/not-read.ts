import type { Kinds } from '../kind/kind.ts';
import { addressOf } from '../model/address.ts';
import { collectionParts, type Live } from '../model/resource.ts';

/** What was not read, and what is none of the user's business, for people. */
export function notRead({ frozen, refused, leftOut }: Live, kinds: Kinds): string[] {
  const place = (id: string): string => {
    const [parent, name] = collectionParts(id);
    return addressOf(parent, kinds.get(name)!.section, []);
  };
  const plural = (count: number) => (count === 1 ? '1 object is' : `${count} objects are`);
  const among = (count: number, names: string[]) =>
    names.length === 0 ? '' : `: ${names.join(', ')}${count > names.length ? ', ...' : ''}`;
  return [
    ...[...frozen].map(([id, why]) =>
      refused.has(id)
        ? `${place(id)} is not open to this account or token: ${why}`
        : `${place(id)} could not be read: ${why}`,
    ),
    ...[...leftOut].map(
      ([id, { count, names }]) =>
        `${place(id)}: ${plural(count)} left out, not something that can be declared${among(count, names)}`,
    ),
  ].sort();
}
