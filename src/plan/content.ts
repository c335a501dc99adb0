import { can, namesOf } from '../kind/define-kind.ts';
import type { Kind } from '../kind/kind.ts';
import { type Address, isWithin } from '../model/address.ts';
import { type Fields, isRef } from '../model/value.ts';
import type { PlanInput } from './input.ts';

/**
 * Lists what is deleted with a container, as far as it is known: our objects, and those of others that were seen; what is in it, and what
 * is about it elsewhere, such as a role in a project.
 */
export function contentOf(container: Address, { ledger, live, kinds }: PlanInput): Address[] {
  const isInside = (address: Address) => isWithin(address, container);
  const known = [...Object.entries(ledger.entries), ...live.resources]
    .filter(([address, { kind }]) => {
      const of = kinds.get(kind);
      return address !== container && isInside(address) && of && can(of, 'delete');
    })
    .map(([address]) => address);
  const about = [...live.resources.values()]
    .filter(({ address, kind, fields }) => {
      const of = kinds.get(kind);
      return of && can(of, 'delete') && !isInside(address) && isAbout(of, fields, isInside);
    })
    .map(({ address }) => address);
  return [...new Set([...known, ...about])];
}

/**
 * True if an object is about what goes: its own address names it, as that of a role in a project does. The platform deletes it with
 * that.
 */
export const isAbout = (kind: Kind, fields: Fields, isGoing: (address: Address) => boolean): boolean =>
  Object.entries(fields).some(
    ([name, value]) => isRef(value) && isGoing(value.$ref) && isInAddress(kind, name, fields),
  );

function isInAddress(kind: Kind, name: string, fields: Fields): boolean {
  if (kind.key.includes(name) || kind.shape.place.includes(name)) return true;
  if (!kind.yaml.names) return false;
  const { [name]: _, ...rest } = fields;
  return namesOf(kind, fields).join('/') !== namesOf(kind, rest).join('/');
}
