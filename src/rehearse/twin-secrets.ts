import type { Address } from '../model/address.ts';
import { Sealed } from '../model/sealed.ts';
import { fillHoles } from '../model/value.ts';
import type { Planned } from '../run/open-plan.ts';
import { findNaturalAddresses } from './natural-addresses.ts';

/** The secrets that the twin (the simulated account of `plan --rehearse`) gets for live objects, by natural address and by field. */
export type TwinSecrets = ReadonlyMap<Address, ReadonlyMap<string, Sealed>>;

/**
 * Returns the declared secrets that the plan did not read and does not change. The account has them, because the ledger says that they were
 * sent. The twin (the simulated account of a rehearsal) gets them instead of placeholders, because a later plan on the twin may read them
 * and would see a difference: that of a renamed variable, for example. `secrets`: the values of the configuration's secrets.
 */
function findUnreadSecrets(
  { plan, desired }: Pick<Planned, 'plan' | 'desired'>,
  secrets: ReadonlyMap<string, Sealed>,
): ReadonlyMap<Address, ReadonlyMap<string, Sealed>> {
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

/** A plan, and the values of the secrets of its configuration. */
interface PlanWithSecrets {
  planned: Planned;
  session: { secrets: ReadonlyMap<string, Sealed> };
}

/**
 * Returns the secrets of live objects for a rehearsal of several plans, to fill the twin (the simulated account of a rehearsal) with them:
 * those that a plan has read, and those that it did not read and does not change. They are listed by natural address (made from
 * the names of the object in the account). They are collected from all plans first, because each plan also observes objects of the other
 * stacks without their secrets, and would fill the twin with placeholders for them.
 */
export function collectTwinSecrets(plans: readonly PlanWithSecrets[]): TwinSecrets {
  const collected = new Map<Address, Map<string, Sealed>>();
  for (const { planned, session } of plans) {
    const naturalAddresses = findNaturalAddresses(planned.live);
    const add = (address: Address, secrets: Iterable<readonly [string, Sealed]>) => {
      const natural = naturalAddresses.get(address) ?? address;
      const secretsOfObject = collected.get(natural) ?? new Map<string, Sealed>();
      for (const [name, secret] of secrets) secretsOfObject.set(name, secret);
      if (secretsOfObject.size > 0) collected.set(natural, secretsOfObject);
    };
    for (const { address, fields } of planned.live.resources.values())
      add(
        address,
        Object.entries(fields).flatMap(([name, value]) =>
          value instanceof Sealed ? [[name, value] as const] : [],
        ),
      );
    for (const [address, secrets] of findUnreadSecrets(planned, session.secrets)) add(address, secrets);
  }
  return collected;
}
