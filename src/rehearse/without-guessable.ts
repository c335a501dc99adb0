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
 * Returns plans of one account without the live secrets that a plan without a key must not compare (`guesses.ts`). A rehearsal has a key of its own, so it would
 * compare them, and its report would confirm a guess of the author of a pull request. Without them, the twin gets the declared value where the plan changes
 * nothing, and otherwise a placeholder (`twin-secrets.ts`). If one of the plans has no key, all of them lose these secrets, because they share a twin.
 */
export function withoutGuessableSecrets<P extends PlanWithLedger>(plans: readonly P[]): readonly P[] {
  if (plans.every(({ session }) => session.key !== undefined)) return plans;
  return plans.map((plan) => {
    const { kinds, ledger } = plan.session;
    const withoutSecrets = (address: Address, resource: LiveResource): LiveResource => {
      const kind = kinds.get(resource.kind)!;
      const fields = withoutGuessable(kind, resource.fields, { entry: ledger.entries[address] });
      if (fields === resource.fields) return resource;
      // A secret that is the id of its object decided which object the plan matched, so it stays.
      const idField = secretIdOf(kind);
      const fieldWithId = idField === undefined ? {} : { [idField]: resource.fields[idField]! };
      return { ...resource, fields: { ...fields, ...fieldWithId } };
    };
    const { live, plan: shownPlan } = plan.planned;
    const resources = [...live.resources].map(
      ([address, resource]) => [address, withoutSecrets(address, resource)] as const,
    );
    const changes = shownPlan.changes.map((change) =>
      change.before ? { ...change, before: withoutSecrets(change.address, change.before) } : change,
    );
    const planned = {
      ...plan.planned,
      live: { ...live, resources: new Map(resources) },
      plan: { ...shownPlan, changes },
    };
    return { ...plan, planned };
  });
}
