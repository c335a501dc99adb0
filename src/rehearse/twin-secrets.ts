import type { Address } from '../model/address.ts';
import { Sealed } from '../model/sealed.ts';
import { fillHoles } from '../model/value.ts';
import type { Planned } from '../run/open-plan.ts';
import { findNaturalAddresses } from './natural-addresses.ts';

/** The secrets that the twin (the simulated account of `plan --rehearse`) gets for live objects, by natural address and by field. */
export type TwinSecrets = ReadonlyMap<Address, ReadonlyMap<string, Sealed>>;

/** A secret in a field of a live object. */
interface FieldSecret {
  address: Address;
  name: string;
  secret: Sealed;
}

/**
 * Returns the declared secrets that the plan did not read and does not change. The account has them, because the ledger says that they were
 * sent. The twin (the simulated account of a rehearsal) gets them instead of placeholders, because a later plan on the twin may read them
 * and would see a difference: that of a renamed variable, for example. Includes plain texts, because a secret field may declare one; the
 * twin uses only those of secret fields. `secrets`: the values of the configuration's secrets.
 */
function findUnreadSecrets(
  { plan, desired }: Pick<Planned, 'plan' | 'desired'>,
  secrets: ReadonlyMap<string, Sealed>,
): FieldSecret[] {
  return plan.changes.flatMap(({ address, before, fields: changed }) => {
    const declared = desired.resources.get(address)?.fields;
    if (before === undefined || declared === undefined) return [];
    const isChanged = (name: string) =>
      changed.some(({ path }) => path === name || path.startsWith(`${name}.`));
    const unread = Object.entries(declared).filter(
      ([name]) => before.fields[name] === undefined && !isChanged(name),
    );
    return unread.flatMap(([name, value]) => {
      const filled = fillHoles(value, { secrets, attribute: () => undefined });
      const secret = typeof filled === 'string' ? new Sealed(filled) : filled;
      return secret instanceof Sealed ? { address: before.address, name, secret } : [];
    });
  });
}

/** Returns the fields of live objects that a plan has read and that are secret as a whole, for `collectTwinSecrets`. */
const findReadSecrets = ({ live: { resources } }: Pick<Planned, 'live'>): FieldSecret[] =>
  [...resources.values()].flatMap(({ address, fields }) =>
    Object.entries(fields).flatMap(([name, value]) =>
      value instanceof Sealed ? { address, name, secret: value } : [],
    ),
  );

/** A plan, and the values of the secrets of its configuration. */
interface PlanWithSecrets {
  planned: Planned;
  session: { secrets: ReadonlyMap<string, Sealed> };
}

/**
 * Returns the secrets with which a rehearsal of several plans fills the twin (its simulated account), by object and field: those that the
 * plans have read, and those declared that they could not read and do not change, so that the account has them. Objects have natural
 * addresses (made of their names in the account), because plans can call a renamed object differently. All plans are searched before the
 * first fill, because a plan also observes objects of other stacks without their secrets, and would fill in placeholders.
 */
export function collectTwinSecrets(plans: readonly PlanWithSecrets[]): TwinSecrets {
  const collected = new Map<Address, Map<string, Sealed>>();
  for (const { planned, session } of plans) {
    const naturalAddresses = findNaturalAddresses(planned.live);
    const foundSecrets = [...findReadSecrets(planned), ...findUnreadSecrets(planned, session.secrets)];
    for (const { address, name, secret } of foundSecrets) {
      const natural = naturalAddresses.get(address) ?? address;
      const secretsOfObject = collected.get(natural) ?? new Map<string, Sealed>();
      collected.set(natural, secretsOfObject.set(name, secret));
    }
  }
  return collected;
}
