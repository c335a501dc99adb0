import type { Check, Finding, View } from '#kind';
import { describeVariable, type Variable, variablesIn } from './env-variables.ts';
import { publicPrefixOf } from './public-prefix.ts';
import { describeSecret } from './secret-values.ts';

/**
 * Finds keys that only servers may have in variables that frameworks put into code for browsers. It looks only at values in clear, so it can confirm no
 * guess about a secret. Development is left out, because only the team has its builds. Secret variables are left out, because the rules of the kind
 * warn about their prefix.
 */
export const publicSecret: Check = {
  codes: ['env/public-secret'],
  *find(view: View) {
    for (const variable of variablesIn(view)) {
      const prefix = publicPrefixOf(variable.name);
      if (prefix !== undefined) yield* findKey(variable, prefix);
    }
  },
};

/** Reports the first place of a variable whose value is a key. One finding for the variable is enough: one edit removes all. */
function* findKey(variable: Variable, prefix: string): Iterable<Finding> {
  for (const { address, fields } of variable.places) {
    const { value, target, type, visibility } = fields;
    if (typeof value !== 'string' || target === 'development') continue;
    if (type === 'sensitive' || visibility === 'secret') continue;
    const secret = describeSecret(value);
    if (secret === undefined) continue;
    yield {
      code: 'env/public-secret',
      severity: 'warning',
      message: `the value of ${describeVariable(variable)} has the form of ${secret}, but frameworks put variables with the prefix ${prefix} into code for browsers, where everybody can read it`,
      hint: 'create a new key, keep it in a secret under a name without this prefix, and read it only on the server; then revoke the old key',
      address,
      path: 'value',
    };
    return;
  }
}
