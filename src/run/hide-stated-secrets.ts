import type { Change, FieldChange } from '../model/change.ts';
import type { Plan } from '../model/plan.ts';
import { createSecretLineTest } from '../model/quoted-line.ts';
import type { Request } from '../model/request.ts';
import { Sealed, StatedSecret } from '../model/sealed.ts';
import { createSecretFinder, type SecretFinder } from '../model/secret-finder.ts';
import { isHole, isJoin } from '../model/value.ts';
import { containsValue, dropUndefined, mapTree, visitMembers } from '../model/walk.ts';

/**
 * Returns a plan whose reports, plan file and record show none of these secrets, which stand in clear in the configuration or the account:
 * everybody who sees the plan could read them. Each becomes sealed (a wrapped text that no output shows), and a quoted line of YAML that
 * has one is left out. An apply still sends and records the same values: requests open sealed texts when they are sent, and the ledger
 * takes the declared fields, which stay as they are. `addUndo`: predicts again whether an undo can restore the changes, because their
 * record lacks the secrets.
 */
export function hideStatedSecrets(
  plan: Plan,
  secrets: readonly StatedSecret[],
  addUndo: (changes: readonly Change[]) => Change[],
): Plan {
  if (secrets.length === 0) return plan;
  const isSecret = createSecretFinder(secrets);
  const showsSecret = createSecretLineTest(secrets);
  const changes = plan.changes.map((change) => hideInChange(hideInLine(change, showsSecret), isSecret));
  const withUndo = addUndo(changes);
  return {
    ...plan,
    // A change without such a secret keeps its prediction.
    changes: changes.map((change, i) => (change === plan.changes[i] ? change : withUndo[i]!)),
    operations: plan.operations.map((operation) => ({
      ...operation,
      requests: operation.requests.map((request) => hideInRequest(request, isSecret)),
    })),
  };
}

/** Returns a request with the secrets sealed that its parameters or body have in clear. Returns the same request if there are none. */
function hideInRequest(request: Request, isSecret: SecretFinder): Request {
  const { params, body } = request;
  if (!statesSecret([params, body], isSecret)) return request;
  return { ...request, ...sealStatedSecrets(dropUndefined({ params, body }), isSecret) };
}

/**
 * Returns a change in which those secrets are sealed that the configuration or the account has in clear (`isSecret`), in everything that
 * reports show of it. The declared fields (`after`) stay as they are, because the ledger takes them; reports show `shownFields` instead.
 * Returns the same change if it has no such secret.
 */
function hideInChange(change: Change, isSecret: SecretFinder): Change {
  const { fields, before, after } = change;
  if (![fields, before?.fields, after?.fields].some((part) => statesSecret(part, isSecret))) return change;
  return {
    ...change,
    fields: fields.map((field) => hideField(field, isSecret)),
    ...(before && { before: { ...before, fields: sealStatedSecrets(before.fields, isSecret) } }),
    ...(after && { shownFields: sealStatedSecrets(after.fields, isSecret) }),
  } as Change;
}

/** Returns a change without the line of its file, which problems about it quote (such as those of guards), if the line shows a secret. */
function hideInLine(change: Change, showsSecret: (line: string) => boolean): Change {
  if (!change.at) return change;
  const { text = '', ...at } = change.at;
  return showsSecret(text) ? ({ ...change, at } as Change) : change;
}

/**
 * Returns a field as a secret one if its value before or after the change holds a secret, so that reports show neither: the other value
 * may be a former spelling of the secret. Returns the same field otherwise.
 */
function hideField(field: FieldChange, isSecret: SecretFinder): FieldChange {
  if (!statesSecret([field.before, field.after], isSecret)) return field;
  const { before, after, ...others } = field;
  // `() => true` seals each text of both sides.
  return { ...others, ...sealStatedSecrets(dropUndefined({ before, after }), () => true), secret: true };
}

/**
 * Returns a copy of a value with each text sealed that is a secret. Texts that are sealed already, and references and other holes without a
 * text in them, stay as they are. Also used to compare configurations, without a plan.
 */
export const sealStatedSecrets = <T>(value: T, isSecret: SecretFinder): T =>
  mapTree(value, (part) => {
    if (typeof part === 'string' && isSecret(part)) return new StatedSecret(part);
    // Of the holes, only a join has texts: the pieces around the references in it.
    const isHoleWithoutText = isHole(part) && !isJoin(part);
    return part instanceof Sealed || isHoleWithoutText ? part : visitMembers;
  }) as T;

/** True if a value has a text that is a secret in clear, at any depth. Sealed secrets do not count, because no output shows them. */
const statesSecret = (value: unknown, isSecret: SecretFinder): boolean =>
  containsValue(value, (part) => {
    if (typeof part === 'string') return isSecret(part);
    return part instanceof Sealed ? false : visitMembers;
  });
