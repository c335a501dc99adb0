import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { FieldPlace, FieldReference, Secrecy } from '../model/resource.ts';
import { shellWord } from '../model/shell-word.ts';
import type { Fields } from '../model/value.ts';
import type { FieldTraits } from './traits.ts';

/*
 * Where a value may go.
 *
 * A field has one of these levels of secrecy, in this order:
 *
 *   | Level      | Who can read the value                                        | Examples                                          |
 *   | ---------- | ------------------------------------------------------------- | ------------------------------------------------- |
 *   | open       | everybody who sees the object, the plan or the ledger's record | build command, plain variable, TXT record, input of an action |
 *   | readable   | whoever the platform returns the object to; trueup hides it   | encrypted variable, protection bypass, headers of a drain |
 *   | write-only | nobody: the platform never returns it                         | sensitive variable, private key of a certificate |
 *
 * A reference (`${projects.web.protectionBypass.e2e.secret}`) copies a value from one field to another. It may only go to a field of the
 * same or a higher level. Text around a reference is as secret as the reference.
 */
const levels: readonly Secrecy[] = ['open', 'readable', 'write-only'];

/** True if a field at level `target` keeps a value at least as secret as a field at level `source`. */
export const mayCopy = (source: Secrecy, target: Secrecy): boolean =>
  levels.indexOf(target) >= levels.indexOf(source);

/** The traits that decide how secret a field is. */
export type SecrecyTraits = Pick<FieldTraits, 'secret' | 'neverReturned' | 'writeOnly' | 'createOnly'>;

/** Returns the secrecy of a field by its traits, which may depend on the object's other `fields`. */
export function secrecyOf(
  { secret, neverReturned, writeOnly, createOnly }: SecrecyTraits,
  fields: Fields,
): Secrecy {
  const isSecret = typeof secret === 'function' ? secret(fields) : secret === true;
  if (!isSecret) return 'open';
  return writeOnly || createOnly || neverReturned?.(fields) ? 'write-only' : 'readable';
}

/** True if the secrecy of a field depends on fields of the object that are not among `fields`: only the account can tell. */
export function dependsOnAccount({ secret }: SecrecyTraits, fields: Fields): boolean {
  if (typeof secret !== 'function') return false;
  let isMissing = false;
  const watched = new Proxy(fields, {
    get: (target, name) => {
      isMissing ||= target[String(name)] === undefined;
      return target[String(name)];
    },
  });
  secret(watched);
  return isMissing;
}

/** Says that a secret would be copied to a field that is less secret. */
export function lessSecret(
  source: Pick<FieldPlace, 'address' | 'field'>,
  target: Omit<FieldPlace, 'at'>,
): { message: string; hint: string } {
  const why = target.secrecy === 'open' ? 'is not a secret field' : 'can be read again';
  return {
    message: `\`${target.field}\` of ${target.address} ${why}, so it cannot take the secret \`${source.field}\` of ${source.address}`,
    hint: 'a secret can only go to a field that is at least as secret, such as a variable with `type: sensitive`',
  };
}

/** Says that a secret of an object that the stack does not own would be copied, and what permits it. `why`: why it does not own it. */
export function needsConsent({ source, target }: FieldReference, why: string): Diagnostic {
  const flag = `--allow-live ${shellWord(source.address)}`;
  return problem(
    'ref/secret',
    `\`${target.field}\` of ${target.address} would get the secret \`${source.field}\` of ${source.address}, ${why}`,
    {
      address: target.address,
      at: target.at,
      hint: `if the operator agrees, allow it with ${flag}; in a workflow, under \`env:\`, \`TRUEUP_ALLOW_LIVE: ${source.address}\``,
      related: [{ message: 'the secret', at: source.at }],
    },
  );
}

/** Why a stack does not own an object that it declares with `$existing`. */
export const declaredExisting = 'which this stack does not own: it is declared with `$existing`';
