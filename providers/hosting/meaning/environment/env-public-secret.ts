import { type Finding, groupBy, type ViewedObject } from '#kind';
import { findByName, findSharedSource, indexSources } from './env-public-source.ts';
import { describeVariable, isSecretVariable, type PublicVariable, type Variable } from './env-variables.ts';
import { publicPrefixOf } from './public-prefix.ts';
import { describeNamedSecret, describeSecret } from './secret-values.ts';

/** The codes of the findings about secrets that browsers see. */
export const publicSecretCodes = ['env/public-secret', 'env/public-source', 'env/public-name'];

/**
 * Finds secrets in variables that frameworks put into code for browsers. It looks only at values in clear and at the names of secrets, so
 * it can confirm no guess about a secret. Reports a variable once, with the strongest evidence. Development is left out, because only the
 * team has its builds. Secret variables are left out, because the rules of the kind warn about their prefix.
 */
export function* findPublicSecrets(variables: readonly Variable[]): Iterable<Finding> {
  const witnesses = indexSources(variables.filter(({ name }) => publicPrefixOf(name) === undefined));
  for (const variable of variables) {
    const prefix = publicPrefixOf(variable.name);
    if (prefix === undefined) continue;
    const published = { ...variable, units: variable.units.filter(isPublished), prefix };
    const finding =
      findKey(published, variable.units) ?? findSharedSource(published, witnesses) ?? findByName(published);
    if (finding) yield finding;
  }
}

const isPublished = (unit: ViewedObject): boolean =>
  unit.fields.target !== 'development' && !isSecretVariable(unit);

/**
 * Returns a finding about the first unit of a variable whose value is a key; undefined if there is none. `everywhere`: the variable in all
 * places, whose keys reports hide as well.
 */
function findKey(variable: PublicVariable, everywhere: readonly ViewedObject[]): Finding | undefined {
  const describeValue = (value: unknown) =>
    typeof value === 'string'
      ? (describeSecret(value) ?? describeNamedSecret(variable.name, value))
      : undefined;
  // Most variables have the same value in all places.
  const byValue = groupBy(variable.units, ({ fields }) => fields.value);
  for (const [value, [unit]] of byValue) {
    const secret = describeValue(value);
    if (secret === undefined) continue;
    const withKeys = everywhere.filter(({ fields }) => describeValue(fields.value) !== undefined);
    return {
      code: 'env/public-secret',
      severity: 'warning',
      message: `the value of ${describeVariable(variable)} has the form of ${secret}, but frameworks put variables with the prefix ${variable.prefix} into code for browsers, where everybody can read it`,
      hint: 'create a new key, keep it in a secret under a name without this prefix, and read it only on the server; then revoke the old key',
      address: unit!.address,
      path: 'value',
      secrets: withKeys.map(({ address }) => ({ address, path: 'value' })),
    };
  }
  return undefined;
}
