import type { Address } from '../model/address.ts';
import { type Change, createsObject } from '../model/change.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { neededByText } from '../model/fold-wordings.ts';
import { addTo } from '../model/graph.ts';
import { addressWithoutTarget } from '../model/logical-changes.ts';
import { fieldsWhileExisting, type Resource } from '../model/resource.ts';
import { secretNamesIn } from '../model/value.ts';

/** The resources that need each secret, by its name. */
type SecretUsers = ReadonlyMap<string, Address[]>;

/**
 * Returns which resources need each secret in a plan, so that a message about a missing secret names only these. A field that `$ignore`
 * names needs its secret only if the plan creates or replaces the object. `changes`: those of the plan. A resource without one was not
 * compared, so all its fields count.
 */
export function findSecretUsers(resources: readonly Resource[], changes: readonly Change[]): SecretUsers {
  const existing = new Set(
    changes.filter((change) => change.before && !createsObject(change)).map(({ address }) => address),
  );
  const users = new Map<string, Address[]>();
  for (const resource of resources) {
    const fields = existing.has(resource.address) ? fieldsWhileExisting(resource) : resource.fields;
    for (const name of secretNamesIn(fields)) addTo(users, name, resource.address);
  }
  return users;
}

/**
 * Returns a diagnostic about a missing secret with only those users that need the secret in the plan (`users`). The diagnostic was made
 * before the account was read, so it names all users: those in `secret.users`, by their addresses without targets. It stays as it is if
 * none is left.
 */
export function nameOnlyUsers(diagnostic: Diagnostic, users: SecretUsers): Diagnostic {
  const { secret, message } = diagnostic;
  if (!secret?.users) return diagnostic;
  const needing = new Set((users.get(secret.name) ?? []).map(addressWithoutTarget));
  const remaining = secret.users.filter((address) => needing.has(address));
  if (remaining.length === secret.users.length || remaining.length === 0) return diagnostic;
  return {
    ...diagnostic,
    message: message.replace(neededByText(secret.users), neededByText(remaining)),
    secret: { ...secret, users: remaining },
  };
}
