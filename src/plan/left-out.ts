import { type Diagnostic, warning } from '../model/diagnostic.ts';

const sources = /^(secret\/(file|empty|not-text|command)|source\/.*)$/;
const most = 3;

/**
 * For the plan of a pull request, which better gets none of the secrets: that they are not here is said once, and is nothing to mend.
 * What is wrong with a secret in another way stays as it is.
 */
export function leftOut(diagnostics: Diagnostic[]): Diagnostic[] {
  const unset = diagnostics.filter(({ code }) => code === 'secret/unset');
  if (unset.length === 0) return diagnostics;
  // With another cause around, nobody can tell which of the two a value was not compared for.
  const isOnly = !diagnostics.some(({ code }) => sources.test(code));
  const isSaid = ({ code }: Diagnostic) =>
    code === 'secret/unset' || (isOnly && code === 'secret/not-compared');
  const names = [...new Set(unset.flatMap(({ secret }) => secret?.name ?? []))];
  const shown = names.slice(0, most).join(', ');
  const rest = names.length > most ? ` and ${names.length - most} more` : '';
  const [are, they] = names.length === 1 ? ['secret is', 'it is'] : ['secrets are', 'they are'];
  return [
    ...diagnostics.filter((one) => !isSaid(one)),
    warning(
      'secret/left-out',
      `${names.length} ${are} not given to the plan of a pull request, so ${they} not compared: ${shown}${rest}`,
    ),
  ];
}
