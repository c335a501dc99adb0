import type { Address } from '../model/address.ts';
import { Sealed } from '../model/sealed.ts';
import { fillHoles } from '../model/value.ts';
import type { Planned } from '../run/open-plan.ts';

/** The secrets that live objects have and that the plan did not read, by address and by field. */
export type UnreadSecrets = ReadonlyMap<Address, ReadonlyMap<string, Sealed>>;

/**
 * Returns the declared secrets that the plan did not read and does not change. The account has them, because the ledger says that they were sent. The twin gets
 * them instead of placeholders, because a later plan on the twin may read them and would see a difference: that of a renamed variable, for example.
 * `secrets`: the values of the configuration's secrets.
 */
export function findUnreadSecrets(
  { plan, desired }: Pick<Planned, 'plan' | 'desired'>,
  secrets: ReadonlyMap<string, Sealed>,
): UnreadSecrets {
  const unreadSecrets = new Map<Address, Map<string, Sealed>>();
  for (const { address, before, fields: changed } of plan.changes) {
    const declared = desired.resources.get(address)?.fields;
    if (before === undefined || declared === undefined) continue;
    const isChanged = (name: string) =>
      changed.some(({ path }) => path === name || path.startsWith(`${name}.`));
    const secretsOfObject = new Map<string, Sealed>();
    for (const [name, value] of Object.entries(declared)) {
      if (before.fields[name] !== undefined || isChanged(name)) continue;
      const filled = fillHoles(value, { secrets, attribute: () => undefined });
      if (filled instanceof Sealed) secretsOfObject.set(name, filled);
      else if (typeof filled === 'string') secretsOfObject.set(name, new Sealed(filled));
    }
    if (secretsOfObject.size > 0) unreadSecrets.set(before.address, secretsOfObject);
  }
  return unreadSecrets;
}
