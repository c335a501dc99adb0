import { secretIdOf } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import type { Address } from '../model/address.ts';
import type { Ledger } from '../model/ledger.ts';
import type { LiveResource } from '../model/resource.ts';
import { withoutGuessable } from '../plan/guesses.ts';
import type { Planned } from '../run/open-plan.ts';

/** A plan of the account, and what tells whether it may compare secrets. */
interface PlanWithLedger {
  session: { kinds: Kinds; ledger: Pick<Ledger, 'entries'>; key?: unknown };
  planned: Planned;
}

/**
 * Returns plans of one account, without the live secrets that somebody could guess by a rehearsal: the author of a pull request declares a
 * guess, and the report says whether the secret changes. A plan without the ledger's key does not compare such secrets (`guesses.ts`), but
 * a rehearsal makes a key of its own, so it would. Without them, the twin (the simulated account of a rehearsal) gets the declared value
 * where the plan changes nothing, and otherwise a placeholder (`twin-secrets.ts`). If one of the plans has no key, all of them lose these
 * secrets, because they share a twin.
 */
export function withoutGuessableSecrets<P extends PlanWithLedger>(plans: readonly P[]): readonly P[] {
  const haveAllKeys = plans.every(({ session }) => session.key !== undefined);
  return haveAllKeys ? plans : plans.map(withoutGuessableFields);
}

/**
 * Returns a plan without the live secrets that a plan without the ledger's key does not compare (`withoutGuessable`): if the rehearsal
 * compared them, its report would tell the author of a pull request whether a declared guess was right. They are left out of the live
 * objects and of the objects before each change.
 */
function withoutGuessableFields<P extends PlanWithLedger>(plan: P): P {
  const { kinds, ledger } = plan.session;
  const hideFields = (address: Address, resource: LiveResource): LiveResource => {
    const kind = kinds.get(resource.kind)!;
    const fields = withoutGuessable(kind, resource.fields, { entry: ledger.entries[address] });
    if (fields === resource.fields) return resource;
    // A secret that is the id of its object stays. The plan found the object by it and shows that, so a rehearsal tells nothing new.
    const idField = secretIdOf(kind);
    const fieldWithId = idField === undefined ? {} : { [idField]: resource.fields[idField]! };
    return { ...resource, fields: { ...fields, ...fieldWithId } };
  };
  const { live, plan: shownPlan } = plan.planned;
  const resources = [...live.resources].map(
    ([address, resource]) => [address, hideFields(address, resource)] as const,
  );
  const changes = shownPlan.changes.map((change) =>
    change.before ? { ...change, before: hideFields(change.address, change.before) } : change,
  );
  const planned = {
    ...plan.planned,
    live: { ...live, resources: new Map(resources) },
    plan: { ...shownPlan, changes },
  };
  return { ...plan, planned };
}
