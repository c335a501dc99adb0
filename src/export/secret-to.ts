import { escapeExpressions } from '../config/expressions/parse-expressions.ts';
import type { Kind } from '../kind/kind.ts';
import { traitsOf } from '../kind/traits.ts';
import { addressOf, escapeName, lastNameOf } from '../model/address.ts';
import type { LiveResource } from '../model/resource.ts';
import type { Fields } from '../model/value.ts';
import { CommentedMap, type YamlValue } from './print-yaml.ts';

/**
 * Returns the `$secretTo` that declares an exported variable in the block of the object whose secret it takes. Fields that follow from
 * `$secretTo` are not written.
 * @param entries the fields of the variable
 * @param value the value of the variable, in which `${secret}` stands for the secret
 */
export function createSecretTo(
  kind: Kind,
  { address, parent }: LiveResource,
  entries: readonly [name: string, value: YamlValue][],
  value: string,
): CommentedMap {
  // `API_KEY` of `projects/web/env/API_KEY@production`.
  const name = lastNameOf(address).replace(/@.*/, '');
  const secretTo = new CommentedMap();
  secretTo.add('variable', escapeExpressions(addressOf(parent, kind.section, [escapeName(name)])));
  if (value !== '${secret}') secretTo.add('value', value);
  const fieldNames = entries.map(([field]) => field);
  for (const [field, fieldValue] of entries) {
    const otherNames = fieldNames.filter((fieldName) => fieldName !== field);
    const implied = impliedBySecret(kind, otherNames)[field];
    if (JSON.stringify(fieldValue) !== JSON.stringify(implied)) secretTo.add(field, fieldValue);
  }
  return secretTo;
}

/**
 * Returns the fields of a variable that follow from taking the secret of another object (`$secretTo`), if it
 * also declares the fields `declaredNames`; for example its type. An export does not write such fields in
 * `$secretTo`.
 */
const impliedBySecret = (kind: Kind, declaredNames: string[]): Fields =>
  Object.assign(
    {},
    ...Object.values(kind.fields).map((schema) => traitsOf(schema).takesSecret?.(declaredNames)),
  );
